/** The use of roles: what stands against a deletion (docs/contract.md, section 32.4). */
import type { Sql } from "../../database/database.ts";
import type { PageBounds } from "../../database/listing.ts";
import type { AssignedRole } from "../conditions/member-grants.ts";

/** A member with a role. */
export interface RoleHolder {
  readonly userId: string;
  readonly email: string;
  readonly displayName: string | null;
  /** At least one, sorted. */
  readonly sources: readonly AssignedRole["source"][];
}

/** A page of the members with a role, by address, and the total. */
export async function listRoleHolders(
  sql: Sql,
  organizationId: string,
  roleId: string,
  page: PageBounds,
): Promise<{ items: RoleHolder[]; total: number }> {
  const [counted] = await sql<[{ total: number }]>`
    select count(distinct user_id)::int as total from member_roles
    where organization_id = ${organizationId} and role_id = ${roleId}`;
  const items = await sql<RoleHolder[]>`
    select h.user_id as "userId", u.email, u.display_name as "displayName",
           array_agg(distinct h.source order by h.source) as sources
    from member_roles h join users u on u.id = h.user_id
    where h.organization_id = ${organizationId} and h.role_id = ${roleId}
    group by h.user_id, u.email, u.display_name order by u.email limit ${page.limit} offset ${page.offset}`;
  return { items, total: counted.total };
}

/** The ids of all members with a role. */
export async function listHolderIds(sql: Sql, organizationId: string, roleId: string): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select distinct user_id as id from member_roles
    where organization_id = ${organizationId} and role_id = ${roleId} order by 1`;
  return rows.map(({ id }) => id);
}

/** Whether a group of the directory of an organization grants a role. */
export async function isMappedByDirectory(sql: Sql, organizationId: string, roleId: string): Promise<boolean> {
  const rows = await sql`
    select 1 from directories d join directory_groups g on g.directory_id = d.id
    join directory_group_roles r on r.group_id = g.id
    where d.organization_id = ${organizationId} and r.role_id = ${roleId} limit 1`;
  return rows.length > 0;
}

/** Everything in an organization that names a role. */
export interface RoleUse {
  readonly members: number;
  /** Manual groups and groups of the directory. */
  readonly groups: number;
  /** Open invitations. */
  readonly invitations: number;
}

/** The use of a role in one organization; null: in every organization. */
export async function countRoleUse(
  sql: Sql,
  organizationId: string | null,
  roleId: string,
  at: Date,
): Promise<RoleUse & { readonly organizations: number }> {
  const [row] = await sql<[RoleUse & { organizations: number }]>`
    select
      (select count(distinct (h.organization_id, h.user_id))::int from member_roles h
       where h.role_id = ${roleId} and (${organizationId}::uuid is null or h.organization_id = ${organizationId}))
        as members,
      (select count(distinct h.organization_id)::int from member_roles h
       where h.role_id = ${roleId} and (${organizationId}::uuid is null or h.organization_id = ${organizationId}))
        as organizations,
      (select count(*)::int from member_group_roles r join member_groups g on g.id = r.group_id
       where r.role_id = ${roleId} and (${organizationId}::uuid is null or g.organization_id = ${organizationId}))
      + (select count(*)::int from directory_group_roles r join directory_groups g on g.id = r.group_id
         join directories d on d.id = g.directory_id
         where r.role_id = ${roleId} and (${organizationId}::uuid is null or d.organization_id = ${organizationId}))
        as groups,
      (select count(*)::int from invitations i
       where ${roleId}::uuid = any(i.role_ids) and i.accepted_at is null and i.revoked_at is null
         and i.expires_at > ${at}
         and (${organizationId}::uuid is null or i.organization_id = ${organizationId})) as invitations`;
  return row;
}

/** Members of an organization by built-in role. */
export async function countBuiltInRoles(sql: Sql, organizationId: string): Promise<ReadonlyMap<string, number>> {
  const rows = await sql<{ role: string; total: number }[]>`
    select role, count(*)::int as total from members where organization_id = ${organizationId} group by role`;
  return new Map(rows.map(({ role, total }) => [role, total]));
}

/** The organizations in which a member, a group, an open invitation or a rule for single sign-on names a role. */
export async function listOrganizationsWithUse(sql: Sql, roleId: string, at: Date): Promise<string[]> {
  const rows = await sql<{ organizationId: string }[]>`
    select h.organization_id as "organizationId" from member_roles h where h.role_id = ${roleId}
    union
    select g.organization_id from member_group_roles r join member_groups g on g.id = r.group_id
    where r.role_id = ${roleId}
    union
    select d.organization_id from directory_group_roles r join directory_groups g on g.id = r.group_id
    join directories d on d.id = g.directory_id where r.role_id = ${roleId}
    union
    select i.organization_id from invitations i
    where ${roleId}::uuid = any(i.role_ids) and i.accepted_at is null and i.revoked_at is null and i.expires_at > ${at}
    union
    select p.organization_id from sso_policies p
    where p.role_rules @> (
      select jsonb_build_array(jsonb_build_object('role', t.key)) from organization_roles t where t.id = ${roleId}
    )
    order by 1`;
  return rows.map(({ organizationId }) => organizationId);
}

/** The permissions of the roles that groups of the directory of an organization grant. */
export async function listPermissionsByDirectory(sql: Sql, organizationId: string): Promise<string[]> {
  const rows = await sql<{ permission: string }[]>`
    select distinct unnest(o.permissions) as permission
    from directories d join directory_groups g on g.directory_id = d.id
    join directory_group_roles r on r.group_id = g.id join organization_roles o on o.id = r.role_id
    where d.organization_id = ${organizationId} order by 1`;
  return rows.map(({ permission }) => permission);
}
