/** The end of sessions and token families by the requirement of single sign-on (docs/contract.md, section 29.46). */
import { NO_CLIENT } from "../../base/request-context.ts";
import type { Deps, StoreDeps } from "../../deps.ts";
import { SUSPENSION_BATCH } from "../../limits/session-limits.ts";
import { endFamiliesWithoutAccess } from "../../models/oauth-grant/family-state.ts";
import { listUnboundSessions, lockSessionsWithoutAccess } from "../../models/session/enforced-sessions.ts";
import { endSessionsIn, tokensLiveSince } from "../steps/sessions/end-sessions.ts";
import { endFamilies } from "../steps/tokens/token-family-events.ts";

export type EnforcementDeps = StoreDeps & { readonly revocations: Pick<Deps["revocations"], "announce"> };

const REASON = "sso_required";
/** Above every UUID. */
const LAST_ID = "ffffffff-ffff-ffff-ffff-ffffffffffff";
const END = {
  userId: null,
  actor: { userId: null, type: "system" },
  reason: REASON,
  auditAction: "auth.session.revoked",
  client: NO_CLIENT,
} as const;

/**
 * Revokes the sessions and token families to which an organization no longer gives access, in batches that are
 * announced one by one. Requests are refused before: each check of a session reads the rule. Every row is read once, so
 * the work is bounded by the live sessions of the organization. Rows that another replica holds are left to the
 * replica.
 */
export async function endCoveredSessions(
  deps: EnforcementDeps,
  organizationId: string,
  isStopped: () => boolean,
): Promise<void> {
  for (let before: string | undefined = LAST_ID; before !== undefined && !isStopped(); ) {
    before = await endSessionBatch(deps, organizationId, before);
  }
  for (let ended = SUSPENSION_BATCH; ended === SUSPENSION_BATCH && !isStopped(); ) {
    ended = await endFamilyBatch(deps, organizationId);
  }
}

/** Returns the id below which the next batch begins; undefined after the last batch. */
async function endSessionBatch(
  deps: EnforcementDeps,
  organizationId: string,
  before: string,
): Promise<string | undefined> {
  const at = new Date(deps.clock.now());
  const { events, ids } = await deps.database.transaction("session.revoke_many", async (sql) => {
    const page = { organizationId, before, since: tokensLiveSince(deps), limit: SUSPENSION_BATCH };
    const listed = await listUnboundSessions(sql, page);
    const locked = await lockSessionsWithoutAccess(sql, listed, at);
    return { ids: listed, events: await endSessionsIn(deps, sql, locked, END) };
  });
  await deps.revocations.announce(events);
  return ids.length < SUSPENSION_BATCH ? undefined : ids.at(-1);
}

async function endFamilyBatch(deps: EnforcementDeps, organizationId: string): Promise<number> {
  const at = new Date(deps.clock.now());
  const { ended, events } = await deps.database.transaction("oauth_family.end_many", (sql) =>
    endFamilies(
      sql,
      endFamiliesWithoutAccess(sql, organizationId, { reason: REASON, at, limit: SUSPENSION_BATCH }),
      REASON,
      at,
    ),
  );
  await deps.revocations.announce(events);
  return ended;
}
