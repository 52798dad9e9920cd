import type { Fragment, Sql } from "../../database/database.ts";
import type { Cte } from "../../database/statement.ts";
import type { AssignedRole } from "../conditions/member-grants.ts";

/** The additional roles of a member, by key. */
export async function listAssignedRoles(sql: Sql, organizationId: string, userId: string): Promise<AssignedRole[]> {
  return await sql<AssignedRole[]>`
    select r.id, r.key, r.name, h.source from member_roles h join organization_roles r on r.id = h.role_id
    where h.organization_id = ${organizationId} and h.user_id = ${userId} order by r.key, h.source`;
}

export interface Assignment {
  readonly organizationId: string;
  readonly userId: string;
  readonly roleIds: readonly string[];
  readonly source: AssignedRole["source"];
  readonly at: Date;
}

/** Replaces the roles of a member from one source. Each role exists. */
export async function replaceMemberRoles(
  sql: Sql,
  { organizationId, userId, roleIds, source, at }: Assignment,
): Promise<void> {
  await sql`
    delete from member_roles
    where organization_id = ${organizationId} and user_id = ${userId} and source = ${source}
      and not role_id = any(${[...roleIds]}::uuid[])`;
  await sql`
    insert into member_roles (organization_id, user_id, role_id, source, granted_at)
    select ${organizationId}, ${userId}, id, ${source}, ${at} from unnest(${[...roleIds]}::uuid[]) id
    on conflict do nothing`;
}

export interface UnfoundedRoles {
  readonly organizationId: string;
  /** Null: of all members. */
  readonly userId: string | null;
  /** The keys of the roles that rules for single sign-on grant. */
  readonly ruledKeys: readonly string[];
  /** Whether a role ends without an identity of the member at an active connection of the organization. */
  readonly needsConnection: boolean;
}

/** Deletes at most `limit` roles that members have by single sign-on without a rule or, if needed, a connection. */
export async function deleteUnfoundedRoles(
  sql: Sql,
  { organizationId, userId, ruledKeys, needsConnection }: UnfoundedRoles,
  limit: number,
): Promise<{ readonly userId: string; readonly key: string }[]> {
  return await sql<{ userId: string; key: string }[]>`
    with unfounded as (
      select h.organization_id, h.user_id, h.role_id, h.source, r.key
      from members m
      join member_roles h on h.user_id = m.user_id and h.organization_id = m.organization_id
      join organization_roles r on r.id = h.role_id
      where m.organization_id = ${organizationId} and h.source = 'sso'
        and (${userId}::uuid is null or h.user_id = ${userId})
        and (
          not r.key = any(${[...ruledKeys]}::text[])
          or ${needsConnection} and not exists (
            select 1 from sso_identities i join sso_connections c on c.id = i.connection_id
            where i.user_id = h.user_id and c.organization_id = h.organization_id and c.status = 'active'
          )
        )
      order by h.user_id, h.role_id limit ${limit} for update of h
    ),
    deleted as (
      delete from member_roles h using unfounded u
      where h.organization_id = u.organization_id and h.user_id = u.user_id and h.role_id = u.role_id
        and h.source = u.source
    )
    select user_id as "userId", key from unfounded order by user_id, key`;
}

/** The ids of the roles that a member has from any source. */
export async function listHeldRoleIds(sql: Sql, organizationId: string, userId: string): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select distinct role_id as id from member_roles where organization_id = ${organizationId} and user_id = ${userId}`;
  return rows.map(({ id }) => id);
}

export interface InvitedRoles {
  readonly userId: string;
  readonly at: Date;
  /** The permissions of built-in roles below `owner`. */
  readonly permissionsOfRoles: Readonly<Record<"admin" | "member", readonly string[]>>;
}

/**
 * CTE fragment: grants the roles of a consumed invitation (organization_id, role_ids, invited_by), as far as the sender
 * has every permission of the role now; returns role_id. A deleted role grants no permission.
 */
export function insertInvitedRoles(
  sql: Sql,
  { userId, at, permissionsOfRoles }: InvitedRoles,
  consumed: Cte,
): Fragment {
  const builtIn = sql`
    case i.role when 'admin' then ${[...permissionsOfRoles.admin]}::text[]
                else ${[...permissionsOfRoles.member]}::text[] end`;
  const additional = sql`array(
    select p from member_roles h join organization_roles g on g.id = h.role_id cross join unnest(g.permissions) p
    where h.organization_id = i.organization_id and h.user_id = i.user_id
  )`;
  return sql`
    insert into member_roles (organization_id, user_id, role_id, source, granted_at)
    select c.organization_id, ${userId}::uuid, r.id, 'manual', ${at}::timestamptz
    from ${consumed} c
    join organization_roles r
      on r.id = any(c.role_ids) and (r.organization_id is null or r.organization_id = c.organization_id)
    join users u on u.id = c.invited_by
    left join members i on i.organization_id = c.organization_id and i.user_id = c.invited_by
    where u.platform_role in ('admin', 'owner') or i.role = 'owner' or r.permissions <@ (${builtIn} || ${additional})
    returning role_id`;
}
