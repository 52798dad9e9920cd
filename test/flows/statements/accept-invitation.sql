-- invitation.find_offered
select i.id, i.organization_id as "organizationId", i.email, i.role, i.role_ids as "roleIds", case when
  i.accepted_at is not null then 'accepted' when i.revoked_at is not null then 'revoked' when i.expires_at <=
  $1 then 'expired' else 'pending' end as status, i.invited_by as "invitedBy", i.sent_by as "sentBy",
  i.created_at as "createdAt", i.expires_at as "expiresAt", o.name as "organizationName", o.slug as
  "organizationSlug", o.suspended_at is not null as suspended, coalesce(h.display_name, h.email) as
  "invitedByName", case when i.sent_by = 'organization' then 'admin' when h.disabled_at is not null then null
  when h.platform_role in ('admin', 'owner') then 'owner' else m.role end as "inviterRole", array(select
  distinct p from member_roles a join organization_roles r on r.id = a.role_id cross join
  unnest(r.permissions) p where a.organization_id = m.organization_id and a.user_id = m.user_id) as
  "inviterGranted", u.id as "accountId", i.delivery = 'link' as "isLink", u.disabled_at is not null or
  (i.delivery = 'link' and u.platform_role is not null) or exists (select 1 from members um join organizations
  uo on uo.id = um.organization_id where um.user_id = u.id and uo.suspended_at is null and
  (organization_access(u.id, uo.id, false, null, null, 'aal2', true, $2::timestamptz, $3::timestamptz,
  $4::timestamptz)).access_until > $5::timestamptz) as "signInRequired"
from invitations i
join organizations o on o.id = i.organization_id
left join users h on h.id = i.invited_by
left join members m on m.organization_id = i.organization_id and m.user_id = i.invited_by
left join user_emails e on e.email = i.email and (e."primary" or e.verified_at is not null)
left join users u on u.id = e.user_id
where i.token_hash = $6 and (i.delivery = 'mail' or exists (select 1 from service_accounts a left join
  organizations o on o.id = a.organization_id where o.suspended_at is null and (exists (select 1 from api_keys
  k where k.id = i.created_by_credential and k.service_account_id = a.id and k.revoked_at is null and
  k.expires_at > $7) or exists (select 1 from service_account_trusts r where r.id = i.created_by_credential
  and r.service_account_id = a.id and not r.disabled and i.expires_at - make_interval(secs => $8) >
  coalesce(r.tokens_valid_from, '-infinity')))));

-- sso_policy.requires
select 1
from sso_policies p
where p.organization_id = $1 and p.mode = 'required' and coalesce(p.required_at, '-infinity') <= $2 and
  coalesce(p.paused_until, '-infinity') <= $3 and (p.guests = 'required' or sso_access_until($4::uuid,
  p.organization_id, false, 'aal1', $5) <= $6 or exists (select 1 from organization_domains d where
  d.organization_id = p.organization_id and d.status in ('verified', 'failing') and d.domain =
  address_domain($7)));

-- organization_policy.find
select p.settings, p.policies_at as "policiesAt", p.previous, p.revision, p.updated_at as "updatedAt"
from organization_policies p
where p.organization_id = $1;

-- organization_policy.find_password_rules
select max((f.settings ->> 'passwordMinLength')::integer) as "minLength", coalesce(bool_or((f.settings ->>
  'passwordCheck')::boolean), false) as "check"
from organization_policies p cross
join lateral (select case when p.policies_at <= $1 then p.settings else p.previous end) f (settings)
where p.organization_id = any($2::uuid[]);

