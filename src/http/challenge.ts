/** WWW-Authenticate of endpoints that take Bearer tokens (RFC 6750, section 3; docs/contract.md, section 3.1). */
import type { Refusal } from "../base/problem.ts";
import type { Deps } from "../deps.ts";
import { DPOP_ALGORITHMS } from "../models/token/dpop-proof.ts";
import type { Endpoint } from "./endpoint.ts";
import { bearerToken } from "./guards/bearer.ts";
import { describable } from "./oauth-reply.ts";
import { statusOf } from "./problem-status.ts";

/** RFC 6750, section 3.1, and RFC 9470, section 3. */
type ChallengeError = "insufficient_scope" | "insufficient_user_authentication" | "invalid_token";

/** Browsers display no dialog for `Bearer`, so callers with a cookie receive the header too. */
export const CHALLENGE_HEADER = "www-authenticate";

/** Whether a 401 of the endpoint carries a challenge. Pages take no token; OAuth endpoints build their own. */
export function sendsChallenge({ auth, showRefusal, refusals }: Endpoint): boolean {
  return auth !== "none" && showRefusal === undefined && refusals === undefined;
}

/**
 * The challenge of a refused request; undefined for a refusal without a challenge. `isKnownCaller`: the presented
 * credential was valid, so a wrong password or code must not make a client discard the token.
 */
export function challengeOf(
  { config }: Pick<Deps, "config">,
  endpoint: Endpoint,
  request: Request,
  refused: Refusal,
  isKnownCaller: boolean,
): string | undefined {
  if (!sendsChallenge(endpoint)) return undefined;
  const { requiredScope } = refused;
  if (requiredScope === undefined && statusOf(refused.code) !== 401) return undefined;
  if (refused.proofError !== undefined) return proofChallenge(refused.proofError);
  const error = errorOf(request, refused, isKnownCaller);
  const parameters = [
    `realm="${config.urls.publicBaseUrl}"`,
    ...(error === undefined ? [] : [`error="${error}"`, `error_description="${describable(refused.message)}"`]),
    ...(requiredScope === undefined ? [] : [`scope="${requiredScope}"`]),
  ];
  return `Bearer ${parameters.join(", ")}`;
}

/** RFC 9449, sections 7.1 and 9. */
function proofChallenge(error: string): string {
  return `DPoP error="${error}", algs="${DPOP_ALGORITHMS.join(" ")}"`;
}

function errorOf(request: Request, refused: Refusal, isKnownCaller: boolean): ChallengeError | undefined {
  if (refused.requiredScope !== undefined) return "insufficient_scope";
  if (refused.code === "mfa_required") return "insufficient_user_authentication";
  if (isKnownCaller) return undefined;
  const authorization = request.headers.get("authorization");
  const token = authorization === null ? undefined : bearerToken(authorization);
  return token ? "invalid_token" : undefined;
}
