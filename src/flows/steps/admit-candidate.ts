import { err, ok, type Result } from "../../base/result.ts";
import type { AdmissibleCandidate, SignInCandidate } from "../../models/user/user.ts";

/** Why an account cannot sign in, whatever was shown for it. For the audit trail, never for the client. */
export type NotAdmitted = "unknown_account" | "account_disabled" | "no_membership";

/** Admits a candidate that exists, is enabled and has a membership in an organization that is not suspended. */
export function admitCandidate(candidate: SignInCandidate | undefined): Result<AdmissibleCandidate, NotAdmitted> {
  if (!candidate) return err("unknown_account");
  if (candidate.disabled) return err("account_disabled");
  const { organizationId } = candidate;
  return organizationId === null ? err("no_membership") : ok({ ...candidate, organizationId });
}