-- sign_in.insert_controlled_user
with
  "inviter" as (
    with by_membership as (select m.user_id from members m join users u on u.id = m.user_id join organizations
      o on o.id = m.organization_id where m.organization_id = $1 and m.user_id = any($2::uuid[]) and m.role =
      any($3::text[]) and (m.role = any($4::text[]) or exists (select 1 from member_roles h join
      organization_roles r on r.id = h.role_id where h.organization_id = m.organization_id and h.user_id =
      m.user_id and $5::text = any(r.permissions))) and u.disabled_at is null and o.suspended_at is null order
      by (m.role = 'owner') desc, m.user_id for share of m, u for key share of o), by_platform as (select u.id
      as user_id from users u join organizations o on o.id = $6 where u.id = any($7::uuid[]) and
      u.platform_role in ('admin', 'owner') and u.disabled_at is null and o.suspended_at is null order by u.id
      for share of u for key share of o)
    select user_id
    from by_membership union
    select user_id
    from by_platform
  ),
  "consumed" as (
    update invitations i
    set accepted_at = $8
    from "inviter"
    where i.id = $9 and i.token_hash = $10 and i.invited_by is not distinct
    from "inviter".user_id and (i.invited_by is not null or i.sent_by = 'organization') and i.accepted_at is
      null and i.revoked_at is null and i.expires_at > $11
    returning i.organization_id, i.role, i.role_ids, i.invited_by
  ),
  "account" as (
    insert into users (id, email, email_verified_at, controlled_at, password_hash, last_password_change,
      display_name, locale, last_login_at, last_organization_id, managed_by, created_at, updated_at)
    select $12::uuid, $13, $14::timestamptz, $15::timestamptz, $16::text, $17::timestamptz, $18::text,
      $19::text, $20::timestamptz, $21::uuid, $22::uuid, $23::timestamptz, $24::timestamptz
    from "consumed"
    returning id
  ),
  "membership" as (
    insert into members (organization_id, user_id, role, joined_at)
    select "consumed".organization_id, $25::uuid, "consumed".role, $26::timestamptz
    from "consumed"
    returning organization_id, role
  ),
  "session" as (
    insert into sessions (id, user_id, organization_id, auth_method, email_claim, aal, auth_time,
      mfa_verified_at, refresh_jti, access_jti, rotated_at, expires_at, ends_at, ip_address, user_agent,
      created_at, mfa_token_jti, control_proven, organization_bound, sso_connection_id, sso_subject_hash,
      sso_session_index, sso_name_id_hash, sealed_sso_name_id, identity_provider, phishing_resistant)
    select $27::uuid, $28::uuid, $29::uuid, $30, $31::text, $32, $33::timestamptz, $34::timestamptz,
      $35::uuid, $36::uuid, $37::timestamptz, $38::timestamptz, $39::timestamptz, $40::text, $41::text,
      $42::timestamptz, $43::uuid, $44::boolean, $45::boolean, $46::uuid, $47::bytea, $48::text, $49::bytea,
      $50::bytea, $51::text, $52::boolean
    from "account"
    returning id
  ),
  "audit" as (
    insert into audit_logs (event_id, timestamp, organization_id, actor_id, actor_type, action, resource_type,
      resource_id, ip_address, user_agent, request_id, metadata, outcome)
    select $53::uuid, $54::timestamptz, $55::uuid, $56::uuid, $57, $58, $59, $60::text, $61::text, $62::text,
      $63::uuid, $64::jsonb , $65
    from "session"
  )
select "membership".role, array(select distinct r.key from member_roles h join organization_roles r on r.id =
  h.role_id where h.organization_id = "membership".organization_id and h.user_id = $66::uuid order by r.key)
  as "roleKeys", array(select distinct p from member_roles h join organization_roles r on r.id = h.role_id
  cross join unnest(r.permissions) p where h.organization_id = "membership".organization_id and h.user_id =
  $67::uuid order by p) as granted, exists (select from sessions where user_id = $68 and not
  organization_bound and revoked_at is null and expires_at > $69 offset $70) as "hasSurplus", false as
  "hasNotice"
from "membership", "session";

-- member_removal.lift
select email
from user_emails
where user_id = $1 and controlled_at is not null and ("primary" or verified_at is not null);

-- member_removal.lift
delete
from member_removals r
where r.organization_id = $1 and (r.user_id = $2::uuid or r.address_hashes && $3::text[]);
