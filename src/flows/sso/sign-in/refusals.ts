/** The refusals of a sign-in by single sign-on: one reason of a closed set, and a problem that names no account. */
import { type Refusal, refusal } from "../../../base/problem.ts";
import { SAML_REASONS, type SamlReason } from "../../../pool/saml-protocol.ts";
import { OPENID_REASONS, type OpenidReason } from "../../../providers/sso/openid-failure.ts";
import { PROVISIONING_REASONS, type ProvisioningReason } from "./decide-provisioning.ts";

export const SSO_REASONS = [
  "state",
  ...OPENID_REASONS,
  ...SAML_REASONS.filter((reason) => reason !== "issuer"),
  "replayed",
  ...PROVISIONING_REASONS,
  "step_up",
  "changed",
] as const;
export type SsoReason = (typeof SSO_REASONS)[number];

export type SsoProblem = "authentication_required" | "conflict" | "forbidden" | "internal_error" | "rate_limited";

export const UNKNOWN_REQUEST = refusal("authentication_required", "The sign-in has expired. Start again.", "state");
const NOT_ACCEPTED = refusal(
  "authentication_required",
  "The response of your company's identity provider was not accepted. Start again, or ask your administrator.",
);
/** One text for all accounts: the browser learns nothing about accounts and memberships. */
const NOT_ADMITTED = refusal("forbidden", "Your company's account cannot be used to sign in. Ask your administrator.");
const IN_CONFLICT = refusal("conflict", "Your company's account cannot be used to sign in. Ask your administrator.");

const BY_REASON: Readonly<
  Record<Exclude<SsoReason, OpenidReason | SamlReason | ProvisioningReason>, Refusal<SsoProblem>>
> = {
  state: UNKNOWN_REQUEST,
  replayed: NOT_ACCEPTED,
  step_up: NOT_ACCEPTED,
  changed: NOT_ACCEPTED,
};

/** Returns the problem of an identity provider without a response. The cause is for the log. */
export function ssoUnavailable(cause: string): Refusal<"internal_error"> {
  return refusal("internal_error", "Your company's identity provider cannot be reached. Try again later.", cause);
}

/** Returns the problem of a reason. */
export function ssoRefusal(reason: SsoReason): Refusal<SsoProblem> {
  if (reason === "identity_conflict") return IN_CONFLICT;
  if (PROVISIONING_REASONS.some((each) => each === reason)) return NOT_ADMITTED;
  return reason in BY_REASON ? BY_REASON[reason as keyof typeof BY_REASON] : NOT_ACCEPTED;
}
