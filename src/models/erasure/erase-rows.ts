/** The deletion of the rows of a user or organization in bounded statements, so that no lock is held for long. */
import type { Fragment, Sql } from "../../database/database.ts";

/** The ids of rows of an organization that name the organization, for tables that name these rows. */
const BETWEEN = {
  connections: (sql, id) => sql`select id from sso_connections where organization_id = ${id}`,
  directories: (sql, id) => sql`select id from directories where organization_id = ${id}`,
  groups: (sql, id) => sql`
    select g.id from directory_groups g join directories d on d.id = g.directory_id where d.organization_id = ${id}`,
} as const satisfies Readonly<Record<string, (sql: Sql, organizationId: string) => Fragment>>;

/**
 * The rows of a table whose column names the user or organization, or with `via` a row of the organization. Every
 * column leads an index.
 */
export interface OwnedRows {
  readonly table: string;
  readonly column: string;
  readonly via?: keyof typeof BETWEEN;
}

/** The members of all groups of the directory of an organization. */
export const GROUP_MEMBER_ROWS = {
  table: "directory_group_members",
  column: "group_id",
  via: "groups",
} as const satisfies OwnedRows;

/** The groups of the directory of an organization. Their roles follow by cascade. */
export const DIRECTORY_GROUP_ROWS = {
  table: "directory_groups",
  column: "directory_id",
  via: "directories",
} as const satisfies OwnedRows;

/**
 * Tables with possibly many rows of an organization, in the order of deletion: a directory has up to 100,000 records.
 * Further tables follow by cascade.
 */
export const ORGANIZATION_ROWS = [
  GROUP_MEMBER_ROWS,
  { table: "directory_users", column: "directory_id", via: "directories" },
  DIRECTORY_GROUP_ROWS,
  { table: "sso_identities", column: "connection_id", via: "connections" },
  { table: "member_removals", column: "organization_id" },
  { table: "sessions", column: "organization_id" },
  { table: "invitations", column: "organization_id" },
  { table: "webhooks", column: "organization_id" },
  { table: "service_accounts", column: "organization_id" },
] as const satisfies readonly OwnedRows[];

/** Members last: an organization without members belongs to nobody. */
export const MEMBER_ROWS = { table: "members", column: "organization_id" } as const satisfies OwnedRows;

/** Tables with possibly many rows of a user, in the order of deletion. Further tables follow by cascade. */
export const USER_ROWS = [
  { table: "sessions", column: "user_id" },
  { table: "oauth_token_families", column: "user_id" },
  { table: "oauth_grants", column: "user_id" },
  { table: "trusted_browsers", column: "user_id" },
  { table: "passkeys", column: "user_id" },
] as const satisfies readonly OwnedRows[];

/** Columns that name a user as the creator of a row of an organization. */
export const USER_REFERENCES = [
  { table: "invitations", column: "invited_by" },
  { table: "webhooks", column: "created_by" },
  { table: "service_accounts", column: "created_by" },
  { table: "api_keys", column: "created_by" },
] as const satisfies readonly OwnedRows[];

/** Deletes at most `batch` rows; returns the number. Rows that a second replica deletes now are skipped. */
export async function deleteOwnedRows(sql: Sql, rows: OwnedRows, ownerId: string, batch: number): Promise<number> {
  const deleted = await sql`delete from ${sql(rows.table)} where ctid = any(${batchOf(sql, rows, ownerId, batch)})`;
  return deleted.count;
}

/** Removes the id of a user from at most `batch` rows; returns the number. */
export async function clearReferences(sql: Sql, rows: OwnedRows, userId: string, batch: number): Promise<number> {
  const cleared = await sql`
    update ${sql(rows.table)} set ${sql(rows.column)} = null
    where ctid = any(${batchOf(sql, rows, userId, batch)})`;
  return cleared.count;
}

function batchOf(sql: Sql, { table, column, via }: OwnedRows, ownerId: string, batch: number): Fragment {
  const isOwned = via === undefined ? sql`= ${ownerId}` : sql`in (${BETWEEN[via](sql, ownerId)})`;
  return sql`array(
    select ctid from ${sql(table)} where ${sql(column)} ${isOwned} limit ${batch} for update skip locked
  )`;
}
