import type { Fragment, Sql } from "../../database/database.ts";
import type { AssignedRole } from "../../database/member-grants.ts";
import type { Cte } from "../../database/statement.ts";

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

/** Withdraws a role that members have by single sign-on; returns the users. */
export async function withdrawRoleBySignIn(sql: Sql, organizationId: string, key: string): Promise<string[]> {
  const rows = await sql<{ userId: string }[]>`
    delete from member_roles h using organization_roles r
    where h.organization_id = ${organizationId} and h.source = 'sso' and r.id = h.role_id and r.key = ${key}
    returning h.user_id as "userId"`;
  return rows.map(({ userId }) => userId);
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
