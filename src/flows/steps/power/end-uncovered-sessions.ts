import type { RequestContext } from "../../../base/request-context.ts";
import type { Sql } from "../../../database/database.ts";
import type { SessionDeps } from "../../../deps.ts";
import { POWER_CHECK_BATCH, POWER_CHECK_MEMBERS } from "../../../limits/power-limits.ts";
import { endLockedFamilies, lockReachedFamilies } from "../../../models/channel/bound-family.ts";
import {
  type ConnectionReach,
  listConcernedMembers,
  listReaches,
  lockReachedSessions,
  type ReachEnd,
} from "../../../models/channel/bound-session.ts";
import { logChangeOfMembers, type SessionEvent, type StaleViews } from "../../../models/session/revocation.ts";
import type { Actor } from "../audit/audit-event.ts";
import { endSessionsIn, type SessionsEnd, tokensDeadAt, tokensLiveSince } from "../sessions/end-sessions.ts";
import { endFamilies } from "../tokens/token-family-events.ts";
import { coversSignIn } from "./holder-power.ts";

/** Members whose power has changed in the transaction, and the acting party. */
export interface ChangedPower {
  readonly organizationId: string;
  readonly userIds: readonly string[];
  readonly actor: Pick<Actor, "userId" | "type">;
  readonly client: RequestContext;
}

type PowerDeps = Pick<SessionDeps, "clock" | "config" | "random">;

/**
 * Inside the transaction of a change of power: ends the bound sessions of members by connections whose responsible
 * person lacks a permission of the member now, and the tokens of applications from such sessions, offline access too,
 * after a promotion of the member and after every loss of power of the responsible person: a sign-in from before the
 * change carries no power that a sign-in afterwards would not have (docs/contract.md, section 29.12). At most
 * `POWER_CHECK_MEMBERS` members and a batch: the check that a trigger has queued ends further sessions within a second
 * (`check-power.ts`). Returns the events to announce after the commit.
 */
export async function endUncoveredSessions(
  deps: PowerDeps,
  sql: Sql,
  { organizationId, userIds, actor, client }: ChangedPower,
): Promise<readonly SessionEvent[]> {
  if (userIds.length === 0) return [];
  const concerned = await listConcernedMembers(sql, organizationId, userIds, POWER_CHECK_MEMBERS);
  return (await endUncoveredOf(deps, sql, { organizationId, userIds: concerned, actor, client })).events;
}

const REASON = "power_not_covered";

export interface UncoveredEnd {
  readonly organizationId: string;
  /** At most `POWER_CHECK_MEMBERS` members. */
  readonly userIds: readonly string[];
  readonly actor: NonNullable<SessionsEnd["actor"]>;
  readonly client: RequestContext;
}

interface UncoveredBatch {
  /** To announce after the commit. */
  readonly events: readonly SessionEvent[];
  /** False: the bound was reached, and further sessions or token families may end. */
  readonly isComplete: boolean;
}

/** Ends at most `POWER_CHECK_BATCH` uncovered sessions, and as many token families, of members. */
export async function endUncoveredOf(
  deps: PowerDeps,
  sql: Sql,
  { organizationId, userIds, actor, client }: UncoveredEnd,
): Promise<UncoveredBatch> {
  if (userIds.length === 0) return NONE_ENDED;
  const since = tokensLiveSince(deps);
  const reaches = (await listReaches(sql, organizationId, { userIds, since })).filter(isUncovered);
  if (reaches.length === 0) return NONE_ENDED;
  const reached = { organizationId, reaches, limit: POWER_CHECK_BATCH };
  const sessionIds = await lockReachedSessions(sql, reached, since);
  const end = { userId: null, actor, reason: REASON, auditAction: "auth.session.revoked", client } as const;
  const sessions = await endSessionsIn(deps, sql, sessionIds, end);
  const families = await endReachedFamilies(deps, sql, reached);
  const isComplete = families.isComplete && sessionIds.length < POWER_CHECK_BATCH;
  return { events: [...sessions, ...families.events], isComplete };
}

const NONE_ENDED: UncoveredBatch = { events: [], isComplete: true };

/** After the lock of the sessions, which delays the exchange of a code: a family that is issued meanwhile counts. */
async function endReachedFamilies({ clock }: PowerDeps, sql: Sql, reached: ReachEnd): Promise<UncoveredBatch> {
  const at = new Date(clock.now());
  const familyIds = await lockReachedFamilies(sql, reached, at);
  if (familyIds.length === 0) return NONE_ENDED;
  const families = endLockedFamilies(sql, familyIds, { reason: REASON, at });
  const { events } = await endFamilies(sql, families, REASON, at);
  return { events, isComplete: familyIds.length < reached.limit };
}

/** Whether the person behind the connection lacks a permission of the member. */
function isUncovered(reach: ConnectionReach): boolean {
  return !coversSignIn(reach, { role: reach.memberRole, granted: reach.memberGranted }, reach.memberKept);
}

/** Logs that cached views of members' sessions are stale, and ends the sessions that would get uncovered power. */
export async function logPowerChange(
  deps: PowerDeps,
  sql: Sql,
  changed: ChangedPower & Pick<StaleViews, "at" | "reason">,
): Promise<readonly SessionEvent[]> {
  const { organizationId, userIds, at, reason } = changed;
  if (userIds.length === 0) return [];
  const ended = await endUncoveredSessions(deps, sql, changed);
  const stale = { reason, at, tokensDeadAt: tokensDeadAt(deps, at) };
  return [...ended, ...(await logChangeOfMembers(sql, organizationId, userIds, stale))];
}
