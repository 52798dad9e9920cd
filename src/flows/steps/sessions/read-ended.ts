import type { Fragment, Sql } from "../../../database/database.ts";
import { cte } from "../../../database/statement.ts";
import type { SessionDeps } from "../../../deps.ts";
import {
  type EventRow,
  eventColumns,
  logRevocations,
  type SessionEvent,
  toEvent,
} from "../../../models/session/revocation.ts";
import type { EndedItem } from "../audit/record-ended-credentials.ts";
import { tokensDeadAt } from "./end-sessions.ts";

export interface EndedAccess {
  readonly items: readonly EndedItem[];
  /** To announce after the commit. */
  readonly events: readonly SessionEvent[];
}

type EndedRow = Omit<EndedItem, "name"> & { readonly name?: string } & ({ readonly sessionId: null } | EventRow);

/** The revocation of the events of keys and trusts. */
export function keyRevocation(deps: Pick<SessionDeps, "config">, at: Date) {
  return { reason: "key_revoked", at, tokensDeadAt: tokensDeadAt(deps, at) } as const;
}

/** `ended`: CTE fragment that ends keys or trusts (id, organization_id, name). */
export async function readEndedKeys(
  deps: Pick<SessionDeps, "config">,
  sql: Sql,
  ended: Fragment,
  at: Date,
): Promise<EndedAccess> {
  return await readEnded(sql, ended, logRevocations(sql, cte(sql, "ended"), keyRevocation(deps, at)));
}

/** `ended`: CTE fragment that ends rows (id, organization_id) without events. */
export async function readEndedRows(sql: Sql, ended: Fragment): Promise<Pick<EndedItem, "id" | "organizationId">[]> {
  return await sql<Pick<EndedItem, "id" | "organizationId">[]>`
    with ended as (${ended}) select id::text, organization_id as "organizationId" from ended`;
}

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
