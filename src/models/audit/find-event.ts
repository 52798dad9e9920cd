import type { Sql } from "../../database/database.ts";
import { recordJson } from "./export-query.ts";

/**
 * The row of an event, and the record as an export contains the record. `organizationId`: restricts the result to this
 * organization.
 */
export async function findAuditEvent(
  sql: Sql,
  { eventId, organizationId }: { readonly eventId: string; readonly organizationId: string | undefined },
): Promise<{ readonly id: number; readonly record: string } | undefined> {
  const [row] = await sql<{ id: number; record: string }[]>`
    select a.id::float8 as id, ${sql.unsafe(recordJson("a"))} as record from audit_logs a
    where a.event_id = ${eventId}
      ${organizationId === undefined ? sql`` : sql`and a.organization_id = ${organizationId}`}
    order by a.id limit 1`;
  return row;
}
