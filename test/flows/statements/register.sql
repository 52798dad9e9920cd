-- user.email_is_taken
select 1
from user_emails e
where e.email = $1 and (e."primary" or e.verified_at is not null) union all
select 1
from email_reservations
where email = $2 and expires_at > $3;

-- organization.taken_slugs
select slug
from organizations
where slug = any($1);

-- sign_in.finish
with
  "organization" as (
    insert into organizations (id, name, slug, tier, created_at, updated_at)
    values ($1, $2, $3, $4, $5, $6)
    returning id
  ),
  "account" as (
    insert into users (id, email, email_verified_at, controlled_at, password_hash, last_password_change,
      display_name, locale, last_login_at, last_organization_id, created_at, updated_at)
    select $7::uuid, $8, $9::timestamptz, $10::timestamptz, $11::text, $12::timestamptz, $13::text, $14::text,
      $15::timestamptz, $16::uuid, $17::timestamptz, $18::timestamptz
    returning id
  ),
  "membership" as (
    insert into members (organization_id, user_id, role, joined_at)
    values ($19, $20, $21, $22)
    returning organization_id, role
  ),
  "verification" as (
    insert into mailed_tokens (token_hash, purpose, user_id, user_email_id, expires_at, created_at)
    select $23::bytea, $24::text, $25::uuid, $26::uuid, $27::timestamptz, $28::timestamptz
    from "account"
    on conflict (user_id, purpose) do update
    set token_hash = excluded.token_hash, user_email_id = excluded.user_email_id, expires_at =
      excluded.expires_at, consumed_at = null, created_at = excluded.created_at
  ),
  "email" as (
    insert into outbox (id, sealed_letter, kind, address_hash, network, held, merged, next_attempt_at,
      expires_at, created_at)
    select $29::uuid, $30::bytea, $31::text, $32::text, $33::text, queued.is_held, queued.merged_count,
      queued.due_at, $34::timestamptz, cause.at
    from (select $35::timestamptz as at from "account" offset 0) cause cross
    join lateral queue_email($36::uuid, $37::text, $38::text, $39::text, cause.at, $40::timestamptz,
      $41::integer, $42::interval, $43::integer, $44::interval, $45::integer, $46::interval) queued
  ),
  "session" as (
    insert into sessions (id, user_id, organization_id, auth_method, email_claim, aal, auth_time,
      mfa_verified_at, refresh_jti, access_jti, rotated_at, expires_at, ends_at, ip_address, user_agent,
      created_at, mfa_token_jti, control_proven)
    select $47::uuid, $48::uuid, $49::uuid, $50, $51::text, $52, $53::timestamptz, $54::timestamptz,
      $55::uuid, $56::uuid, $57::timestamptz, $58::timestamptz, $59::timestamptz, $60::text, $61::text,
      $62::timestamptz, $63::uuid, $64::boolean
    from "account"
    returning id
  ),
  "audit" as (
    insert into audit_logs (event_id, timestamp, organization_id, actor_id, actor_type, action, resource_type,
      resource_id, ip_address, user_agent, request_id, metadata, outcome)
    select $65::uuid, $66::timestamptz, $67::uuid, $68::uuid, $69, $70, $71, $72::text, $73::text, $74::text,
      $75::uuid, $76::jsonb , $77
    from "session"
  )
select "membership".role, exists (select from sessions where user_id = $78 and revoked_at is null and
  expires_at > $79 offset $80) as "hasSurplus", false as "hasNotice"
from "membership", "session";
