-- mfa.find_challenged
select u.id as "userId", u.email, u.display_name as "displayName", u.locale, u.time_zone as "timeZone",
  u.disabled_at is not null as disabled, u.credentials_epoch as "credentialsEpoch", u.controlled_at is not
  null as "isMailboxOwner", t.sealed_secret as "sealedSecret", t.last_step::float8 as "lastStep", r.user_id is
  not null as "recoveryCodeLive", greatest(case when case when f.hour_started_at > $1::timestamptz then
  f.hour_count else 0 end >= $2 then f.hour_started_at + $3 * interval '1 ms' end, case when case when
  f.day_started_at > $4::timestamptz then f.day_count else 0 end >= $5 then f.day_started_at + $6 * interval
  '1 ms' end) as "lockedUntil"
from users u
left join totp_factors t on t.user_id = u.id and t.confirmed_at is not null
left join recovery_codes r on r.user_id = u.id and r.code_hash = $7::bytea and r.used_at is null
left join failed_attempts f on f.user_id = u.id and f.kind = 'second_factor'
where u.id = $8;

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
  "allowed" as (
    insert into failed_attempts as f (user_id, kind, hour_started_at, hour_count, day_started_at, day_count)
    select $14::uuid, $15, $16::timestamptz, 0, $17::timestamptz, 0
    from (select u.id from "membership", users u where u.id = $18 and u.disabled_at is null and
      u.credentials_epoch = $19 for no key update of u) locked_user
    on conflict (user_id, kind) do update
    set hour_count = f.hour_count
    where case when f.hour_started_at > $20::timestamptz then f.hour_count else 0 end < $21 and case when
      f.day_started_at > $22::timestamptz then f.day_count else 0 end < $23
    returning f.user_id
  ),
  "consumed" as (
    update totp_factors
    set last_step = $24
    where user_id = $25 and confirmed_at is not null and (last_step is null or last_step < $26) and exists
      (select 1 from "allowed")
    returning user_id
  ),
  "account" as (
    update users u
    set last_login_at = $27, last_organization_id = $28
    from "membership", "consumed"
    where u.id = $29 and u.disabled_at is null and u.credentials_epoch = $30
    returning u.id
  ),
  "new_browser" as (
    insert into sign_in_notices (user_id, browser_hash, token_hash, signed_in_at, expires_at)
    select "account".id, $31::bytea, $32::bytea, $33::timestamptz, $34::timestamptz
    from "account"
    join users u on u.id = "account".id
    where (u.last_login_at > u.created_at or exists (select 1 from sessions where user_id = $35)) and not
      exists (select 1 from sessions s where s.user_id = $36 and s.revoked_reason is distinct from $37 and
      s.user_agent is not distinct from $38::text)
    on conflict (user_id, browser_hash) do update
    set token_hash = excluded.token_hash, signed_in_at = excluded.signed_in_at, expires_at =
      excluded.expires_at
    where sign_in_notices.token_hash is null or sign_in_notices.expires_at <= excluded.signed_in_at
    returning user_id
  ),
  "new_browser_notice" as (
    insert into outbox (id, sealed_letter, kind, address_hash, network, held, merged, next_attempt_at,
      expires_at, created_at)
    select $39::uuid, $40::bytea, $41::text, $42::text, $43::text, queued.is_held, queued.merged_count,
      queued.due_at, $44::timestamptz, cause.at
    from (select $45::timestamptz as at from "new_browser" offset 0) cause cross
    join lateral queue_email($46::uuid, $47::text, $48::text, $49::text, cause.at, $50::timestamptz,
      $51::integer, $52::interval, $53::integer, $54::interval, $55::integer, $56::interval) queued
  ),
  "session" as (
    insert into sessions (id, user_id, organization_id, auth_method, email_claim, aal, auth_time,
      mfa_verified_at, refresh_jti, access_jti, rotated_at, expires_at, ends_at, ip_address, user_agent,
      created_at, mfa_token_jti, control_proven, organization_bound, sso_connection_id, sso_subject_hash,
      sso_session_index, sso_name_id_hash, sealed_sso_name_id, identity_provider, phishing_resistant)
    select $57::uuid, $58::uuid, $59::uuid, $60, $61::text, $62, $63::timestamptz, $64::timestamptz,
      $65::uuid, $66::uuid, $67::timestamptz, $68::timestamptz, $69::timestamptz, $70::text, $71::text,
      $72::timestamptz, $73::uuid, $74::boolean, $75::boolean, $76::uuid, $77::bytea, $78::text, $79::bytea,
      $80::bytea, $81::text, $82::boolean
    from "account"
    returning id
  ),
  "audit" as (
    insert into audit_logs (event_id, timestamp, organization_id, actor_id, actor_type, action, resource_type,
      resource_id, ip_address, user_agent, request_id, metadata, outcome)
    select $83::uuid, $84::timestamptz, $85::uuid, $86::uuid, $87, $88, $89, $90::text, $91::text, $92::text,
      $93::uuid, $94::jsonb , $95
    from "session"
  )
select "membership".role, array(select distinct r.key from member_roles h join organization_roles r on r.id =
  h.role_id where h.organization_id = "membership".organization_id and h.user_id = $96::uuid order by r.key)
  as "roleKeys", array(select distinct p from member_roles h join organization_roles r on r.id = h.role_id
  cross join unnest(r.permissions) p where h.organization_id = "membership".organization_id and h.user_id =
  $97::uuid order by p) as granted, exists (select from sessions where user_id = $98 and not
  organization_bound and revoked_at is null and expires_at > $99 offset $100) as "hasSurplus", exists (select
  1 from "new_browser") as "hasNotice"
from "membership", "session";
