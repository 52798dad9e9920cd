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
    insert into mailed_tokens (token_hash, purpose, user_id, user_email_id, issued_by, redirect_to,
      expires_at, created_at)
    select $24::bytea, $25::text, $26::uuid, $27::uuid, $28::uuid, $29::text, $30::timestamptz,
      $31::timestamptz
    from "account"
    on conflict (user_id, purpose) do update
    set token_hash = excluded.token_hash, user_email_id = excluded.user_email_id, issued_by =
      excluded.issued_by, redirect_to = excluded.redirect_to, expires_at = excluded.expires_at, consumed_at =
      null, created_at = excluded.created_at
  ),
  "email" as (
    insert into outbox (id, sealed_letter, kind, address_hash, network, held, merged, next_attempt_at,
      expires_at, created_at)
    select $32::uuid, $33::bytea, $34::text, $35::text, $36::text, queued.is_held, queued.merged_count,
      queued.due_at, $37::timestamptz, cause.at
    from (select $38::timestamptz as at from "account" offset 0) cause cross
    join lateral queue_email($39::uuid, $40::text, $41::text, $42::text, cause.at, $43::timestamptz,
      $44::integer, $45::interval, $46::integer, $47::interval, $48::integer, $49::interval) queued
  ),
  "session" as (
    insert into sessions (id, user_id, organization_id, auth_method, email_claim, aal, auth_time,
      mfa_verified_at, refresh_jti, access_jti, rotated_at, expires_at, ends_at, ip_address, user_agent,
      created_at, mfa_token_jti, control_proven, organization_bound, sso_connection_id, sso_subject_hash,
      sso_session_index, sso_name_id_hash, sealed_sso_name_id, identity_provider, phishing_resistant)
    select $50::uuid, $51::uuid, $52::uuid, $53, $54::text, $55, $56::timestamptz, $57::timestamptz,
      $58::uuid, $59::uuid, $60::timestamptz, $61::timestamptz, $62::timestamptz, $63::text, $64::text,
      $65::timestamptz, $66::uuid, $67::boolean, $68::boolean, $69::uuid, $70::bytea, $71::text, $72::bytea,
      $73::bytea, $74::text, $75::boolean
    from "account"
    returning id
  ),
  "audit" as (
    insert into audit_logs (event_id, timestamp, organization_id, actor_id, actor_type, action, resource_type,
      resource_id, ip_address, user_agent, request_id, metadata, outcome)
    select $76::uuid, $77::timestamptz, $78::uuid, $79::uuid, $80, $81, $82, $83::text, $84::text, $85::text,
      $86::uuid, $87::jsonb , $88
    from "session"
  )
select "membership".role, array(select distinct r.key from member_roles h join organization_roles r on r.id =
  h.role_id where h.organization_id = "membership".organization_id and h.user_id = $89::uuid order by r.key)
  as "roleKeys", array(select distinct p from member_roles h join organization_roles r on r.id = h.role_id
  cross join unnest(r.permissions) p where h.organization_id = "membership".organization_id and h.user_id =
  $90::uuid order by p) as granted, exists (select from sessions where user_id = $91 and not
  organization_bound and revoked_at is null and expires_at > $92 offset $93) as "hasSurplus", false as
  "hasNotice"
from "membership", "session";
