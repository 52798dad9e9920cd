import type { Refusal } from "../../../base/problem.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import type { Deps } from "../../../deps.ts";
import type { AdmissibleCandidate, SignInCandidate } from "../../../models/user/sign-in-candidate.ts";
import { personalOrganizationId } from "../../../vocabulary/personal-organization.ts";
import type { AccessRule } from "../../../vocabulary/policy-settings.ts";
import { entryRefusalOf } from "../sessions/organization-rules.ts";

/** The reason why an account cannot sign in with any credential: for the audit trail, never for the client. */
export type NotAdmitted = "unknown_account" | "account_disabled" | typeof UNCONFIRMED | "no_membership" | ClosedReason;

/** The credential was set up shortly before a reset, and the user has not confirmed the credential since. */
export const UNCONFIRMED = "awaits_confirmation";

/** Every organization of the user refuses the sign-in: revealed once the credential has been verified. */
type ClosedReason = "sso_required" | "address_not_permitted" | "method_not_permitted";

const CLOSED_REASONS = {
  sso_required: "sso_required",
  address: "address_not_permitted",
  method: "method_not_permitted",
  session: "method_not_permitted",
} as const satisfies Record<Exclude<AccessRule, "factor">, ClosedReason>;

/** Admits a candidate that exists, is enabled, and was found by an address that awaits no confirmation. */
export function admitEnabled(
  candidate: SignInCandidate | undefined,
): Result<SignInCandidate, Exclude<NotAdmitted, "no_membership" | ClosedReason>> {
  if (!candidate) return err("unknown_account");
  if (candidate.disabled) return err("account_disabled");
  return candidate.addressHeld ? err(UNCONFIRMED) : ok(candidate);
}

/**
 * Admits a candidate that exists, is enabled and has a membership in an organization that is not suspended and admits
 * the method of the sign-in.
 */
export function admitCandidate(candidate: SignInCandidate | undefined): Result<AdmissibleCandidate, NotAdmitted> {
  const enabled = admitEnabled(candidate);
  if (!enabled.ok) return enabled;
  const { organizationId, closedBy } = enabled.value;
  if (organizationId !== null) return ok({ ...enabled.value, organizationId });
  return err(closedBy === null || closedBy === "factor" ? "no_membership" : CLOSED_REASONS[closedBy]);
}

/**
 * As `admitCandidate`, for a sign-in by a method of the user's own. Where users register without a team, a user whom no
 * organization admits signs in to the personal organization, which the statement of the sign-in creates: after the end
 * of the last membership, or while every organization is suspended. `requested`: the organization of the request.
 */
export function admitOwnMethod(
  { registration }: Pick<Deps, "registration">,
  candidate: SignInCandidate | undefined,
  requested?: string | undefined,
): Result<AdmissibleCandidate, NotAdmitted> {
  const admitted = admitCandidate(candidate);
  if (admitted.ok || admitted.error !== "no_membership" || !candidate || candidate.closedBy !== null) return admitted;
  if (requested !== undefined || registration.settings().mode !== "personal") return admitted;
  return ok({ ...candidate, organizationId: personalOrganizationId(candidate.userId), createsPersonal: true });
}

/** The problem of a candidate whose credential was right and whose organizations refuse the sign-in, if any. */
export function closedRefusal(
  candidate: SignInCandidate | undefined,
  reason: string,
): Refusal<"forbidden" | "sso_required"> | undefined {
  if (!candidate || !(Object.values(CLOSED_REASONS) as string[]).includes(reason)) return undefined;
  const { closedBy, closedOrganizationId } = candidate;
  if (closedOrganizationId === null || closedBy === null || closedBy === "factor") return undefined;
  return entryRefusalOf(closedBy, closedOrganizationId);
}
