/** The challenge of an API (`WWW-Authenticate`). */
import { PROOF_ALGORITHMS } from "./proof-key.ts";
import type { RefusalCode } from "./refusal.ts";
import type { ResourceRequirements } from "./resource-requirements.ts";

/** `DPoP` for tokens that are bound to a key. */
export type Scheme = "Bearer" | "DPoP";

const ERRORS: Partial<Record<RefusalCode, string>> = {
  missing_token: "",
  invalid_token: "invalid_token",
  expired_token: "invalid_token",
  revoked_session: "invalid_token",
  insufficient_scope: "insufficient_scope",
  insufficient_authentication: "insufficient_user_authentication",
  invalid_dpop_proof: "invalid_dpop_proof",
  use_dpop_nonce: "use_dpop_nonce",
};

/**
 * RFC 6750, section 3; RFC 9449, section 7.1; RFC 9470, section 3; RFC 9728, section 5.1. A 503 has no challenge.
 */
export function challengeOf(
  scheme: Scheme,
  code: RefusalCode,
  { scopes = [], acr, maxAge }: ResourceRequirements,
  metadata: string,
): { readonly challenge?: string } {
  const error = ERRORS[code];
  if (error === undefined) return {};
  const needsSignIn = code === "insufficient_authentication";
  const parameters = [
    ...(error === "" ? [] : [`error="${error}"`]),
    ...(needsSignIn && acr !== undefined ? [`acr_values="${acr}"`] : []),
    ...(needsSignIn && maxAge !== undefined ? [`max_age="${maxAge}"`] : []),
    ...(scopes.length === 0 ? [] : [`scope="${scopes.join(" ")}"`]),
    ...(scheme === "DPoP" ? [`algs="${PROOF_ALGORITHMS.join(" ")}"`] : []),
    `resource_metadata="${metadata}"`,
  ];
  return { challenge: `${scheme} ${parameters.join(", ")}` };
}
