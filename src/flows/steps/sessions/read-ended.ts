import type { Fragment, Sql } from "../../../database/database.ts";
import { type EventRow, eventColumns, type SessionEvent, toEvent } from "../../../models/session/revocation.ts";
import type { EndedItem } from "../audit/record-ended-credentials.ts";

export interface EndedAccess {
  readonly items: readonly EndedItem[];
  /** To announce after the commit. */
  readonly events: readonly SessionEvent[];
}

type EndedRow = Omit<EndedItem, "name"> & { readonly name?: string } & ({ readonly sessionId: null } | EventRow);

/** `ended`, `events`: CTE fragments; `events` logs the rows of the CTE `ended`. */
export async function readEnded(sql: Sql, ended: Fragment, events: Fragment): Promise<EndedAccess> {
  const rows = await sql<EndedRow[]>`
    with ended as (${ended}), events as (${events})
    select ended.*, ended.organization_id as "organizationId", ${eventColumns(sql)}
    from ended left join events e on e.session_id = ended.id`;
  return {
    items: rows.map(({ id, organizationId, name = null }) => ({ id, organizationId, name })),
    events: rows.flatMap((row) => (row.sessionId === null ? [] : toEvent(row))),
  };
}
