import type { RequestContext } from "../../../base/request-context.ts";
import type { Sql } from "../../../database/database.ts";
import type { SessionDeps } from "../../../deps.ts";
import { lockBoundSessions } from "../../../models/channel/bound-session.ts";
import { mayChange } from "../../../models/member/member.ts";
import { logChangeOfMembers, type SessionEvent, type StaleViews } from "../../../models/session/revocation.ts";
import type { Actor } from "../audit/audit-event.ts";
import { endSessionsIn, tokensDeadAt, tokensLiveSince } from "../sessions/end-sessions.ts";
import { powerOfHolder } from "./channels.ts";

/** Members whose power has changed in the transaction, and the acting party. */
export interface ChangedPower {
  readonly organizationId: string;
  readonly userIds: readonly string[];
  readonly actor: Pick<Actor, "userId" | "type">;
  readonly client: RequestContext;
}

/**
 * Ends the bound sessions of members by connections whose responsible person lacks a permission of the member now: a
 * sign-in from before a promotion carries no power that a sign-in afterwards would not have (docs/contract.md, section
 * 29.12). Returns the events to announce after the commit.
 */
export async function endUncoveredSessions(
  deps: Pick<SessionDeps, "clock" | "config" | "random">,
  sql: Sql,
  { organizationId, userIds, actor, client }: ChangedPower,
): Promise<readonly SessionEvent[]> {
  if (userIds.length === 0) return [];
  const rows = await lockBoundSessions(sql, organizationId, userIds, tokensLiveSince(deps));
  const uncovered = rows.filter(
    (row) => !mayChange(powerOfHolder(row), { role: row.memberRole, granted: row.memberGranted }),
  );
  const end = {
    userId: null,
    actor,
    reason: "power_not_covered",
    auditAction: "auth.session.revoked",
    client,
  } as const;
  return await endSessionsIn(
    deps,
    sql,
    uncovered.map(({ sessionId }) => sessionId),
    end,
  );
}

/** Logs that cached views of members' sessions are stale, and ends the sessions that would get uncovered power. */
export async function logPowerChange(
  deps: Pick<SessionDeps, "clock" | "config" | "random">,
  sql: Sql,
  changed: ChangedPower & Pick<StaleViews, "at" | "reason">,
): Promise<readonly SessionEvent[]> {
  const { organizationId, userIds, at, reason } = changed;
  if (userIds.length === 0) return [];
  const ended = await endUncoveredSessions(deps, sql, changed);
  const stale = { reason, at, tokensDeadAt: tokensDeadAt(deps, at) };
  return [...ended, ...(await logChangeOfMembers(sql, organizationId, userIds, stale))];
}
