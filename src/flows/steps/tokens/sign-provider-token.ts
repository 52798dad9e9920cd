import type { ProviderAlgorithm } from "../../../base/provider-algorithm.ts";
import type { Deps } from "../../../deps.ts";
import { encodeProviderHeader, signHere, signingInput, signProviderClaims } from "../../../models/token/compact.ts";
import { accessTokenHash } from "../../../models/token/provider-claims.ts";
import { signRs256 } from "./issue-session-tokens.ts";

type SigningDeps = Pick<Deps, "keyRing" | "signing">;

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
  deps: SigningDeps,
  fairnessKey: string,
  { kind, algorithm, claims }: ProviderToken,
): Promise<string> {
  if (algorithm !== "RS256") return signProviderClaims(deps.keyRing.activeProvider(algorithm), kind, claims);
  return await signRs256(deps, fairnessKey, claims, ({ kid }) => encodeProviderHeader(kind, algorithm, kid));
}

/** An access token, and the ID token that names the access token by `at_hash`. */
export interface ProviderTokenPair {
  readonly accessToken: string;
  readonly idToken: string;
}

/** Signs both tokens of a response. `id`: the claims without `at_hash`. With RS256 for both, one job signs both. */
export async function signProviderPair(
  deps: SigningDeps,
  fairnessKey: string,
  access: Omit<ProviderToken, "kind">,
  id: Omit<ProviderToken, "kind">,
): Promise<ProviderTokenPair> {
  if (access.algorithm === "RS256" && id.algorithm === "RS256") {
    return await signRs256Pair(deps, fairnessKey, access.claims, id.claims);
  }
  const accessToken = await signProviderToken(deps, fairnessKey, { ...access, kind: "oauth_access" });
  const claims = { ...id.claims, at_hash: accessTokenHash(accessToken, id.algorithm) };
  return { accessToken, idToken: await signProviderToken(deps, fairnessKey, { ...id, kind: "id", claims }) };
}

async function signRs256Pair(
  { keyRing, signing }: SigningDeps,
  fairnessKey: string,
  accessClaims: object,
  idClaims: object,
): Promise<ProviderTokenPair> {
  const { kid, privateKeyPem } = keyRing.active();
  const input = signingInput(encodeProviderHeader("oauth_access", "RS256", kid), accessClaims);
  const encodedHeader = encodeProviderHeader("id", "RS256", kid);
  const job = { key: { kid, privateKeyPem }, input, idToken: { encodedHeader, claims: JSON.stringify(idClaims) } };
  const signed = await signing.run(job, fairnessKey);
  if (!signed.ok && signed.code === "bad_key") throw new Error("the active signing key cannot sign");
  if (signed.ok && signed.idToken) return { accessToken: `${input}.${signed.signature}`, idToken: signed.idToken };
  // After a refusal of the pool, as `signRs256`.
  const accessToken = `${input}.${await signHere(privateKeyPem, input)}`;
  const idInput = signingInput(encodedHeader, { ...idClaims, at_hash: accessTokenHash(accessToken, "RS256") });
  return { accessToken, idToken: `${idInput}.${await signHere(privateKeyPem, idInput)}` };
}
