import { NO_CLIENT, type RequestContext } from "../../../base/request-context.ts";
import type { Sql } from "../../../database/database.ts";
import { cte } from "../../../database/statement.ts";
import type { SessionDeps } from "../../../deps.ts";
import { CLOCK_SKEW_SECONDS } from "../../../limits/limits.ts";
import { insertAudit } from "../../../models/audit/audit.ts";
import { type DepartedMember, lockDepartedSessions } from "../../../models/session/departures.ts";
import { excessSessions, type SessionShare } from "../../../models/session/excess.ts";
import {
  type EventRow,
  eventColumns,
  logRevocations,
  type Revocation,
  type RevocationReason,
  revokeSessions,
  type SessionEvent,
  toEvent,
} from "../../../models/session/revocation.ts";
import type { AuditAction } from "../../../vocabulary/audit-action.ts";
import type { Actor } from "../audit/audit-event.ts";

const SYSTEM = { userId: null, type: "system" } as const;

export interface SessionsEnd {
  /** The user of the sessions; null: several users. */
  readonly userId: string | null;
  /** The actor, if different from the user of the sessions. */
  readonly actor?: Pick<Actor, "userId" | "type"> | typeof SYSTEM;
  readonly reason: RevocationReason;
  readonly auditAction: Extract<AuditAction, "auth.logout" | "auth.session.revoked" | "auth.refresh.reuse_detected">;
  readonly client: RequestContext;
}

/** Revokes one session of a user, on every replica. Returns whether the session was live. */
export async function endSession(deps: SessionDeps, sessionId: string, end: SessionsEnd): Promise<boolean> {
  const events = await deps.database.run("session.revoke", (sql) => endSessionsIn(deps, sql, [sessionId], end));
  await deps.revocations.announce(events);
  return events.length > 0;
}

/** Revokes the sessions that `select` returns inside the transaction, on every replica. */
async function endSessions(
  deps: SessionDeps,
  select: (sql: Sql) => Promise<readonly string[]>,
  end: SessionsEnd,
): Promise<void> {
  const events = await deps.database.transaction("session.revoke_many", async (sql) => {
    const sessionIds = await select(sql);
    return await endSessionsIn(deps, sql, sessionIds, end);
  });
  await deps.revocations.announce(events);
}

/**
 * Returns the time at which every access token of a session ended at `at` has expired, also for verifiers whose clock
 * is behind.
 */
export function tokensDeadAt({ config }: Pick<SessionDeps, "config">, at: Date): Date {
  return new Date(at.getTime() + (config.tokens.accessExpirySeconds + CLOCK_SKEW_SECONDS) * 1000);
}

/**
 * A session that expired before this time has ended with all tokens, so the session is not revoked, recorded or
 * announced. Until this time applications signed in by the session may have live access tokens: an application's access
 * token can outlive the session by its whole lifetime.
 */
export function tokensLiveSince({ config, clock }: Pick<SessionDeps, "config" | "clock">): Date {
  return new Date(clock.now() - (config.tokens.accessExpirySeconds + CLOCK_SKEW_SECONDS) * 1000);
}

/**
 * Writes the revocations, session events and audit records in one statement, in a transaction or alone. Returns the
 * events to announce after the commit.
 */
export async function endSessionsIn(
  deps: Pick<SessionDeps, "clock" | "config" | "random">,
  sql: Sql,
  sessionIds: readonly string[],
  end: SessionsEnd,
): Promise<SessionEvent[]> {
  if (sessionIds.length === 0) return [];
  const at = new Date(deps.clock.now());
  const revocation: Revocation = { reason: end.reason, at, tokensDeadAt: tokensDeadAt(deps, at) };
  const eventIds = sessionIds.map(() => deps.random.uuid());
  const audit = insertAudit(
    sql,
    {
      eventId: sql`fresh.event_id`,
      at,
      action: end.auditAction,
      outcome: end.reason === "refresh_reuse" ? "failure" : "success",
      organizationId: sql`revoked.organization_id`,
      actorId: end.actor?.userId ?? end.userId,
      actorType: end.actor?.type ?? "user",
      resourceType: "session",
      resourceId: sql`revoked.id`,
      metadata: { reason: end.reason },
      client: end.client,
    },
    sql`from revoked
        join unnest(${[...sessionIds]}::uuid[], ${eventIds}::uuid[]) fresh (session_id, event_id)
          on fresh.session_id = revoked.id`,
  );
  const rows = await sql<EventRow[]>`
    with revoked as (${revokeSessions(sql, sessionIds, end.userId, revocation)}),
    events as (${logRevocations(sql, cte(sql, "revoked"), revocation)}),
    audit as (${audit})
    select ${eventColumns(sql)} from events e`;
  return rows.map(toEvent);
}

/** Revokes the oldest sessions of a share beyond `SESSIONS_PER_USER_MAX`. */
export async function endExcessSessions(deps: SessionDeps, share: SessionShare): Promise<void> {
  await endSessions(deps, (sql) => excessSessions(sql, share, new Date(deps.clock.now())), {
    userId: share.userId,
    actor: SYSTEM,
    reason: "surplus",
    auditAction: "auth.session.revoked",
    client: NO_CLIENT,
  });
}

/**
 * Revokes the sessions that left an organization while their access tokens of the organization may still be live: a
 * program that verifies tokens without a request to the service knows a session by the `sid` alone. Called at a removal
 * and a suspension, after the sessions in the organization. The record belongs to the organization of the session, so
 * the record names no user of the other organization.
 */
export async function endDepartedSessions(
  deps: SessionDeps,
  sql: Sql,
  departed: DepartedMember,
): Promise<SessionEvent[]> {
  const sessionIds = await lockDepartedSessions(sql, departed, tokensLiveSince(deps));
  return await endSessionsIn(deps, sql, sessionIds, {
    userId: null,
    actor: SYSTEM,
    reason: "organization_left",
    auditAction: "auth.session.revoked",
    client: NO_CLIENT,
  });
}
