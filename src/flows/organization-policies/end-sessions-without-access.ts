/**
 * The end of sessions and token families that the rules of an organization no longer admit (docs/contract.md, sections
 * 29.46 and 33.5).
 */
import { MAX_UUID } from "../../base/random.ts";
import { NO_CLIENT } from "../../base/request-context.ts";
import type { Sql } from "../../database/database.ts";
import { pagesById } from "../../database/pages-by-id.ts";
import type { Deps, StoreDeps } from "../../deps.ts";
import { ENFORCEMENT_BATCH, ENFORCEMENT_MEMBERS, ENFORCEMENT_PAUSE_MS } from "../../limits/session-limits.ts";
import { recordAudit } from "../../models/audit/audit.ts";
import { listMemberIdsAfter } from "../../models/member/members.ts";
import { endFamiliesWithoutAccess } from "../../models/oauth-grant/family-state.ts";
import {
  type EnforcedEnd,
  listEnforcedSessions,
  lockSessionsWithoutAccess,
} from "../../models/session/enforced-sessions.ts";
import type { SessionEvent } from "../../models/session/revocation.ts";
import { systemAuditEvent } from "../steps/audit/system-audit-event.ts";
import { endSessionsIn, tokensLiveSince } from "../steps/sessions/end-sessions.ts";
import { endFamilies } from "../steps/tokens/token-family-events.ts";

export type EnforcementDeps = StoreDeps & { readonly revocations: Pick<Deps["revocations"], "announce"> };

const REASONS = ["policy", "sso_required"] as const satisfies readonly EnforcedEnd["reason"][];

/**
 * Revokes the sessions and token families to which an organization no longer gives access, in batches that are
 * announced one by one, and records the counts. Requests are refused before: each check of a session reads the rules.
 * Batches are small, with a pause after each: requests of other organizations go on meanwhile.
 * Sessions are read once, and token families by pages of members, so the work is bounded by the rows of the
 * organization, and a statement by its page. Rows that another replica holds are left to the replica.
 */
export async function endSessionsWithoutAccess(
  deps: EnforcementDeps,
  organizationId: string,
  isStopped: () => boolean,
): Promise<void> {
  let sessions = 0;
  let families = 0;
  for (let before: string | undefined = MAX_UUID; before !== undefined && !isStopped(); ) {
    const batch = await endSessionBatch(deps, organizationId, before);
    sessions += batch.ended;
    before = batch.before;
    await deps.clock.sleep(ENFORCEMENT_PAUSE_MS);
  }
  for await (const userIds of membersOf(deps, organizationId)) {
    if (isStopped()) break;
    families += await endFamiliesOf(deps, organizationId, userIds);
    await deps.clock.sleep(ENFORCEMENT_PAUSE_MS);
  }
  if (sessions + families > 0) await recordCounts(deps, organizationId, { sessions, families });
}

interface EndedBatch {
  readonly ended: number;
  /** The id below which the next batch begins; undefined after the last batch. */
  readonly before: string | undefined;
}

async function endSessionBatch(deps: EnforcementDeps, organizationId: string, before: string): Promise<EndedBatch> {
  const at = new Date(deps.clock.now());
  const { events, ids, ended } = await deps.database.transaction("session.revoke_many", async (sql) => {
    const page = { organizationId, before, since: tokensLiveSince(deps), limit: ENFORCEMENT_BATCH };
    const listed = await listEnforcedSessions(sql, page);
    const locked = await lockSessionsWithoutAccess(sql, listed, at);
    return { ids: listed, ended: locked.length, events: await endByReason(deps, sql, locked) };
  });
  await deps.revocations.announce(events);
  return { ended, before: ids.length < ENFORCEMENT_BATCH ? undefined : ids.at(-1) };
}

async function endByReason(
  deps: EnforcementDeps,
  sql: Sql,
  locked: readonly EnforcedEnd[],
): Promise<readonly SessionEvent[]> {
  const events: SessionEvent[] = [];
  for (const reason of REASONS) {
    const ids = locked.filter((each) => each.reason === reason).map(({ id }) => id);
    const end = {
      userId: null,
      actor: { userId: null, type: "system" },
      reason,
      auditAction: "auth.session.revoked",
      client: NO_CLIENT,
    } as const;
    events.push(...(await endSessionsIn(deps, sql, ids, end)));
  }
  return events;
}

/** The ids of the members, in pages. */
function membersOf({ database }: EnforcementDeps, organizationId: string) {
  const read = (after: string) =>
    database.run("member.list_ids", (sql) => listMemberIdsAfter(sql, organizationId, after, ENFORCEMENT_MEMBERS));
  return pagesById(ENFORCEMENT_MEMBERS, read, (id) => id);
}

async function endFamiliesOf(
  deps: EnforcementDeps,
  organizationId: string,
  userIds: readonly string[],
): Promise<number> {
  let families = 0;
  for (let ended = ENFORCEMENT_BATCH; ended === ENFORCEMENT_BATCH; families += ended) {
    ended = await endFamilyBatch(deps, organizationId, userIds);
  }
  return families;
}

async function endFamilyBatch(
  deps: EnforcementDeps,
  organizationId: string,
  userIds: readonly string[],
): Promise<number> {
  const at = new Date(deps.clock.now());
  const reason = "policy";
  const { ended, events } = await deps.database.transaction("oauth_family.end_many", (sql) =>
    endFamilies(
      sql,
      endFamiliesWithoutAccess(sql, organizationId, { userIds, reason, at, limit: ENFORCEMENT_BATCH }),
      reason,
      at,
    ),
  );
  await deps.revocations.announce(events);
  return ended;
}

async function recordCounts(
  deps: EnforcementDeps,
  organizationId: string,
  { sessions, families }: { readonly sessions: number; readonly families: number },
): Promise<void> {
  const entry = systemAuditEvent(deps, {
    action: "policy.enforced",
    at: new Date(deps.clock.now()),
    organizationId,
    resource: { type: "organization", id: organizationId },
    metadata: { sessions_ended: sessions, application_grants_ended: families },
  });
  await deps.database.run("audit.record", (sql) => recordAudit(sql, entry));
}
