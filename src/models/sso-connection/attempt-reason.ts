/** The reasons of a refused sign-in through a connection: a closed set (docs/contract.md, section 29.8). */
export const ATTEMPT_REASONS = [
  "state",
  "discovery",
  "provider_error",
  "issuer",
  "token_request",
  "id_token",
  "nonce",
  "userinfo",
  "subject",
  "domain",
  "email_not_verified",
  "disabled",
  "not_a_member",
  "identity_conflict",
  "link_required",
  "not_invited",
  "changed",
] as const;

export type AttemptReason = (typeof ATTEMPT_REASONS)[number];
