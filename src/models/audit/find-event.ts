import type { Sql } from "../../database/database.ts";
import { amongIds } from "../../database/statement.ts";
import { recordJson } from "./export-query.ts";

/**
 * The row of an event, and the record as an export contains the record. `organizationIds`: restricts the result to
 * these organizations.
 */
export async function findAuditEvent(
  sql: Sql,
  { eventId, organizationIds }: { readonly eventId: string; readonly organizationIds: readonly string[] | undefined },
): Promise<{ readonly id: number; readonly record: string } | undefined> {
  const [row] = await sql<{ id: number; record: string }[]>`
    select a.id::float8 as id, ${sql.unsafe(recordJson("a"))} as record from audit_logs a
    where a.event_id = ${eventId}
      ${organizationIds === undefined ? sql`` : sql`and a.organization_id ${amongIds(sql, organizationIds)}`}
    order by a.id limit 1`;
  return row;
}
