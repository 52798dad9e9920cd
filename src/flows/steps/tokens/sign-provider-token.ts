import type { ProviderAlgorithm } from "../../../base/provider-algorithm.ts";
import type { Deps } from "../../../deps.ts";
import { encodeProviderHeader, signProviderClaims } from "../../../models/token/compact.ts";
import { signRs256 } from "./issue-session-tokens.ts";

export interface ProviderToken {
  readonly kind: "oauth_access" | "id" | "authorization_response";
  readonly algorithm: ProviderAlgorithm;
  readonly claims: object;
}

/**
 * Signs a token for an application or an API under the active key of the algorithm. RS256 is signed in the pool, in
 * the turn of `fairnessKey`; a signature with another algorithm costs less than the messages of a job.
 */
export async function signProviderToken(
  deps: Pick<Deps, "keyRing" | "signing">,
  fairnessKey: string,
  { kind, algorithm, claims }: ProviderToken,
): Promise<string> {
  if (algorithm !== "RS256") return signProviderClaims(deps.keyRing.activeProvider(algorithm), kind, claims);
  return await signRs256(deps, fairnessKey, claims, ({ kid }) => encodeProviderHeader(kind, algorithm, kid));
}
