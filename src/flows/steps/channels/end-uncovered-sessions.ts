import type { RequestContext } from "../../../base/request-context.ts";
import type { Sql } from "../../../database/database.ts";
import type { SessionDeps } from "../../../deps.ts";
import { endLockedFamilies, lockBoundFamilies } from "../../../models/channel/bound-family.ts";
import { type BoundSessionRow, lockBoundSessions } from "../../../models/channel/bound-session.ts";
import type { HolderRow } from "../../../models/channel/channel-holder.ts";
import { logChangeOfMembers, type SessionEvent, type StaleViews } from "../../../models/session/revocation.ts";
import { mayChange } from "../../../vocabulary/member-power.ts";
import type { Actor } from "../audit/audit-event.ts";
import { endSessionsIn, tokensDeadAt, tokensLiveSince } from "../sessions/end-sessions.ts";
import { endFamilies } from "../tokens/token-family-events.ts";
import { powerOfHolder } from "./channels.ts";

/** Members whose power has changed in the transaction, and the acting party. */
export interface ChangedPower {
  readonly organizationId: string;
  readonly userIds: readonly string[];
  readonly actor: Pick<Actor, "userId" | "type">;
  readonly client: RequestContext;
}

/**
 * Ends the bound sessions of members by connections whose responsible person lacks a permission of the member now, and
 * the tokens of applications from such sessions, offline access too, after a promotion of the member and after a
 * demotion of the responsible person: a sign-in from before the change carries no power that a sign-in afterwards would
 * not have (docs/contract.md, section 29.12). Returns the events to announce after the commit.
 */
export async function endUncoveredSessions(
  deps: Pick<SessionDeps, "clock" | "config" | "random">,
  sql: Sql,
  changed: ChangedPower,
): Promise<readonly SessionEvent[]> {
  const { organizationId, userIds, actor, client } = changed;
  if (userIds.length === 0) return [];
  const rows = await lockBoundSessions(sql, organizationId, userIds, tokensLiveSince(deps));
  const end = { userId: null, actor, reason: REASON, auditAction: "auth.session.revoked", client } as const;
  const sessionIds = rows.filter(isUncovered).map(({ sessionId }) => sessionId);
  const sessions = await endSessionsIn(deps, sql, sessionIds, end);
  return [...sessions, ...(await endUncoveredFamilies(deps, sql, changed))];
}

const REASON = "power_not_covered";

/** After the lock of the sessions, which delays the exchange of a code: a family that is issued meanwhile counts. */
async function endUncoveredFamilies(
  { clock }: Pick<SessionDeps, "clock">,
  sql: Sql,
  { organizationId, userIds }: ChangedPower,
): Promise<readonly SessionEvent[]> {
  const at = new Date(clock.now());
  const rows = await lockBoundFamilies(sql, { organizationId, userIds, at });
  const familyIds = [...new Set(rows.filter(isUncovered).map(({ familyId }) => familyId))];
  if (familyIds.length === 0) return [];
  const families = endLockedFamilies(sql, familyIds, { reason: REASON, at });
  return (await endFamilies(sql, families, REASON, at)).events;
}

/** Whether the person behind the connection lacks a permission of the member. */
function isUncovered(row: HolderRow & Pick<BoundSessionRow, "memberGranted" | "memberRole">): boolean {
  return !mayChange(powerOfHolder(row), { role: row.memberRole, granted: row.memberGranted });
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
