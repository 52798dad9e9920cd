-- user.find_sign_in_candidate
select u.id as "userId", u.email, e.id as "emailId", u.email_verified_at is not null as "emailVerified",
  u.controlled_at is not null as "isMailboxOwner", u.display_name as "displayName", u.locale, u.time_zone as
  "timeZone", u.password_hash as "passwordHash", u.disabled_at is not null as disabled, u.credentials_epoch as
  "credentialsEpoch", t.user_id is not null as "mfaEnabled", case when home.needs_aal2 then null else b.id end
  as "trustedBrowserId", exists (select 1 from (select user_agent, revoked_at from sessions where user_id =
  u.id order by created_at desc limit $1) recent where recent.revoked_at is null and recent.user_agent is not
  distinct from $2::text) as "hasRecentBrowser", home.organization_id as "organizationId",
  closed.organization_id as "ssoOrganizationId"
from user_emails e
join users u on u.id = e.user_id
left join totp_factors t on t.user_id = u.id and t.confirmed_at is not null
left join trusted_browsers b on b.token_hash = $3::bytea and b.user_id = u.id and b.revoked_at is null and
  b.expires_at > $4
left join lateral (select m.organization_id, not (sso_access_until(m.user_id, m.organization_id, $5::boolean,
  $6, $7::timestamptz) > $8::timestamptz) as needs_aal2 from members m join organizations o on o.id =
  m.organization_id where m.user_id = u.id and o.suspended_at is null and m.organization_id =
  coalesce($9::uuid, m.organization_id) and case when t.user_id is null then sso_access_until(m.user_id,
  m.organization_id, $10::boolean, $11, $12::timestamptz) > $13::timestamptz else sso_access_until(m.user_id,
  m.organization_id, $14::boolean, $15, $16::timestamptz) > $17::timestamptz end order by m.organization_id =
  u.last_organization_id desc nulls last, m.joined_at, m.organization_id limit 1) home on true
left join lateral (select m.organization_id from members m join organizations o on o.id = m.organization_id
  where m.user_id = u.id and o.suspended_at is null and m.organization_id = coalesce($18::uuid,
  m.organization_id) and home.organization_id is null order by m.organization_id = u.last_organization_id desc
  nulls last, m.joined_at, m.organization_id limit 1) closed on true
where e.email = $19 and (e."primary" or e.verified_at is not null);

-- sign_in.finish
with
  "membership" as (
    select m.organization_id, m.role
    from members m
    join organizations o on o.id = m.organization_id
    where m.user_id = $1 and m.organization_id = $2 and o.suspended_at is null and ($3::timestamptz is null or
      o.restored_at is null or o.restored_at < $4) and sso_access_until(m.user_id, m.organization_id,
      $5::boolean, $6::text, $7::timestamptz) > $8::timestamptz
    for share of m
    for key share of o
  ),
  "account" as (
    update users u
    set last_login_at = $9, last_organization_id = $10
    from "membership"
    where u.id = $11 and u.disabled_at is null and u.credentials_epoch = $12
    returning u.id
  ),
  "new_browser" as (
    insert into sign_in_notices (user_id, browser_hash, token_hash, signed_in_at, expires_at)
    select "account".id, $13::bytea, $14::bytea, $15::timestamptz, $16::timestamptz
    from "account"
    join users u on u.id = "account".id
    where (u.last_login_at > u.created_at or exists (select 1 from sessions where user_id = $17)) and not
      exists (select 1 from sessions s where s.user_id = $18 and s.revoked_reason is distinct from $19 and
      s.user_agent is not distinct from $20::text)
    on conflict (user_id, browser_hash) do update
    set token_hash = excluded.token_hash, signed_in_at = excluded.signed_in_at, expires_at =
      excluded.expires_at
    where sign_in_notices.token_hash is null or sign_in_notices.expires_at <= excluded.signed_in_at
    returning user_id
  ),
  "new_browser_notice" as (
    insert into outbox (id, sealed_letter, kind, address_hash, network, held, merged, next_attempt_at,
      expires_at, created_at)
    select $21::uuid, $22::bytea, $23::text, $24::text, $25::text, queued.is_held, queued.merged_count,
      queued.due_at, $26::timestamptz, cause.at
    from (select $27::timestamptz as at from "new_browser" offset 0) cause cross
    join lateral queue_email($28::uuid, $29::text, $30::text, $31::text, cause.at, $32::timestamptz,
      $33::integer, $34::interval, $35::integer, $36::interval, $37::integer, $38::interval) queued
  ),
  "session" as (
    insert into sessions (id, user_id, organization_id, auth_method, email_claim, aal, auth_time,
      mfa_verified_at, refresh_jti, access_jti, rotated_at, expires_at, ends_at, ip_address, user_agent,
      created_at, mfa_token_jti, control_proven, organization_bound, sso_connection_id, sso_subject_hash,
      sso_session_index)
    select $39::uuid, $40::uuid, $41::uuid, $42, $43::text, $44, $45::timestamptz, $46::timestamptz,
      $47::uuid, $48::uuid, $49::timestamptz, $50::timestamptz, $51::timestamptz, $52::text, $53::text,
      $54::timestamptz, $55::uuid, $56::boolean, $57::boolean, $58::uuid, $59::bytea, $60::text
    from "account"
    returning id
  ),
  "audit" as (
    insert into audit_logs (event_id, timestamp, organization_id, actor_id, actor_type, action, resource_type,
      resource_id, ip_address, user_agent, request_id, metadata, outcome)
    select $61::uuid, $62::timestamptz, $63::uuid, $64::uuid, $65, $66, $67, $68::text, $69::text, $70::text,
      $71::uuid, $72::jsonb , $73
    from "session"
  )
select "membership".role, array(select distinct r.key from member_roles h join organization_roles r on r.id =
  h.role_id where h.organization_id = "membership".organization_id and h.user_id = $74::uuid order by r.key)
  as "roleKeys", array(select distinct p from member_roles h join organization_roles r on r.id = h.role_id
  cross join unnest(r.permissions) p where h.organization_id = "membership".organization_id and h.user_id =
  $75::uuid order by p) as granted, exists (select from sessions where user_id = $76 and not
  organization_bound and revoked_at is null and expires_at > $77 offset $78) as "hasSurplus", exists (select 1
  from "new_browser") as "hasNotice"
from "membership", "session";
