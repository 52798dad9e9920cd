-- user.email_is_taken
select 1
from users
where email = $1;

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
    insert into mailed_tokens (token_hash, purpose, user_id, expires_at, created_at)
    select $23::bytea, $24::text, $25::uuid, $26::timestamptz, $27::timestamptz
    from "account"
    on conflict (user_id, purpose) do update
    set token_hash = excluded.token_hash, expires_at = excluded.expires_at, consumed_at = null, created_at =
      excluded.created_at
  ),
  "email" as (
    insert into outbox (id, sealed_letter, kind, address_hash, network, held, merged, next_attempt_at,
      expires_at, created_at)
    select $28::uuid, $29::bytea, $30::text, $31::text, $32::text, queued.is_held, queued.merged_count,
      queued.due_at, $33::timestamptz, cause.at
    from (select $34::timestamptz as at from "account" offset 0) cause cross
    join lateral queue_email($35::uuid, $36::text, $37::text, $38::text, cause.at, $39::timestamptz,
      $40::integer, $41::interval, $42::integer, $43::interval, $44::integer, $45::interval) queued
  ),
  "session" as (
    insert into sessions (id, user_id, organization_id, auth_method, email_claim, aal, auth_time,
      mfa_verified_at, refresh_jti, access_jti, rotated_at, expires_at, ends_at, ip_address, user_agent,
      created_at, mfa_token_jti, control_proven)
    select $46::uuid, $47::uuid, $48::uuid, $49, $50::text, $51, $52::timestamptz, $53::timestamptz,
      $54::uuid, $55::uuid, $56::timestamptz, $57::timestamptz, $58::timestamptz, $59::text, $60::text,
      $61::timestamptz, $62::uuid, $63::boolean
    from "account"
    returning id
  ),
  "audit" as (
    insert into audit_logs (event_id, timestamp, organization_id, actor_id, actor_type, action, resource_type,
      resource_id, ip_address, user_agent, request_id, metadata, outcome)
    select $64::uuid, $65::timestamptz, $66::uuid, $67::uuid, $68, $69, $70, $71::text, $72::text, $73::text,
      $74::uuid, $75::jsonb , $76
    from "session"
  )
select "membership".role, exists (select from sessions where user_id = $77 and revoked_at is null and
  expires_at > $78 offset $79) as "hasSurplus"
from "membership", "session";
