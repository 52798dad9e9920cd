import type { Sql } from "../../database/database.ts";
import type { Deps, StoreDeps } from "../../deps.ts";
import { logChangeOfOrganization, type SessionEvent } from "../../models/session/revocation.ts";
import { tokensDeadAt } from "../steps/sessions/end-sessions.ts";

export type PolicyDeps = StoreDeps & {
  readonly revocations: Pick<Deps["revocations"], "announce">;
  readonly ssoDirectory: Pick<Deps["ssoDirectory"], "changed">;
};

/**
 * Inserts the event that drops the cached views of all sessions in the organization: the next check of a session reads
 * the policy. Returns the event to announce after the commit.
 */
export async function logPolicyChange(
  deps: StoreDeps,
  sql: Sql,
  organizationId: string,
  reason: "policy_changed" | "sso_policy_changed",
  at: Date,
): Promise<readonly SessionEvent[]> {
  return await logChangeOfOrganization(sql, organizationId, {
    reason,
    at,
    tokensDeadAt: tokensDeadAt(deps, at),
  });
}

/** Tells the replicas about a changed policy, after the commit. */
export async function announcePolicy(
  { revocations, ssoDirectory }: PolicyDeps,
  events: readonly SessionEvent[],
): Promise<void> {
  await Promise.all([revocations.announce(events), ssoDirectory.changed()]);
}
