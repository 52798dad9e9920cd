/** Groups of members: groups of an organization, and the groups of its directory (docs/contract.md, section 34.1). */
import type { memberGroups } from "../../../db/schema/member-groups.ts";
import { nameKey } from "../../base/display-name.ts";
import type { Fragment, Sql } from "../../database/database.ts";
import type { PageBounds } from "../../database/listing.ts";
import type { RowOf } from "../../database/row.ts";

export type MemberGroup = Omit<RowOf<typeof memberGroups>, "nameKey">;

/** A role that a group grants to its members. */
export interface GroupRole {
  readonly id: string;
  readonly key: string;
  readonly name: string;
}

export interface ListedGroup extends MemberGroup {
  /** `directory`: the directory of the organization maintains the group. */
  readonly source: "manual" | "directory";
  /** By key. */
  readonly roles: readonly GroupRole[];
  readonly memberCount: number;
}

function rolesColumn(sql: Sql, table: "directory_group_roles" | "member_group_roles", groupId: Fragment): Fragment {
  return sql`
    coalesce((
      select jsonb_agg(jsonb_build_object('id', r.id, 'key', r.key, 'name', r.name) order by r.key)
      from ${sql(table)} gr join organization_roles r on r.id = gr.role_id where gr.group_id = ${groupId}
    ), '[]') as roles`;
}

/** Both kinds of groups, the alias `g`. */
function groups(sql: Sql, organizationId: string): Fragment {
  return sql`(
    select id, 'manual' as source, name, name_key, description, created_at, updated_at
    from member_groups where organization_id = ${organizationId}
    union all
    select d.id, 'directory', d.display_name, d.display_name_key, '', d.created_at, d.updated_at
    from directory_groups d join directories o on o.id = d.directory_id where o.organization_id = ${organizationId}
  ) g`;
}

/** The members of the groups of both kinds (group_id, user_id). */
function memberships(sql: Sql, organizationId: string): Fragment {
  return sql`(
    select group_id, user_id, added_at from member_group_members where organization_id = ${organizationId}
    union all
    select gm.group_id, m.user_id, r.created_at
    from directory_group_members gm join directory_users r on r.id = gm.record_id
    join members m on m.user_id = r.user_id and m.organization_id = ${organizationId}
  ) p`;
}

function columns(sql: Sql, organizationId: string): Fragment {
  return sql`
    g.id, ${organizationId}::uuid as "organizationId", g.source, g.name, g.description, g.created_at as "createdAt",
    g.updated_at as "updatedAt", r.roles,
    (
      select count(*)::int from ${memberships(sql, organizationId)} where p.group_id = g.id
    ) as "memberCount"`;
}

/** The column `roles` of the group `g`, of either kind. */
function withRoles(sql: Sql): Fragment {
  return sql`
    cross join lateral (
      select ${rolesColumn(sql, "member_group_roles", sql`g.id`)} where g.source = 'manual'
      union all
      select ${rolesColumn(sql, "directory_group_roles", sql`g.id`)} where g.source = 'directory'
    ) r`;
}

/** A page of the groups, by name, and the total. */
export async function listGroups(
  sql: Sql,
  organizationId: string,
  page: PageBounds,
): Promise<{ items: ListedGroup[]; total: number }> {
  const [[counted], items] = await Promise.all([
    sql<[{ total: number }]>`select count(*)::int as total from ${groups(sql, organizationId)}`,
    sql<ListedGroup[]>`
      select ${columns(sql, organizationId)} from ${groups(sql, organizationId)} ${withRoles(sql)}
      order by g.name_key, g.id limit ${page.limit} offset ${page.offset}`,
  ]);
  return { items, total: counted.total };
}

export async function findGroup(sql: Sql, organizationId: string, id: string): Promise<ListedGroup | undefined> {
  const [row] = await sql<ListedGroup[]>`
    select ${columns(sql, organizationId)} from ${groups(sql, organizationId)} ${withRoles(sql)} where g.id = ${id}`;
  return row;
}

export interface GroupMember {
  readonly userId: string;
  readonly email: string;
  readonly displayName: string | null;
  readonly addedAt: Date;
}

