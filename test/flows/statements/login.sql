-- user.find_sign_in_candidate
select u.id as "userId", u.email, e.id as "emailId", u.email_verified_at is not null as "emailVerified",
  u.controlled_at is not null as "isMailboxOwner", u.display_name as "displayName", u.locale, u.time_zone as
  "timeZone", u.password_hash as "passwordHash", u.disabled_at is not null as disabled, u.credentials_epoch as
  "credentialsEpoch", t.user_id is not null as "mfaEnabled", b.id as "trustedBrowserId", exists (select 1 from
  (select user_agent, revoked_at from sessions where user_id = u.id order by created_at desc limit $1) recent
  where recent.revoked_at is null and recent.user_agent is not distinct from $2::text) as "hasRecentBrowser",
  home.organization_id as "organizationId"
from user_emails e
join users u on u.id = e.user_id
left join totp_factors t on t.user_id = u.id and t.confirmed_at is not null
left join trusted_browsers b on b.token_hash = $3::bytea and b.user_id = u.id and b.revoked_at is null and
  b.expires_at > $4
left join lateral (select m.organization_id from members m join organizations o on o.id = m.organization_id
  where m.user_id = u.id and o.suspended_at is null and m.organization_id = coalesce($5::uuid,
  m.organization_id) order by m.organization_id = u.last_organization_id desc nulls last, m.joined_at,
  m.organization_id limit 1) home on true
where e.email = $6 and (e."primary" or e.verified_at is not null);

-- sign_in.finish
with
  "membership" as (
    select m.organization_id, m.role
    from members m
    join organizations o on o.id = m.organization_id
    where m.user_id = $1 and m.organization_id = $2 and o.suspended_at is null and ($3::timestamptz is null or
      o.restored_at is null or o.restored_at < $4)
    for share of m
    for key share of o
  ),
  "account" as (
    update users u
    set last_login_at = $5, last_organization_id = $6
    from "membership"
    where u.id = $7 and u.disabled_at is null and u.credentials_epoch = $8
    returning u.id
  ),
  "session" as (
    insert into sessions (id, user_id, organization_id, auth_method, email_claim, aal, auth_time,
      mfa_verified_at, refresh_jti, access_jti, rotated_at, expires_at, ends_at, ip_address, user_agent,
      created_at, mfa_token_jti, control_proven, organization_bound, sso_connection_id, sso_subject_hash,
      sso_session_index)
    select $9::uuid, $10::uuid, $11::uuid, $12, $13::text, $14, $15::timestamptz, $16::timestamptz, $17::uuid,
      $18::uuid, $19::timestamptz, $20::timestamptz, $21::timestamptz, $22::text, $23::text, $24::timestamptz,
      $25::uuid, $26::boolean, $27::boolean, $28::uuid, $29::bytea, $30::text
    from "account"
    returning id
  ),
  "audit" as (
    insert into audit_logs (event_id, timestamp, organization_id, actor_id, actor_type, action, resource_type,
      resource_id, ip_address, user_agent, request_id, metadata, outcome)
    select $31::uuid, $32::timestamptz, $33::uuid, $34::uuid, $35, $36, $37, $38::text, $39::text, $40::text,
      $41::uuid, $42::jsonb , $43
    from "session"
  )
select "membership".role, array(select distinct r.key from member_roles h join organization_roles r on r.id =
  h.role_id where h.organization_id = "membership".organization_id and h.user_id = $44::uuid order by r.key)
  as "roleKeys", array(select distinct p from member_roles h join organization_roles r on r.id = h.role_id
  cross join unnest(r.permissions) p where h.organization_id = "membership".organization_id and h.user_id =
  $45::uuid order by p) as granted, exists (select from sessions where user_id = $46 and not
  organization_bound and revoked_at is null and expires_at > $47 offset $48) as "hasSurplus", false as
  "hasNotice"
from "membership", "session";
