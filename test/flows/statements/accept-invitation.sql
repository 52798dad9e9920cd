-- invitation.find_offered
select i.id, i.organization_id as "organizationId", i.email, i.role, case when i.accepted_at is not null then
  'accepted' when i.revoked_at is not null then 'revoked' when i.expires_at <= $1 then 'expired' else
  'pending' end as status, i.invited_by as "invitedBy", i.created_at as "createdAt", i.expires_at as
  "expiresAt", o.name as "organizationName", o.slug as "organizationSlug", o.suspended_at is not null as
  suspended, coalesce(h.display_name, h.email) as "invitedByName", case when h.disabled_at is null then m.role
  end as "inviterRole", u.id as "accountId", u.disabled_at is not null or exists (select 1 from members um
  join organizations uo on uo.id = um.organization_id where um.user_id = u.id and uo.suspended_at is null) as
  "signInRequired"
from invitations i
join organizations o on o.id = i.organization_id
left join users h on h.id = i.invited_by
left join members m on m.organization_id = i.organization_id and m.user_id = i.invited_by
left join user_emails e on e.email = i.email and (e."primary" or e.verified_at is not null)
left join users u on u.id = e.user_id
where i.token_hash = $2;

-- sign_in.insert_controlled_user
with
  "inviter" as (
    select m.user_id
    from members m
    join users u on u.id = m.user_id
    join organizations o on o.id = m.organization_id
    where m.organization_id = $1 and m.user_id = any($2::uuid[]) and m.role = any($3::text[]) and
      u.disabled_at is null and o.suspended_at is null
    order by (m.role = 'owner') desc, m.user_id
    for share of m, u
    for key share of o
  ),
  "consumed" as (
    update invitations i
    set accepted_at = $4
    from "inviter"
    where i.id = $5 and i.token_hash = $6 and i.invited_by = "inviter".user_id and i.accepted_at is null and
      i.revoked_at is null and i.expires_at > $7
    returning i.organization_id, i.role
  ),
  "account" as (
    insert into users (id, email, email_verified_at, controlled_at, password_hash, last_password_change,
      display_name, locale, last_login_at, last_organization_id, created_at, updated_at)
    select $8::uuid, $9, $10::timestamptz, $11::timestamptz, $12::text, $13::timestamptz, $14::text,
      $15::text, $16::timestamptz, $17::uuid, $18::timestamptz, $19::timestamptz
    from "consumed"
    returning id
  ),
  "membership" as (
    insert into members (organization_id, user_id, role, joined_at)
    select "consumed".organization_id, $20::uuid, "consumed".role, $21::timestamptz
    from "consumed"
    returning organization_id, role
  ),
  "session" as (
    insert into sessions (id, user_id, organization_id, auth_method, email_claim, aal, auth_time,
      mfa_verified_at, refresh_jti, access_jti, rotated_at, expires_at, ends_at, ip_address, user_agent,
      created_at, mfa_token_jti, control_proven)
    select $22::uuid, $23::uuid, $24::uuid, $25, $26::text, $27, $28::timestamptz, $29::timestamptz,
      $30::uuid, $31::uuid, $32::timestamptz, $33::timestamptz, $34::timestamptz, $35::text, $36::text,
      $37::timestamptz, $38::uuid, $39::boolean
    from "account"
    returning id
  ),
  "audit" as (
    insert into audit_logs (event_id, timestamp, organization_id, actor_id, actor_type, action, resource_type,
      resource_id, ip_address, user_agent, request_id, metadata, outcome)
    select $40::uuid, $41::timestamptz, $42::uuid, $43::uuid, $44, $45, $46, $47::text, $48::text, $49::text,
      $50::uuid, $51::jsonb , $52
    from "session"
  )
select "membership".role, exists (select from sessions where user_id = $53 and revoked_at is null and
  expires_at > $54 offset $55) as "hasSurplus"
from "membership", "session";
