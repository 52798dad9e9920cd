/** The records of users of a directory. */

import type { directoryUsers } from "../../../db/schema/directories.ts";
import { nameKey } from "../../base/display-name.ts";
import type { Fragment, Sql } from "../../database/database.ts";
import { json } from "../../database/json.ts";
import type { RowOf } from "../../database/row.ts";
import type { Paging } from "./protocol/paging.ts";
import { emailKeys, type UserDocument } from "./protocol/user-document.ts";

type Row = RowOf<typeof directoryUsers>;

export interface DirectoryUser
  extends Omit<Row, "directoryId" | "userName" | "userNameKey" | "emailKeys" | "document"> {
  readonly document: UserDocument;
}

/** A record as responses contain it. */
export interface DescribedUser extends DirectoryUser {
  /** By name. Null and undefined: no group, or not wanted. */
  readonly groups?: readonly { readonly id: string; readonly display: string }[] | null;
}

/** The link of a record to a user. */
export type Link = Pick<DirectoryUser, "userId" | "link">;

function columns(sql: Sql): Fragment {
  return sql`
    r.id, r.external_id as "externalId", r.active, r.document, r.user_id as "userId", r.link,
    r.former_role as "formerRole", r.former_joined_at as "formerJoinedAt", r.version, r.created_at as "createdAt",
    r.updated_at as "updatedAt"`;
}

/** The groups of the record, by name. */
function groupsColumn(sql: Sql): Fragment {
  return sql`
    (select json_agg(json_build_object('id', g.id, 'display', g.display_name) order by g.display_name_key, g.id)
     from directory_group_members m join directory_groups g on g.id = m.group_id where m.record_id = r.id) as groups`;
}

function describedColumns(sql: Sql, hasGroups: boolean): Fragment {
  return hasGroups ? sql`${columns(sql)}, ${groupsColumn(sql)}` : columns(sql);
}

export async function findDirectoryUser(sql: Sql, directoryId: string, id: string): Promise<DirectoryUser | undefined> {
  const [row] = await sql<DirectoryUser[]>`
    select ${columns(sql)} from directory_users r where r.id = ${id} and r.directory_id = ${directoryId}`;
  return row;
}

/** The record with its groups. */
export async function findDescribedUser(sql: Sql, directoryId: string, id: string): Promise<DescribedUser | undefined> {
  const [row] = await sql<DescribedUser[]>`
    select ${describedColumns(sql, true)} from directory_users r
    where r.id = ${id} and r.directory_id = ${directoryId}`;
  return row;
}

/** Whether another record of the directory has the user name. */
export async function userNameIsTaken(
  sql: Sql,
  directoryId: string,
  userName: string,
  exceptId: string | null,
): Promise<boolean> {
  const rows = await sql`
    select 1 from directory_users
    where directory_id = ${directoryId} and user_name_key = ${nameKey(userName)}
      and id is distinct from ${exceptId}::uuid`;
  return rows.length > 0;
}

/** The record of a user, if the directory has one. */
export async function findRecordOfUser(
  sql: Sql,
  directoryId: string,
  userId: string,
): Promise<Pick<DirectoryUser, "id" | "active" | "formerRole" | "formerJoinedAt"> | undefined> {
  const [row] = await sql<Pick<DirectoryUser, "id" | "active" | "formerRole" | "formerJoinedAt">[]>`
    select id, active, former_role as "formerRole", former_joined_at as "formerJoinedAt"
    from directory_users where directory_id = ${directoryId} and user_id = ${userId}`;
  return row;
}

/** The first active record without a user whose address is an address of the user. */
export async function findWaitingRecord(
  sql: Sql,
  directoryId: string,
  userId: string,
): Promise<DirectoryUser | undefined> {
  const [row] = await sql<DirectoryUser[]>`
    select ${columns(sql)} from directory_users r
    where r.directory_id = ${directoryId} and r.link = 'none' and r.active and r.user_id is null
      and exists (
        select 1 from user_emails e where e.user_id = ${userId} and (e."primary" or e.verified_at is not null)
          and (r.email_keys @> array[e.email]::text[] or r.user_name_key = e.email)
      )
    order by r.id limit 1`;
  return row;
}

/** The record with an invitation to the address of a member without another record. */
export async function findInvitedRecord(
  sql: Sql,
  directoryId: string,
  userId: string,
  email: string,
): Promise<string | undefined> {
  const [row] = await sql<{ id: string }[]>`
    select r.id from directory_users r
    where r.directory_id = ${directoryId} and r.link = 'invitation' and r.active and r.user_id is null
      and (r.email_keys @> array[${email}]::text[] or r.user_name_key = ${nameKey(email)})
      and not exists (
        select 1 from directory_users o where o.directory_id = ${directoryId} and o.user_id = ${userId}
      )
    order by r.id limit 1`;
  return row?.id;
}

