/** The groups of a directory. The members are rows: a write never reads a group as a whole. */
import type { directoryGroups } from "../../../db/schema/directories.ts";
import { nameKey } from "../../base/display-name.ts";
import type { Fragment, Sql } from "../../database/database.ts";
import type { RowOf } from "../../database/row.ts";
import { countRows, pageOf, totalOf } from "./directory-user.ts";
import type { MemberChange } from "./protocol/group-document.ts";
import type { Paging } from "./protocol/paging.ts";

type Row = RowOf<typeof directoryGroups>;
export type DirectoryGroup = Omit<Row, "directoryId" | "displayNameKey">;

function columns(sql: Sql): Fragment {
  return sql`
    r.id, r.display_name as "displayName", r.external_id as "externalId", r.role, r.version,
    r.created_at as "createdAt", r.updated_at as "updatedAt"`;
}

export async function findDirectoryGroup(
  sql: Sql,
  directoryId: string,
  id: string,
): Promise<DirectoryGroup | undefined> {
  const [row] = await sql<DirectoryGroup[]>`
    select ${columns(sql)} from directory_groups r where r.id = ${id} and r.directory_id = ${directoryId}`;
  return row;
}

export async function groupNameIsTaken(
  sql: Sql,
  directoryId: string,
  displayName: string,
  exceptId: string | null,
): Promise<boolean> {
  const rows = await sql`
    select 1 from directory_groups
    where directory_id = ${directoryId} and display_name_key = ${nameKey(displayName)}
      and id is distinct from ${exceptId}::uuid`;
  return rows.length > 0;
}

export async function countDirectoryGroups(sql: Sql, directoryId: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from directory_groups where directory_id = ${directoryId}`;
  return row?.count ?? 0;
}

type GroupName = Pick<DirectoryGroup, "displayName" | "externalId">;

/** CTE fragment: inserts a group without members and without a role; one row (id). */
export function insertDirectoryGroup(
  sql: Sql,
  directoryId: string,
  id: string,
  { displayName, externalId }: GroupName,
  at: Date,
): Fragment {
  return sql`
    insert into directory_groups (id, directory_id, display_name, display_name_key, external_id, version, created_at,
                                  updated_at)
    values (${id}, ${directoryId}, ${displayName}, ${nameKey(displayName)}, ${externalId}, 1, ${at}, ${at})
    returning id`;
}

/** CTE fragment: names a group, and increments the version; one row (id). */
export function updateDirectoryGroup(sql: Sql, id: string, { displayName, externalId }: GroupName, at: Date): Fragment {
  return sql`
    update directory_groups set display_name = ${displayName}, display_name_key = ${nameKey(displayName)},
      external_id = ${externalId}, version = version + 1, updated_at = ${at}
    where id = ${id} returning id`;
}

/** CTE fragment: sets the role that a group grants; one row (id). */
export function updateGroupRole(sql: Sql, id: string, role: DirectoryGroup["role"], at: Date): Fragment {
  return sql`update directory_groups set role = ${role}, updated_at = ${at} where id = ${id} returning id`;
}

/** CTE fragment: deletes a group; one row (id). */
export function deleteDirectoryGroup(sql: Sql, id: string): Fragment {
  return sql`delete from directory_groups where id = ${id} returning id`;
}

/** The ids that no record of the directory has; one of them at most is named. */
export async function listUnknownRecords(
  sql: Sql,
  directoryId: string,
  ids: ReadonlySet<string>,
): Promise<readonly string[]> {
  if (ids.size === 0) return [];
  const rows = await sql<{ id: string }[]>`
    select wanted.id from unnest(${[...ids]}::uuid[]) wanted (id)
    where not exists (select 1 from directory_users r where r.id = wanted.id and r.directory_id = ${directoryId})
    order by wanted.id`;
  return rows.map(({ id }) => id);
}

export interface ChangedMembers {
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** Applies a change of the members by difference; returns the ids of records whose membership changed. */
export async function changeGroupMembers(sql: Sql, groupId: string, change: MemberChange): Promise<ChangedMembers> {
  const removed = await deleteGroupMembers(sql, groupId, change);
  const added = change.added.size === 0 ? [] : await insertGroupMembers(sql, groupId, [...change.added]);
  return { added, removed };
}

async function deleteGroupMembers(sql: Sql, groupId: string, change: MemberChange): Promise<string[]> {
  const { replaces, added, removed } = change;
  if (!replaces && removed.size === 0) return [];
  // By a join: an array of a prepared statement is compared element by element.
  const obsolete = replaces
    ? sql`not exists (select 1 from unnest(${[...added]}::uuid[]) wanted (id) where wanted.id = m.record_id)`
    : sql`m.record_id = any(${[...removed]}::uuid[])`;
  const rows = await sql<{ id: string }[]>`
    delete from directory_group_members m where m.group_id = ${groupId} and ${obsolete} returning m.record_id as id`;
  return rows.map(({ id }) => id);
}

async function insertGroupMembers(sql: Sql, groupId: string, recordIds: readonly string[]): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    insert into directory_group_members (group_id, record_id)
    select ${groupId}::uuid, id from unnest(${[...recordIds]}::uuid[]) wanted (id)
    on conflict do nothing returning record_id as id`;
  return rows.map(({ id }) => id);
}

