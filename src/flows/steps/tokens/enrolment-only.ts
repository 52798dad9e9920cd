import { isUnavailable } from "../../../base/unavailable.ts";
import type { SessionDeps } from "../../../deps.ts";
import { findFactorMissing } from "../../../models/session/enrolment.ts";
import type { Session } from "../../../models/session/session.ts";
import type { PolicyInForce } from "../../../vocabulary/policy-settings.ts";

/**
 * Whether a session may only enrol a factor (docs/contract.md, sections 29.18 and 33.4), for the claim of its access
 * token. A session that the policies in memory cannot concern costs no statement.
 */
export async function isEnrolmentOnly(
  { clock, database, ssoDirectory }: Pick<SessionDeps, "clock" | "database" | "ssoDirectory">,
  session: Session,
): Promise<boolean> {
  const at = new Date(clock.now());
  const { organizationId } = session;
  const requiresOwn = session.authMethod === "sso" && ssoDirectory.policyOf(organizationId).requireOwnFactor;
  if (!requiresOwn && !mayLackFactor(ssoDirectory.rulesOf(organizationId, at), session)) return false;
  try {
    return await database.run("session.find_factor_missing", (sql) => findFactorMissing(sql, session, at));
  } catch (error) {
    // The rotation is committed, and a repeated refresh may come after the grace period. The next refresh asks again.
    if (isUnavailable(error)) return true;
    throw error;
  }
}

function mayLackFactor(policy: PolicyInForce | null, { aal, phishingResistant }: Session): boolean {
  if (policy === null) return false;
  if (aal === "aal1") return policy.mfa !== "optional" || !policy.trustedBrowsers;
  return policy.mfa === "phishing_resistant" && !phishingResistant;
}
