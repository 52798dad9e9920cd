-- invitation.find_offered
select i.id, i.organization_id as "organizationId", i.email, i.role, case when i.accepted_at is not null then
  'accepted' when i.revoked_at is not null then 'revoked' when i.expires_at <= $1 then 'expired' else
  'pending' end as status, i.invited_by as "invitedBy", i.sent_by as "sentBy", i.created_at as "createdAt",
  i.expires_at as "expiresAt", o.name as "organizationName", o.slug as "organizationSlug", o.suspended_at is
  not null as suspended, coalesce(h.display_name, h.email) as "invitedByName", case when i.sent_by =
  'organization' then 'admin' when h.disabled_at is not null then null when h.platform_role in ('admin',
  'owner') then 'owner' else m.role end as "inviterRole", u.id as "accountId", u.disabled_at is not null or
  exists (select 1 from members um join organizations uo on uo.id = um.organization_id where um.user_id = u.id
  and uo.suspended_at is null) as "signInRequired"
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
    with by_membership as (select m.user_id from members m join users u on u.id = m.user_id join organizations
      o on o.id = m.organization_id where m.organization_id = $1 and m.user_id = any($2::uuid[]) and m.role =
      any($3::text[]) and u.disabled_at is null and o.suspended_at is null order by (m.role = 'owner') desc,
      m.user_id for share of m, u for key share of o), by_platform as (select u.id as user_id from users u
      join organizations o on o.id = $4 where u.id = any($5::uuid[]) and u.platform_role in ('admin', 'owner')
      and u.disabled_at is null and o.suspended_at is null order by u.id for share of u for key share of o)
    select user_id
    from by_membership union
    select user_id
    from by_platform
  ),
  "consumed" as (
    update invitations i
    set accepted_at = $6
    from "inviter"
    where i.id = $7 and i.token_hash = $8 and i.invited_by is not distinct
    from "inviter".user_id and (i.invited_by is not null or i.sent_by = 'organization') and i.accepted_at is
      null and i.revoked_at is null and i.expires_at > $9
    returning i.organization_id, i.role
  ),
  "account" as (
    insert into users (id, email, email_verified_at, controlled_at, password_hash, last_password_change,
      display_name, locale, last_login_at, last_organization_id, managed_by, created_at, updated_at)
    select $10::uuid, $11, $12::timestamptz, $13::timestamptz, $14::text, $15::timestamptz, $16::text,
      $17::text, $18::timestamptz, $19::uuid, $20::uuid, $21::timestamptz, $22::timestamptz
    from "consumed"
    returning id
  ),
  "membership" as (
    insert into members (organization_id, user_id, role, joined_at)
    select "consumed".organization_id, $23::uuid, "consumed".role, $24::timestamptz
    from "consumed"
    returning organization_id, role
  ),
  "session" as (
    insert into sessions (id, user_id, organization_id, auth_method, email_claim, aal, auth_time,
      mfa_verified_at, refresh_jti, access_jti, rotated_at, expires_at, ends_at, ip_address, user_agent,
      created_at, mfa_token_jti, control_proven, organization_bound, sso_connection_id, sso_subject_hash,
      sso_session_index)
    select $25::uuid, $26::uuid, $27::uuid, $28, $29::text, $30, $31::timestamptz, $32::timestamptz,
      $33::uuid, $34::uuid, $35::timestamptz, $36::timestamptz, $37::timestamptz, $38::text, $39::text,
      $40::timestamptz, $41::uuid, $42::boolean, $43::boolean, $44::uuid, $45::bytea, $46::text
    from "account"
    returning id
  ),
  "audit" as (
    insert into audit_logs (event_id, timestamp, organization_id, actor_id, actor_type, action, resource_type,
      resource_id, ip_address, user_agent, request_id, metadata, outcome)
    select $47::uuid, $48::timestamptz, $49::uuid, $50::uuid, $51, $52, $53, $54::text, $55::text, $56::text,
      $57::uuid, $58::jsonb , $59
    from "session"
  )
select "membership".role, exists (select from sessions where user_id = $60 and not organization_bound and
  revoked_at is null and expires_at > $61 offset $62) as "hasSurplus", false as "hasNotice"
from "membership", "session";
