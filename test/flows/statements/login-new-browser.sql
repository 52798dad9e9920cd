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

-- sign_in.finish
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
    update users u
    set last_login_at = $14, last_organization_id = $15
    from "membership"
    where u.id = $16 and u.disabled_at is null and u.credentials_epoch = $17
    returning u.id
  ),
  "new_browser" as (
    insert into sign_in_notices (user_id, browser_hash, token_hash, signed_in_at, expires_at)
    select "account".id, $18::bytea, $19::bytea, $20::timestamptz, $21::timestamptz
    from "account"
    join users u on u.id = "account".id
    where (u.last_login_at > u.created_at or exists (select 1 from sessions where user_id = $22)) and not
      exists (select 1 from sessions s where s.user_id = $23 and s.revoked_reason is distinct from $24 and
      s.user_agent is not distinct from $25::text)
    on conflict (user_id, browser_hash) do update
    set token_hash = excluded.token_hash, signed_in_at = excluded.signed_in_at, expires_at =
      excluded.expires_at
    where sign_in_notices.token_hash is null or sign_in_notices.expires_at <= excluded.signed_in_at
    returning user_id
  ),
  "new_browser_notice" as (
    insert into outbox (id, sealed_letter, kind, address_hash, network, held, merged, next_attempt_at,
      expires_at, created_at)
    select $26::uuid, $27::bytea, $28::text, $29::text, $30::text, queued.is_held, queued.merged_count,
      queued.due_at, $31::timestamptz, cause.at
    from (select $32::timestamptz as at from "new_browser" offset 0) cause cross
    join lateral queue_email($33::uuid, $34::text, $35::text, $36::text, cause.at, $37::timestamptz,
      $38::integer, $39::interval, $40::integer, $41::interval, $42::integer, $43::interval) queued
  ),
  "session" as (
    insert into sessions (id, user_id, organization_id, auth_method, email_claim, aal, auth_time,
      mfa_verified_at, refresh_jti, access_jti, rotated_at, expires_at, ends_at, ip_address, user_agent,
      created_at, mfa_token_jti, control_proven, organization_bound, sso_connection_id, sso_subject_hash,
      sso_session_index, sso_name_id_hash, sealed_sso_name_id, identity_provider, phishing_resistant)
    select $44::uuid, $45::uuid, $46::uuid, $47, $48::text, $49, $50::timestamptz, $51::timestamptz,
      $52::uuid, $53::uuid, $54::timestamptz, $55::timestamptz, $56::timestamptz, $57::text, $58::text,
      $59::timestamptz, $60::uuid, $61::boolean, $62::boolean, $63::uuid, $64::bytea, $65::text, $66::bytea,
      $67::bytea, $68::text, $69::boolean
    from "account"
    returning id
  ),
  "audit" as (
    insert into audit_logs (event_id, timestamp, organization_id, actor_id, actor_type, action, resource_type,
      resource_id, ip_address, user_agent, request_id, metadata, outcome)
    select $70::uuid, $71::timestamptz, $72::uuid, $73::uuid, $74, $75, $76, $77::text, $78::text, $79::text,
      $80::uuid, $81::jsonb , $82
    from "session"
  )
select "membership".role, array(select distinct r.key from member_roles h join organization_roles r on r.id =
  h.role_id where h.organization_id = "membership".organization_id and h.user_id = $83::uuid order by r.key)
  as "roleKeys", array(select distinct p from member_roles h join organization_roles r on r.id = h.role_id
  cross join unnest(r.permissions) p where h.organization_id = "membership".organization_id and h.user_id =
  $84::uuid order by p) as granted, exists (select from sessions where user_id = $85 and not
  organization_bound and revoked_at is null and expires_at > $86 offset $87) as "hasSurplus", exists (select 1
  from "new_browser") as "hasNotice"
from "membership", "session";
