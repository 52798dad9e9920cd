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
  "new_browser" as (
    insert into sign_in_notices (user_id, browser_hash, token_hash, signed_in_at, expires_at)
    select "account".id, $9::bytea, $10::bytea, $11::timestamptz, $12::timestamptz
    from "account"
    join users u on u.id = "account".id
    where (u.last_login_at > u.created_at or exists (select 1 from sessions where user_id = $13)) and not
      exists (select 1 from sessions s where s.user_id = $14 and s.revoked_reason is distinct from $15 and
      s.user_agent is not distinct from $16::text)
    on conflict (user_id, browser_hash) do update
    set token_hash = excluded.token_hash, signed_in_at = excluded.signed_in_at, expires_at =
      excluded.expires_at
    where sign_in_notices.token_hash is null or sign_in_notices.expires_at <= excluded.signed_in_at
    returning user_id
  ),
  "new_browser_notice" as (
    insert into outbox (id, sealed_letter, kind, address_hash, network, held, merged, next_attempt_at,
      expires_at, created_at)
    select $17::uuid, $18::bytea, $19::text, $20::text, $21::text, queued.is_held, queued.merged_count,
      queued.due_at, $22::timestamptz, cause.at
    from (select $23::timestamptz as at from "new_browser" offset 0) cause cross
    join lateral queue_email($24::uuid, $25::text, $26::text, $27::text, cause.at, $28::timestamptz,
      $29::integer, $30::interval, $31::integer, $32::interval, $33::integer, $34::interval) queued
  ),
  "session" as (
    insert into sessions (id, user_id, organization_id, auth_method, email_claim, aal, auth_time,
      mfa_verified_at, refresh_jti, access_jti, rotated_at, expires_at, ends_at, ip_address, user_agent,
      created_at, mfa_token_jti, control_proven, organization_bound, sso_connection_id, sso_subject_hash,
      sso_session_index)
    select $35::uuid, $36::uuid, $37::uuid, $38, $39::text, $40, $41::timestamptz, $42::timestamptz,
      $43::uuid, $44::uuid, $45::timestamptz, $46::timestamptz, $47::timestamptz, $48::text, $49::text,
      $50::timestamptz, $51::uuid, $52::boolean, $53::boolean, $54::uuid, $55::bytea, $56::text
    from "account"
    returning id
  ),
  "audit" as (
    insert into audit_logs (event_id, timestamp, organization_id, actor_id, actor_type, action, resource_type,
      resource_id, ip_address, user_agent, request_id, metadata, outcome)
    select $57::uuid, $58::timestamptz, $59::uuid, $60::uuid, $61, $62, $63, $64::text, $65::text, $66::text,
      $67::uuid, $68::jsonb , $69
    from "session"
  )
select "membership".role, array(select distinct r.key from member_roles h join organization_roles r on r.id =
  h.role_id where h.organization_id = "membership".organization_id and h.user_id = $70::uuid order by r.key)
  as "roleKeys", array(select distinct p from member_roles h join organization_roles r on r.id = h.role_id
  cross join unnest(r.permissions) p where h.organization_id = "membership".organization_id and h.user_id =
  $71::uuid order by p) as granted, exists (select from sessions where user_id = $72 and not
  organization_bound and revoked_at is null and expires_at > $73 offset $74) as "hasSurplus", exists (select 1
  from "new_browser") as "hasNotice"
from "membership", "session";
