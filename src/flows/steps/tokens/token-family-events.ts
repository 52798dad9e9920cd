import type { Fragment, Sql } from "../../../database/database.ts";
import { logEndedFamilies } from "../../../models/oauth-grant/token-family.ts";
import { eventColumns, type SessionEvent, toEvent } from "../../../models/session/revocation.ts";

export interface EndedFamilies {
  /** How many families (or sessions) ended: at least as many as there are events. */
  readonly ended: number;
  /** To announce after the commit. A family of which no access token may be valid any more has none. */
  readonly events: readonly SessionEvent[];
}

type EventRow = Parameters<typeof toEvent>[0];

/** Ends the token families of `ended`, the CTE fragment that ends them, and logs it. */
export async function endFamilies(sql: Sql, ended: Fragment, reason: string, at: Date): Promise<EndedFamilies> {
  const rows = await sql<(({ sessionId: null } | EventRow) & { readonly ended: number })[]>`
    with ended as (${ended}),
    events as (${logEndedFamilies(sql, "ended", reason, at)})
    select counted.ended, ${eventColumns(sql)}
    from (select count(*)::int as ended from ended) counted left join events e on true`;
  const events = rows.flatMap((row) => (row.sessionId === null ? [] : toEvent(row)));
  return { ended: rows[0]?.ended ?? 0, events };
}

/** The session events that a statement returned. */
export async function eventsOf(statement: ReturnType<Sql>): Promise<SessionEvent[]> {
  const rows = (await statement) as unknown as EventRow[];
  return rows.map(toEvent);
}
