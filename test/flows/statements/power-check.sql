-- lease.take
insert into leases (name, holder, expires_at)
values ($1, $2, now() + make_interval(secs => $3))
on conflict (name) do update
set holder = excluded.holder, expires_at = excluded.expires_at
where leases.holder = $4 or leases.expires_at <= now() or leases.expires_at > now() + 2 * make_interval(secs
  => $5)
returning now() as now;

-- power_check.find_activators
select 1
from sso_connections c
left join users person on person.id = c.activated_by
left join members pm on pm.user_id = person.id and pm.organization_id = $1
where c.organization_id = $2 and c.status = 'active' and not (coalesce(pm.role, '') = 'owner' and
  coalesce(c.set_up_power ->> 'role', 'owner') = 'owner') limit 1;

-- power_check.list_members
select p.user_id as "userId"
from members p
where p.organization_id = $1 and p.user_id > $2 and (p.role <> 'member' or exists (select 1 from member_roles
  h where h.organization_id = p.organization_id and h.user_id = p.user_id))
order by p.user_id limit $3;

-- lease.take
insert into leases (name, holder, expires_at)
values ($1, $2, now() + make_interval(secs => $3))
on conflict (name) do update
set holder = excluded.holder, expires_at = excluded.expires_at
where leases.holder = $4 or leases.expires_at <= now() or leases.expires_at > now() + 2 * make_interval(secs
  => $5)
returning now() as now;

-- power_check.end_sessions
select 1
from power_checks
where organization_id = $1 and xid = any($2::text[]::xid8[])
order by xid
for update skip locked;

-- power_check.end_sessions
with
  reach as (
    select i.connection_id, i.user_id
    from sso_identities i
    where i.user_id = any($1::uuid[]) union
    select s.sso_connection_id, s.user_id
    from sessions s
    where s.user_id = any($2::uuid[]) and s.organization_id = $3 and s.organization_bound and s.revoked_at is
      null and s.expires_at > $4
  )
select r.user_id as "userId", um.role as "memberRole", power.granted as "memberGranted", k.kept_power as
  "memberKept", c.id, c.name, person.id as "personId", coalesce(person.display_name, person.email) as
  "personName", pm.role, array(select distinct r.key from member_roles h join organization_roles r on r.id =
  h.role_id where h.organization_id = $5::uuid and h.user_id = person.id order by r.key) as "roleKeys",
  array(select distinct p from member_roles h join organization_roles r on r.id = h.role_id cross join
  unnest(r.permissions) p where h.organization_id = $6::uuid and h.user_id = person.id order by p) as granted,
  person.disabled_at is not null as "isDisabled", coalesce(person.platform_role in ('admin', 'owner'), false)
  as "isPlatformAdministrator", c.set_up_power as "setUpPower", case when c.activated_by is null or
  c.activated_by::text = c.confirmed_power ->> 'activatedBy' then c.confirmed_power end as confirmed
from reach r
join sso_connections c on c.id = r.connection_id and c.organization_id = $7
join members um on um.organization_id = $8 and um.user_id = r.user_id
left join sso_identities k on k.connection_id = r.connection_id and k.user_id = r.user_id cross
join lateral (select array(select distinct r.key from member_roles h join organization_roles r on r.id =
  h.role_id where h.organization_id = um.organization_id and h.user_id = um.user_id order by r.key) as
  "roleKeys", array(select distinct p from member_roles h join organization_roles r on r.id = h.role_id cross
  join unnest(r.permissions) p where h.organization_id = um.organization_id and h.user_id = um.user_id order
  by p) as granted) power
left join users person on person.id = c.activated_by
left join members pm on pm.user_id = person.id and pm.organization_id = $9
where not (coalesce(pm.role, '') = 'owner' and coalesce(c.set_up_power ->> 'role', 'owner') = 'owner');

-- power_check.end_sessions
select s.id
from unnest($1::uuid[], $2::uuid[]) reach (connection_id, user_id)
join sessions s on s.user_id = reach.user_id and s.sso_connection_id = reach.connection_id
left join sso_identities i on i.connection_id = s.sso_connection_id and i.subject_hash = s.sso_subject_hash
  and i.linked_by = 'user'
where s.organization_id = $3 and s.organization_bound and s.revoked_at is null and s.expires_at > $4 and (i.id
  is null or s.aal = 'aal2' and s.own_factor_at is null)
order by s.id desc limit $5
for update of s;

-- power_check.end_sessions
with
  revoked as (
    update sessions
    set revoked_at = $1, revoked_reason = $2
    where id = any($3::uuid[]) and revoked_at is null and ($4::uuid is null or user_id = $5)
    returning id, user_id, organization_id
  ),
  events as (
    insert into session_events (session_id, kind, reason, at, expires_at)
    select id, 'revoked', $6, $7::timestamptz, $8::timestamptz
    from "revoked"
    returning session_id, kind, reason, at, expires_at, xid
  ),
  audit as (
    insert into audit_logs (event_id, timestamp, organization_id, actor_id, actor_type, action, resource_type,
      resource_id, ip_address, user_agent, request_id, metadata, outcome)
    select fresh.event_id::uuid, $9::timestamptz, revoked.organization_id::uuid, $10::uuid, $11, $12, $13,
      revoked.id::text, $14::text, $15::text, $16::uuid, $17::jsonb , $18
    from revoked
    join unnest($19::uuid[], $20::uuid[]) fresh (session_id, event_id) on fresh.session_id = revoked.id
  )
select e.session_id as "sessionId", e.kind, e.reason, e.at, e.expires_at as "expiresAt", e.xid::text as xid
from events e;

-- power_check.end_sessions
select f.id
from oauth_token_families f
left join sessions s on s.id = f.session_id
where f.organization_id = $1 and f.auth_method = 'sso' and f.revoked_at is null and f.ends_at > $2 and
  f.user_id = any($3::uuid[]) and exists (select 1 from unnest($4::uuid[], $5::uuid[]) reach (connection_id,
  user_id) join sso_identities i on i.connection_id = reach.connection_id and i.user_id = reach.user_id where
  reach.user_id = f.user_id and (s.sso_connection_id is null or s.sso_connection_id = reach.connection_id) and
  (i.linked_by <> 'user' or f.aal = 'aal2' and s.own_factor_at is null))
order by f.id limit $6
for update of f;

-- power_check.delete
delete
from power_checks
where organization_id = $1 and xid = any($2::text[]::xid8[]);

-- lease.release
delete
from leases
where name = $1 and holder = $2;
