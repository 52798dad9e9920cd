/** The erasure of an organization, in bounded batches while the organization is suspended. */
import type { Sql } from "../../database/database.ts";

/** The tables with rows of an organization, in the order of deletion. */
export const ORGANIZATION_TABLES = [
  "sessions",
  "invitations",
  "webhooks",
  "service_accounts",
  "members",
] as const satisfies readonly string[];
export type OrganizationTable = (typeof ORGANIZATION_TABLES)[number];

/** Deletes at most `batch` rows of one table; returns the number. Rows of further tables follow by cascade. */
export async function deleteOrganizationRows(
  sql: Sql,
  table: OrganizationTable,
  organizationId: string,
  batch: number,
): Promise<number> {
  const deleted = await sql`
    delete from ${sql(table)} where ctid = any(array(
      select ctid from ${sql(table)} where organization_id = ${organizationId} limit ${batch}
    ))`;
  return deleted.count;
}

/** Deletes the row of the organization, and by cascade what the batches left; returns whether the row existed. */
export async function deleteOrganizationRow(sql: Sql, organizationId: string): Promise<boolean> {
  const deleted = await sql`delete from organizations where id = ${organizationId}`;
  return deleted.count > 0;
}
