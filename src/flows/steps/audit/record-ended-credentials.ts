import type { Sql } from "../../../database/database.ts";
import type { Deps } from "../../../deps.ts";
import { type AuditEntry, insertAudit } from "../../../models/audit/audit.ts";

/** A credential that a flow ended, for its audit record and for the notice to the owner. */
export interface EndedItem {
  readonly id: string;
  /** Null: no organization. */
  readonly organizationId: string | null;
  /** Null: the kind alone identifies the item. */
  readonly name: string | null;
  /** The end has its audit record already. */
  readonly isRecorded?: true;
}

/** Inserts a copy of `entry` for every unrecorded item, with the item's id and organization, in one statement. */
export async function recordEach(
  deps: Pick<Deps, "random">,
  sql: Sql,
  entry: AuditEntry,
  items: readonly Pick<EndedItem, "id" | "isRecorded" | "organizationId">[],
): Promise<void> {
  const unrecorded = items.filter(({ isRecorded }) => !isRecorded);
  if (unrecorded.length === 0) return;
  const rows = unrecorded.map(({ id, organizationId }) => ({ id, organizationId, eventId: deps.random.uuid() }));
  await insertAudit(
    sql,
    {
      ...entry,
      eventId: sql`ended."eventId"`,
      organizationId: sql`ended."organizationId"`,
      resourceId: sql`ended.id`,
    },
    sql`from jsonb_to_recordset(${sql.json(rows)}::jsonb) ended (id text, "organizationId" uuid, "eventId" uuid)`,
  );
}