/** Whether one of the records has more than `max` groups. */
export async function exceedsGroups(sql: Sql, recordIds: readonly string[], max: number): Promise<boolean> {
  const rows = await sql`
    select 1 from directory_group_members where record_id = any(${[...recordIds]}::uuid[])
    group by record_id having count(*) > ${max} limit 1`;
  return rows.length > 0;
}

export async function countGroupMembers(sql: Sql, groupIds: readonly string[]): Promise<Map<string, number>> {
  const rows = await sql<{ id: string; count: number }[]>`
    select group_id as id, count(*)::int as count from directory_group_members
    where group_id = any(${[...groupIds]}::uuid[]) group by group_id`;
  return new Map(rows.map(({ id, count }) => [id, count]));
}

export interface GroupMember {
  readonly groupId: string;
  readonly recordId: string;
  readonly userName: string;
}

export async function listGroupMembers(sql: Sql, groupIds: readonly string[]): Promise<GroupMember[]> {
  return await sql<GroupMember[]>`
    select m.group_id as "groupId", m.record_id as "recordId", r.user_name as "userName"
    from directory_group_members m join directory_users r on r.id = m.record_id
    where m.group_id = any(${[...groupIds]}::uuid[]) order by m.group_id, m.record_id`;
}

/** The next members of a group in the order of their ids; `after` null: from the first. */
export async function listGroupMembersAfter(
  sql: Sql,
  groupId: string,
  after: string | null,
  limit: number,
): Promise<Omit<GroupMember, "groupId">[]> {
  return await sql<Omit<GroupMember, "groupId">[]>`
    select m.record_id as "recordId", r.user_name as "userName"
    from directory_group_members m join directory_users r on r.id = m.record_id
    where m.group_id = ${groupId} and (${after}::uuid is null or m.record_id > ${after}::uuid)
    order by m.record_id limit ${limit}`;
}

/** Whether a group grants a built-in role or additional roles. */
export async function grantsRoles(sql: Sql, groupId: string): Promise<boolean> {
  const rows = await sql`
    select 1 from directory_groups g where g.id = ${groupId}
      and (g.role is not null or exists (select 1 from directory_group_roles r where r.group_id = g.id))`;
  return rows.length > 0;
}

/** The users of records; `recordIds` null: of all records of the directory. */
export async function listUsersOfRecords(
  sql: Sql,
  directoryId: string,
  recordIds: readonly string[] | null,
): Promise<string[]> {
  const rows = await sql<{ userId: string }[]>`
    select user_id as "userId" from directory_users
    where directory_id = ${directoryId} and user_id is not null
      and (${recordIds === null}::boolean or id = any(${[...(recordIds ?? [])]}::uuid[]))`;
  return rows.map(({ userId }) => userId);
}

/** The ids of all members of a group. */
export async function listMemberIds(sql: Sql, groupId: string): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select record_id as id from directory_group_members where group_id = ${groupId}`;
  return rows.map(({ id }) => id);
}

/** A page of groups in the order of their ids, and the number of all matching groups; `matches` undefined: of all. */
export async function listDirectoryGroups(
  sql: Sql,
  directoryId: string,
  matches: Fragment | undefined,
  paging: Paging,
): Promise<{ items: DirectoryGroup[]; total: number }> {
  const from = sql`directory_groups r where r.directory_id = ${directoryId} and ${matches ?? sql`true`}`;
  const items =
    paging.count === 0 ? [] : await sql<DirectoryGroup[]>`select ${columns(sql)} from ${from} ${pageOf(sql, paging)}`;
  return { items, total: totalOf(paging, items.length) ?? (await countRows(sql, from)) };
}
