import type { Fragment, Sql } from "../../../database/database.ts";
import { logEndedFamilies } from "../../../models/oauth-grant/token-family.ts";
import { type EventRow, eventColumns, type SessionEvent, toEvent } from "../../../models/session/revocation.ts";

export interface EndedFamilies {
  /** The number of ended families (or sessions): at least the number of events. */
  readonly ended: number;
  /** The events to announce after the commit. A family without live access tokens has no event. */
  readonly events: readonly SessionEvent[];
}

/** Ends the token families of `ended`, the CTE fragment that ends the families, and logs the end. */
export async function endFamilies(sql: Sql, ended: Fragment, reason: string, at: Date): Promise<EndedFamilies> {
  const rows = await sql<(({ sessionId: null } | EventRow) & { readonly ended: number })[]>`
    with ended as (${ended}),
    events as (${logEndedFamilies(sql, "ended", reason, at)})
    select counted.ended, ${eventColumns(sql)}
    from (select count(*)::int as ended from ended) counted left join events e on true`;
  const events = rows.flatMap((row) => (row.sessionId === null ? [] : toEvent(row)));
  return { ended: rows[0]?.ended ?? 0, events };
}

/** Returns the session events of a statement. */
export async function eventsOf(statement: ReturnType<Sql>): Promise<SessionEvent[]> {
  const rows = (await statement) as unknown as EventRow[];
  return rows.map(toEvent);
}
