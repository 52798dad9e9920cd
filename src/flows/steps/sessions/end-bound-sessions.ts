/** The end of bound sessions: by the identity provider, or with the connection (docs/contract.md, chapter 29). */
import type { RequestContext } from "../../../base/request-context.ts";
import type { Sql } from "../../../database/database.ts";
import type { SessionDeps } from "../../../deps.ts";
import { SUSPENSION_BATCH } from "../../../limits/session-limits.ts";
import { type BoundFamilies, endBoundFamilies } from "../../../models/oauth-grant/bound-grant.ts";
import { lockConnectionSessions } from "../../../models/session/bound-sessions.ts";
import { type EndedFamilies, endFamilies } from "../tokens/token-family-events.ts";
import { endSessionsIn, type SessionsEnd, tokensLiveSince } from "./end-sessions.ts";

export interface BoundSessionsEnd {
  /** The sessions, with the token families of applications, offline access too. */
  readonly sessions: BoundFamilies;
  readonly reason: "idp_logout" | "sso_connection_ended";
  readonly actor: NonNullable<SessionsEnd["actor"]>;
  readonly client: RequestContext;
}

/**
 * Revokes bound sessions and their token families on every replica, in batches that are announced one by one. Called
 * after the commit of the change that prevents new sessions; for a deletion of the connection or an identity, before.
 */
export async function endBoundSessions(deps: SessionDeps, end: BoundSessionsEnd): Promise<void> {
  for (;;) {
    const { ended, events } = await deps.database.transaction("session.revoke_many", (sql) =>
      endBoundSessionsIn(deps, sql, end),
    );
    await deps.revocations.announce(events);
    if (ended < SUSPENSION_BATCH) return;
  }
}

/**
 * Revokes at most `SUSPENSION_BATCH` bound sessions and as many token families inside the transaction. Returns the
 * events to announce after the commit.
 */
export async function endBoundSessionsIn(
  deps: SessionDeps,
  sql: Sql,
  { sessions, reason, actor, client }: BoundSessionsEnd,
): Promise<EndedFamilies> {
  const sessionIds = await lockConnectionSessions(sql, sessions, tokensLiveSince(deps), SUSPENSION_BATCH);
  const end = { userId: null, actor, reason, auditAction: "auth.session.revoked", client } as const;
  const events = await endSessionsIn(deps, sql, sessionIds, end);
  const at = new Date(deps.clock.now());
  const families = endBoundFamilies(sql, sessions, { reason, at, limit: SUSPENSION_BATCH });
  const also = await endFamilies(sql, families, reason, at);
  return { ended: Math.max(sessionIds.length, also.ended), events: [...events, ...also.events] };
}
