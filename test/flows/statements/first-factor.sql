-- user.find_sign_in_candidate
select u.id as "userId", u.email, e.id as "emailId", u.email_verified_at is not null as "emailVerified",
  u.controlled_at is not null as "isMailboxOwner", e.vouched as "isVouched", u.display_name as "displayName",
  u.locale, u.time_zone as "timeZone", u.password_hash as "passwordHash", u.guesses_cleared_at as
  "guessesClearedAt", u.disabled_at is not null as disabled, exists (select 1 from credential_reviews held
  where held.user_id = e.user_id and e.verified_at >= held.held_since and e.verified_at < held.reset_at and
  e.email is distinct from held.email) as "addressHeld", u.credentials_epoch as "credentialsEpoch", t.user_id
  is not null as "mfaEnabled", case when home.needs_aal2 then null else b.id end as "trustedBrowserId", exists
  (select 1 from (select user_agent, revoked_at from sessions where user_id = u.id order by created_at desc
  limit $1) recent where recent.revoked_at is null and recent.user_agent is not distinct from $2::text) as
  "hasRecentBrowser", home.organization_id as "organizationId", closed.organization_id as
  "closedOrganizationId", closed.refused_by as "closedBy"
from user_emails e
join users u on u.id = e.user_id
left join totp_factors t on t.user_id = u.id and t.confirmed_at is not null
left join trusted_browsers b on b.token_hash = $3::bytea and b.user_id = u.id and b.revoked_at is null and
  b.expires_at > $4
left join lateral (select m.organization_id, b.id is not null and (case when (select 1 from
  organization_policies r where r.organization_id = m.organization_id) is null and (select 1 from sso_policies
  r where r.organization_id = m.organization_id) is null then null else organization_refusal(m.user_id,
  m.organization_id, $5::boolean, $6::text, $7::text, ($8)::text, $9::boolean, $10::timestamptz,
  $11::timestamptz, $12::timestamptz, $13::text) end) is not null as needs_aal2 from members m join
  organizations o on o.id = m.organization_id where m.user_id = u.id and o.suspended_at is null and
  m.organization_id = coalesce($14::uuid, m.organization_id) and coalesce(case when (select 1 from
  organization_policies r where r.organization_id = m.organization_id) is null and (select 1 from sso_policies
  r where r.organization_id = m.organization_id) is null then null else organization_refusal(m.user_id,
  m.organization_id, $15::boolean, $16::text, $17::text, (case when t.user_id is null then 'aal1' else 'aal2'
  end)::text, $18::boolean, $19::timestamptz, $20::timestamptz, $21::timestamptz, $22::text) end, 'factor') =
  'factor' order by m.organization_id = u.last_organization_id desc nulls last, m.joined_at, m.organization_id
  limit 1) home on true
left join lateral (select m.organization_id, case when (select 1 from organization_policies r where
  r.organization_id = m.organization_id) is null and (select 1 from sso_policies r where r.organization_id =
  m.organization_id) is null then null else organization_refusal(m.user_id, m.organization_id, $23::boolean,
  $24::text, $25::text, (case when t.user_id is null then 'aal1' else 'aal2' end)::text, $26::boolean,
  $27::timestamptz, $28::timestamptz, $29::timestamptz, $30::text) end as refused_by from members m join
  organizations o on o.id = m.organization_id where m.user_id = u.id and o.suspended_at is null and
  m.organization_id = coalesce($31::uuid, m.organization_id) and home.organization_id is null order by
  m.organization_id = u.last_organization_id desc nulls last, m.joined_at, m.organization_id limit 1) closed
  on true
where e.email = $32 and (e."primary" or e.verified_at is not null);

-- sign_in.ask_for_second_factor
with
  "membership" as (
    select m.organization_id, m.role
    from members m
    join organizations o on o.id = m.organization_id
    where m.user_id = $1 and m.organization_id = $2 and o.suspended_at is null and ($3::timestamptz is null or
      o.restored_at is null or o.restored_at < $4) and coalesce(case when (select 1 from organization_policies
      r where r.organization_id = m.organization_id) is null and (select 1 from sso_policies r where
      r.organization_id = m.organization_id) is null then null else organization_refusal(m.user_id,
      m.organization_id, $5::boolean, $6::text, $7::text, ($8)::text, $9::boolean, $10::timestamptz,
      $11::timestamptz, $12::timestamptz, $13::text) end, 'factor') = 'factor'
    for share of m
    for key share of o
  ),
  "account" as (
    select u.id
    from "membership", users u
    where u.id = $14 and u.disabled_at is null and u.credentials_epoch = $15
    for share of u
  ),
  "audit" as (
    insert into audit_logs (event_id, timestamp, organization_id, actor_id, actor_type, action, resource_type,
      resource_id, ip_address, user_agent, request_id, metadata, outcome)
    select $16::uuid, $17::timestamptz, $18::uuid, $19::uuid, $20, $21, $22, $23::text, $24::text, $25::text,
      $26::uuid, $27::jsonb , $28
    from "account"
  )
select 1
from "account";
