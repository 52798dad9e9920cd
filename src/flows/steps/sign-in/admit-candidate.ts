import { err, ok, type Result } from "../../../base/result.ts";
import type { AdmissibleCandidate, SignInCandidate } from "../../../models/user/sign-in-candidate.ts";

/** The reason why an account cannot sign in with any credential: for the audit trail, never for the client. */
export type NotAdmitted = "unknown_account" | "account_disabled" | "no_membership" | typeof SSO_REQUIRED;

/** Every organization of the user requires single sign-on: revealed once the credential has been verified. */
export const SSO_REQUIRED = "sso_required";

/** Admits a candidate that exists and is enabled. */
export function admitEnabled(
  candidate: SignInCandidate | undefined,
): Result<SignInCandidate, Exclude<NotAdmitted, "no_membership" | typeof SSO_REQUIRED>> {
  if (!candidate) return err("unknown_account");
  return candidate.disabled ? err("account_disabled") : ok(candidate);
}

/**
 * Admits a candidate that exists, is enabled and has a membership in an organization that is not suspended and admits
 * the method of the sign-in.
 */
export function admitCandidate(candidate: SignInCandidate | undefined): Result<AdmissibleCandidate, NotAdmitted> {
  const enabled = admitEnabled(candidate);
  if (!enabled.ok) return enabled;
  const { organizationId, ssoOrganizationId } = enabled.value;
  if (organizationId !== null) return ok({ ...enabled.value, organizationId });
  return err(ssoOrganizationId === null ? "no_membership" : SSO_REQUIRED);
}
