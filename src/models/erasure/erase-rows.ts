/** The deletion of the rows of a user or organization in bounded statements, so that no lock is held for long. */
import type { Fragment, Sql } from "../../database/database.ts";

/** The rows of a table whose column names the user or organization. Every column leads an index. */
export interface OwnedRows {
  readonly table: string;
  readonly column: string;
}

/** Tables with possibly many rows of an organization, in the order of deletion. Further tables follow by cascade. */
export const ORGANIZATION_ROWS = [
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

function batchOf(sql: Sql, { table, column }: OwnedRows, ownerId: string, batch: number): Fragment {
  return sql`array(
    select ctid from ${sql(table)} where ${sql(column)} = ${ownerId} limit ${batch} for update skip locked
  )`;
}
