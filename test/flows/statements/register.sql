-- user.email_is_taken
select 1
from user_emails e
where e.email = $1 and (e."primary" or e.verified_at is not null) union all
select 1
from email_reservations
where email = $2 and expires_at > $3;

-- organization.taken_slugs
select c.slug
from unnest($1::text[]) c (slug)
where exists (select 1 from organizations o where o.slug = c.slug) or exists (select 1 from released_slugs r
  where r.slug_hash = sha256(convert_to(c.slug, 'UTF8')));

-- sign_in.finish
with
  "organization" as (
    insert into organizations (id, name, slug, tier, created_at, updated_at)
    values ($1, $2, $3, $4, $5, $6)
    returning id
  ),
  "account" as (
    insert into users (id, email, email_verified_at, controlled_at, password_hash, last_password_change,
      display_name, locale, last_login_at, last_organization_id, managed_by, created_at, updated_at)
    select $7::uuid, $8, $9::timestamptz, $10::timestamptz, $11::text, $12::timestamptz, $13::text, $14::text,
      $15::timestamptz, $16::uuid, $17::uuid, $18::timestamptz, $19::timestamptz
    returning id
  ),
  "membership" as (
    insert into members (organization_id, user_id, role, joined_at)
    values ($20, $21, $22, $23)
    returning organization_id, role
  ),
  "verification" as (
    insert into mailed_tokens (token_hash, purpose, user_id, user_email_id, expires_at, created_at)
    select $24::bytea, $25::text, $26::uuid, $27::uuid, $28::timestamptz, $29::timestamptz
    from "account"
    on conflict (user_id, purpose) do update
    set token_hash = excluded.token_hash, user_email_id = excluded.user_email_id, expires_at =
      excluded.expires_at, consumed_at = null, created_at = excluded.created_at
  ),
  "email" as (
    insert into outbox (id, sealed_letter, kind, address_hash, network, held, merged, next_attempt_at,
      expires_at, created_at)
    select $30::uuid, $31::bytea, $32::text, $33::text, $34::text, queued.is_held, queued.merged_count,
      queued.due_at, $35::timestamptz, cause.at
    from (select $36::timestamptz as at from "account" offset 0) cause cross
    join lateral queue_email($37::uuid, $38::text, $39::text, $40::text, cause.at, $41::timestamptz,
      $42::integer, $43::interval, $44::integer, $45::interval, $46::integer, $47::interval) queued
  ),
  "session" as (
    insert into sessions (id, user_id, organization_id, auth_method, email_claim, aal, auth_time,
      mfa_verified_at, refresh_jti, access_jti, rotated_at, expires_at, ends_at, ip_address, user_agent,
      created_at, mfa_token_jti, control_proven, organization_bound, sso_connection_id, sso_subject_hash,
      sso_session_index, sso_name_id_hash, sealed_sso_name_id, identity_provider, phishing_resistant)
    select $48::uuid, $49::uuid, $50::uuid, $51, $52::text, $53, $54::timestamptz, $55::timestamptz,
      $56::uuid, $57::uuid, $58::timestamptz, $59::timestamptz, $60::timestamptz, $61::text, $62::text,
      $63::timestamptz, $64::uuid, $65::boolean, $66::boolean, $67::uuid, $68::bytea, $69::text, $70::bytea,
      $71::bytea, $72::text, $73::boolean
    from "account"
    returning id
  ),
  "audit" as (
    insert into audit_logs (event_id, timestamp, organization_id, actor_id, actor_type, action, resource_type,
      resource_id, ip_address, user_agent, request_id, metadata, outcome)
    select $74::uuid, $75::timestamptz, $76::uuid, $77::uuid, $78, $79, $80, $81::text, $82::text, $83::text,
      $84::uuid, $85::jsonb , $86
    from "session"
  )
select "membership".role, array(select distinct r.key from member_roles h join organization_roles r on r.id =
  h.role_id where h.organization_id = "membership".organization_id and h.user_id = $87::uuid order by r.key)
  as "roleKeys", array(select distinct p from member_roles h join organization_roles r on r.id = h.role_id
  cross join unnest(r.permissions) p where h.organization_id = "membership".organization_id and h.user_id =
  $88::uuid order by p) as granted, exists (select from sessions where user_id = $89 and not
  organization_bound and revoked_at is null and expires_at > $90 offset $91) as "hasSurplus", false as
  "hasNotice"
from "membership", "session";