/** CTE fragment: inserts a record that is not linked; one row (id). */
export function insertDirectoryUser(
  sql: Sql,
  directoryId: string,
  id: string,
  document: UserDocument,
  at: Date,
): Fragment {
  return sql`
    insert into directory_users (id, directory_id, user_name, user_name_key, external_id, active, document, email_keys,
                                 link, version, created_at, updated_at)
    values (${id}, ${directoryId}, ${document.userName}, ${nameKey(document.userName)}, ${externalIdOf(document)},
            ${document.active}, ${json(sql, document)}, ${emailKeys(document)}::text[], 'none', 1, ${at}, ${at})
    returning id`;
}

/** CTE fragment: replaces the document of a record; one row (id). */
export function updateDirectoryUser(sql: Sql, id: string, document: UserDocument, at: Date): Fragment {
  return sql`
    update directory_users set
      user_name = ${document.userName}, user_name_key = ${nameKey(document.userName)},
      external_id = ${externalIdOf(document)}, active = ${document.active}, document = ${json(sql, document)},
      email_keys = ${emailKeys(document)}::text[], version = version + 1, updated_at = ${at}
    where id = ${id} returning id`;
}

export function externalIdOf({ externalId }: UserDocument): string | null {
  return typeof externalId === "string" ? externalId : null;
}

export async function linkDirectoryUser(sql: Sql, id: string, { userId, link }: Link): Promise<void> {
  await sql`update directory_users set user_id = ${userId}, link = ${link} where id = ${id}`;
}

/** Keeps the role and the beginning of a deactivated membership; null: the membership is restored. */
export async function saveFormerMembership(
  sql: Sql,
  id: string,
  former: { readonly role: "owner" | "admin" | "member"; readonly joinedAt: Date } | null,
): Promise<void> {
  await sql`
    update directory_users set former_role = ${former?.role ?? null}, former_joined_at = ${former?.joinedAt ?? null}
    where id = ${id}`;
}

/** CTE fragment: deletes a record and its places in groups; one row (id). */
export function deleteDirectoryUser(sql: Sql, id: string): Fragment {
  return sql`delete from directory_users where id = ${id} returning id`;
}

/**
 * A page of records in the order of their ids, and the number of all matching records. `matches` undefined: all records
 * of the directory, whose number the directory has. `hasGroups`: with the groups of the records.
 */
export async function listDirectoryUsers(
  sql: Sql,
  directoryId: string,
  matches: Fragment | undefined,
  paging: Paging,
  { hasGroups }: { readonly hasGroups: boolean },
): Promise<{ items: DescribedUser[]; total: number }> {
  const selected = describedColumns(sql, hasGroups);
  if (!matches) return await listAllUsers(sql, directoryId, selected, paging);
  const from = sql`directory_users r where r.directory_id = ${directoryId} and ${matches}`;
  const items =
    paging.count === 0 ? [] : await sql<DescribedUser[]>`select ${selected} from ${from} ${pageOf(sql, paging)}`;
  return { items, total: totalOf(paging, items.length) ?? (await countRows(sql, from)) };
}

/** The ids of the page come from the index alone: a late page reads no earlier record. */
async function listAllUsers(
  sql: Sql,
  directoryId: string,
  selected: Fragment,
  paging: Paging,
): Promise<{ items: DescribedUser[]; total: number }> {
  const [counted] = await sql<{ total: number }[]>`
    select user_count as total from directories where id = ${directoryId}`;
  const page = sql`select r.id from directory_users r where r.directory_id = ${directoryId} ${pageOf(sql, paging)}`;
  const items =
    paging.count === 0
      ? []
      : await sql<DescribedUser[]>`
          select ${selected} from (${page}) page join directory_users r on r.id = page.id order by r.id`;
  return { items, total: counted?.total ?? 0 };
}

/** The number of all matching rows if the page has the last of them. */
export function totalOf(paging: Paging, items: number): number | undefined {
  if (items >= paging.count || paging.method === "cursor") return undefined;
  const isFirst = paging.startIndex === 1;
  return isFirst || items > 0 ? paging.startIndex - 1 + items : undefined;
}

export async function countRows(sql: Sql, from: Fragment): Promise<number> {
  const [counted] = await sql<{ total: number }[]>`select count(*)::int as total from ${from}`;
  return counted?.total ?? 0;
}

/** Continues a condition by the bounds of a page. */
export function pageOf(sql: Sql, paging: Paging): Fragment {
  if (paging.method === "index") return sql`order by r.id limit ${paging.count} offset ${paging.startIndex - 1}`;
  const after = paging.after === null ? sql`` : sql`and r.id > ${paging.after}::uuid`;
  return sql`${after} order by r.id limit ${paging.count}`;
}
