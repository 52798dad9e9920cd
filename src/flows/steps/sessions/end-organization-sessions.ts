/** The end of all access through an organization: at a suspension, and while a deletion is pending. */
import type { RequestContext } from "../../../base/request-context.ts";
import type { Sql } from "../../../database/database.ts";
import { cte } from "../../../database/statement.ts";
import type { SessionDeps } from "../../../deps.ts";
import { SUSPENSION_BATCH } from "../../../limits/session-limits.ts";
import { endFamiliesOfOrganization } from "../../../models/oauth-grant/family-state.ts";
import { lockSuspension } from "../../../models/organization/organization.ts";
import { liveKeysIn } from "../../../models/service-account/api-key.ts";
import { trustsIn } from "../../../models/service-account/trust.ts";
import {
  type EventRow,
  eventColumns,
  liveSessionsOf,
  logChange,
  logOrganizationChange,
  type SessionEvent,
  toEvent,
} from "../../../models/session/revocation.ts";
import { type EndedFamilies, endFamilies } from "../tokens/token-family-events.ts";
import { endDepartedSessions, endSessionsIn, type SessionsEnd, tokensDeadAt, tokensLiveSince } from "./end-sessions.ts";

/** The reason in the log of session events. */
const SUSPENSION_CHANGED = "organization_suspension_changed";

export interface OrganizationSessionsEnd {
  readonly organizationId: string;
  readonly actor: NonNullable<SessionsEnd["actor"]>;
  readonly client: RequestContext;
}

/**
 * Inserts the invalidation events for cached views of the sessions and keys, and returns the events for the
 * announcement after the commit. From then on every replica refuses all sessions, including sessions not revoked yet.
 */
export async function logSuspensionChange(
  deps: SessionDeps,
  sql: Sql,
  organizationId: string,
  at: Date,
): Promise<SessionEvent[]> {
  const deadAt = tokensDeadAt(deps, at);
  const rows = await sql<EventRow[]>`
    with changed as (${liveKeysIn(sql, organizationId, at)} union all ${trustsIn(sql, organizationId)}),
    keys as (${logChange(sql, cte(sql, "changed"), SUSPENSION_CHANGED, at, deadAt)}),
    sessions_of as (${logOrganizationChange(sql, organizationId, SUSPENSION_CHANGED, at, deadAt)})
    select ${eventColumns(sql)} from (select * from keys union all select * from sessions_of) e`;
  return rows.map(toEvent);
}

/**
 * Tells the replicas about a suspension or restoration after the commit: the cached views of sessions and keys, and the
 * connections for single sign-on, through which no sign-in begins from then on.
 */
export async function announceSuspensionChange(
  { revocations, ssoDirectory }: SessionDeps,
  events: readonly SessionEvent[],
): Promise<void> {
  await revocations.announce(events);
  await ssoDirectory.changed();
}

/**
 * Revokes in batches and announces each batch, until no session is left or the organization is no longer suspended:
 * sessions after a restoration are not affected. No session begins before the restoration, and a failed request can be
 * repeated.
 */
export async function endOrganizationSessions(deps: SessionDeps, end: OrganizationSessionsEnd): Promise<void> {
  for (;;) {
    const { ended, events } = await deps.database.transaction("session.revoke_many", async (sql) =>
      (await lockSuspension(sql, end.organizationId)) ? await endSessionBatch(deps, sql, end) : NONE_ENDED,
    );
    await deps.revocations.announce(events);
    if (ended < SUSPENSION_BATCH) return;
  }
}

export const NONE_ENDED: EndedFamilies = { ended: 0, events: [] };

/**
 * Revokes at most `SUSPENSION_BATCH` sessions in the locked organization, including sessions that have just left, and
 * the organization's token families with a session elsewhere.
 */
export async function endSessionBatch(
  deps: SessionDeps,
  sql: Sql,
  { organizationId, actor, client }: OrganizationSessionsEnd,
): Promise<EndedFamilies> {
  const sessionIds = await liveSessionsOf(sql, organizationId, tokensLiveSince(deps), SUSPENSION_BATCH);
  const events = await endSessionsIn(deps, sql, sessionIds, {
    userId: null,
    actor,
    reason: "organization_suspended",
    auditAction: "auth.session.revoked",
    client,
  });
  const departed = { organizationId, userId: null, limit: SUSPENSION_BATCH - events.length };
  events.push(...(await endDepartedSessions(deps, sql, departed)));
  // A session may have moved to another organization; an application that it signed in would otherwise stay signed in.
  const at = new Date(deps.clock.now());
  const families = endFamiliesOfOrganization(sql, organizationId, at, SUSPENSION_BATCH - events.length);
  const also = await endFamilies(sql, families, "organization_suspended", at);
  return { ended: events.length + also.ended, events: [...events, ...also.events] };
}
