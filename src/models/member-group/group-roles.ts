/** The roles that members have by groups: rows of the sources `group` and `directory` in `member_roles`. */
import type { Fragment, Sql } from "../../database/database.ts";
import { ROLES_PER_MEMBER_MAX } from "../../limits/role-limits.ts";

/** The table of the roles of groups of one kind. */
export type GroupRolesTable = "directory_group_roles" | "member_group_roles";

/** The ids of the roles of a group. */
export async function listRoleIdsOfGroup(
  sql: Sql,
  groupId: string,
  table: GroupRolesTable = "member_group_roles",
): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`select role_id as id from ${sql(table)} where group_id = ${groupId}`;
  return rows.map(({ id }) => id);
}

export interface RoleOfGroup {
  readonly groupId: string;
  readonly id: string;
  readonly key: string;
  readonly name: string;
}

/** The roles of groups of a directory, by key. */
export async function listRolesOfDirectoryGroups(sql: Sql, groupIds: readonly string[]): Promise<RoleOfGroup[]> {
  return await sql<RoleOfGroup[]>`
    select gr.group_id as "groupId", r.id, r.key, r.name
    from directory_group_roles gr join organization_roles r on r.id = gr.role_id
    where gr.group_id = any(${[...groupIds]}::uuid[]) order by r.key`;
}

/** Replaces the roles of a group of either kind. */
export async function replaceRolesOfGroup(
  sql: Sql,
  table: GroupRolesTable,
  groupId: string,
  roleIds: readonly string[],
): Promise<void> {
  const ids = sql`${[...roleIds]}::uuid[]`;
  await sql`delete from ${sql(table)} where group_id = ${groupId} and role_id <> all(${ids})`;
  await sql`
    insert into ${sql(table)} (group_id, role_id) select ${groupId}, id from unnest(${ids}) id on conflict do nothing`;
}

/** The members whose roles follow from groups; null: all members of the organization. */
type Followers = readonly string[] | null;

/** The roles of members by manual groups (user_id, role_id). */
function manualGrants(sql: Sql, organizationId: string): Fragment {
  return sql`
    select gm.user_id, gr.role_id
    from member_group_members gm join member_group_roles gr on gr.group_id = gm.group_id
    where gm.organization_id = ${organizationId}`;
}

/**
 * The roles of members by the groups of a directory; none while the directory grants no role. A directory cannot
 * resolve a problem of this kind, so roles beyond `ROLES_PER_MEMBER_MAX` are left out, in the order of keys.
 */
function directoryGrants(sql: Sql, organizationId: string): Fragment {
  return sql`
    select user_id, role_id from (
      select user_id, role_id, row_number() over (partition by user_id order by key) as place, others
      from (
        select distinct m.user_id, gr.role_id, ar.key, (
          select count(distinct h.role_id) from member_roles h
          where h.organization_id = m.organization_id and h.user_id = m.user_id and h.source <> 'directory'
        ) as others
        from directories d
        join directory_users r on r.directory_id = d.id
        join directory_group_members gm on gm.record_id = r.id
        join directory_group_roles gr on gr.group_id = gm.group_id
        join organization_roles ar on ar.id = gr.role_id
        join members m on m.user_id = r.user_id and m.organization_id = d.organization_id
        where d.organization_id = ${organizationId} and d.role_source = 'groups'
      ) grants
    ) placed
    where place + others <= ${ROLES_PER_MEMBER_MAX}`;
}

export interface FollowedRole {
  readonly userId: string;
  readonly roleId: string;
  /** False: the member has lost the role. */
  readonly isGranted: boolean;
}

/**
 * Inserts and deletes the rows of a source until members have exactly the roles of their groups. Returns the granted
 * and the withdrawn roles.
 */
export async function followGroups(
  sql: Sql,
  source: "directory" | "group",
  organizationId: string,
  userIds: Followers,
  at: Date,
): Promise<readonly FollowedRole[]> {
  const grants = source === "group" ? manualGrants(sql, organizationId) : directoryGrants(sql, organizationId);
  const concerns = (userId: Fragment) => (userIds === null ? sql`true` : sql`${userId} = any(${[...userIds]}::uuid[])`);
  return await sql<FollowedRole[]>`
    with grants as (select distinct g.user_id, g.role_id from (${grants}) g where ${concerns(sql`g.user_id`)}),
    withdrawn as (
      delete from member_roles h
      where h.organization_id = ${organizationId} and h.source = ${source} and ${concerns(sql`h.user_id`)}
        and not exists (select 1 from grants g where g.user_id = h.user_id and g.role_id = h.role_id)
      returning h.user_id, h.role_id
    ),
    granted as (
      insert into member_roles (organization_id, user_id, role_id, source, granted_at)
      select ${organizationId}, g.user_id, g.role_id, ${source}, ${at}::timestamptz from grants g
      on conflict do nothing returning user_id, role_id
    )
    select user_id as "userId", role_id as "roleId", false as "isGranted" from withdrawn
    union all
    select user_id, role_id, true from granted`;
}

/** The ids of the roles that members of an organization have by the groups of its directory. */
export async function listRoleIdsByDirectory(sql: Sql, organizationId: string): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select distinct role_id as id from member_roles where organization_id = ${organizationId} and source = 'directory'`;
  return rows.map(({ id }) => id);
}

/** The first `limit` records above an id whose users have roles by the groups of the directory. */
export async function listRecordsWithRoles(
  sql: Sql,
  directory: { readonly id: string; readonly organizationId: string },
  after: string,
  limit: number,
): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select r.id from directory_users r
    where r.directory_id = ${directory.id} and r.id > ${after} and exists (
      select 1 from member_roles h
      where h.user_id = r.user_id and h.organization_id = ${directory.organizationId} and h.source = 'directory'
    )
    order by r.id limit ${limit}`;
  return rows.map(({ id }) => id);
}

export interface GroupRoleCount {
  readonly organizationId: string;
  readonly groupId: string;
  readonly userIds: readonly string[];
  readonly max: number;
}

/** Whether a user would have more than `max` additional roles as a member of the group with `roleIds`. */
export async function wouldExceedRoles(
  sql: Sql,
  { organizationId, groupId, userIds, max }: GroupRoleCount,
  roleIds: readonly string[],
): Promise<boolean> {
  const rows = await sql`
    select 1 from unnest(${[...userIds]}::uuid[]) u (id)
    where (
      select count(*) from (
        select h.role_id from member_roles h
        where h.organization_id = ${organizationId} and h.user_id = u.id and h.source <> 'group'
        union
        select g.role_id from (${manualGrants(sql, organizationId)} and gm.group_id <> ${groupId}) g
        where g.user_id = u.id
        union
        select unnest(${[...roleIds]}::uuid[])
      ) roles
    ) > ${max} limit 1`;
  return rows.length > 0;
}

/** The powers of a group's members together: the built-in roles, and the permissions of additional roles. */
export interface JointPower {
  readonly roles: readonly ("owner" | "admin" | "member")[];
  readonly granted: readonly string[];
}

export async function findJointPower(
  sql: Sql,
  organizationId: string,
  userIds: readonly string[],
): Promise<JointPower> {
  const ids = sql`${[...userIds]}::uuid[]`;
  const [row] = await sql<[JointPower]>`
    select
      array(select distinct role from members where organization_id = ${organizationId} and user_id = any(${ids}))
        as roles,
      array(
        select distinct p
        from member_roles h join organization_roles r on r.id = h.role_id cross join unnest(r.permissions) p
        where h.organization_id = ${organizationId} and h.user_id = any(${ids})
      ) as granted`;
  return row;
}