/** A page of the members of a group of either kind, by address, and the total. */
export async function listGroupMembers(
  sql: Sql,
  { organizationId, id }: Pick<ListedGroup, "organizationId" | "id">,
  page: PageBounds,
): Promise<{ items: GroupMember[]; total: number }> {
  const from = sql`${memberships(sql, organizationId)} join users u on u.id = p.user_id where p.group_id = ${id}`;
  const [[counted], items] = await Promise.all([
    sql<[{ total: number }]>`select count(*)::int as total from ${from}`,
    sql<GroupMember[]>`
      select p.user_id as "userId", u.email, u.display_name as "displayName", p.added_at as "addedAt"
      from ${from} order by u.email limit ${page.limit} offset ${page.offset}`,
  ]);
  return { items, total: counted.total };
}

/** A manual group, locked: edits of the group, of its members and of its roles wait for one another. */
export async function lockGroup(sql: Sql, organizationId: string, id: string): Promise<MemberGroup | undefined> {
  const [row] = await sql<MemberGroup[]>`
    select id, organization_id as "organizationId", name, description, created_at as "createdAt",
           updated_at as "updatedAt"
    from member_groups where id = ${id} and organization_id = ${organizationId} for update`;
  return row;
}

/** Whether the directory of the organization maintains a group. */
export async function isDirectoryGroup(sql: Sql, organizationId: string, id: string): Promise<boolean> {
  const rows = await sql`
    select 1 from directory_groups g join directories d on d.id = g.directory_id
    where g.id = ${id} and d.organization_id = ${organizationId}`;
  return rows.length > 0;
}

/** The number of manual groups, and whether a further manual group has the name. */
export async function countGroups(
  sql: Sql,
  organizationId: string,
  name: string,
  exceptId: string | null = null,
): Promise<{ total: number; isNameTaken: boolean }> {
  const [row] = await sql<[{ total: number; isNameTaken: boolean }]>`
    select count(*)::int as total,
           coalesce(bool_or(name_key = ${nameKey(name)} and id is distinct from ${exceptId}::uuid), false)
             as "isNameTaken"
    from member_groups where organization_id = ${organizationId}`;
  return row;
}

/** CTE fragment: inserts a manual group; one row (id). */
export function insertGroup(sql: Sql, group: MemberGroup): Fragment {
  return sql`
    insert into member_groups (id, organization_id, name, name_key, description, created_at, updated_at)
    values (${group.id}, ${group.organizationId}, ${group.name}, ${nameKey(group.name)}, ${group.description},
            ${group.createdAt}, ${group.updatedAt})
    returning id`;
}

/** CTE fragment: changes name and description of a locked group; one row (id). */
export function updateGroup(sql: Sql, group: MemberGroup): Fragment {
  return sql`
    update member_groups
    set name = ${group.name}, name_key = ${nameKey(group.name)}, description = ${group.description},
        updated_at = ${group.updatedAt}
    where id = ${group.id} returning id`;
}

/** CTE fragment: deletes a locked group with its members and roles. */
export function deleteGroup(sql: Sql, id: string): Fragment {
  return sql`delete from member_groups where id = ${id} returning id`;
}

export interface GroupPlace {
  readonly groupId: string;
  readonly organizationId: string;
  readonly userId: string;
}

export async function isInGroup(sql: Sql, { groupId, userId }: GroupPlace): Promise<boolean> {
  const rows = await sql`select 1 from member_group_members where group_id = ${groupId} and user_id = ${userId}`;
  return rows.length > 0;
}

export async function insertGroupMember(sql: Sql, { groupId, organizationId, userId }: GroupPlace, at: Date) {
  await sql`
    insert into member_group_members (group_id, organization_id, user_id, added_at)
    values (${groupId}, ${organizationId}, ${userId}, ${at})`;
}

export async function deleteGroupMember(sql: Sql, { groupId, userId }: GroupPlace): Promise<void> {
  await sql`delete from member_group_members where group_id = ${groupId} and user_id = ${userId}`;
}

/** The ids of the members of a manual group. */
export async function listGroupMemberIds(sql: Sql, groupId: string): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select user_id as id from member_group_members where group_id = ${groupId}`;
  return rows.map(({ id }) => id);
}
