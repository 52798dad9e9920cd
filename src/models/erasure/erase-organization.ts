/** The erasure of the row of an organization. */
import type { Sql } from "../../database/database.ts";

/** Deletes the row of the organization, and by cascade what the batches left; returns whether the row existed. */
export async function deleteOrganizationRow(sql: Sql, organizationId: string): Promise<boolean> {
  const deleted = await sql`delete from organizations where id = ${organizationId}`;
  return deleted.count > 0;
}
