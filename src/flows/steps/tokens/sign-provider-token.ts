import type { Deps } from "../../../deps.ts";
import { TOKEN_CHARACTERS_MAX } from "../../../limits/token-limits.ts";
import { encodeProviderHeader, signHere, signingInput, signProviderClaims } from "../../../models/token/compact.ts";
import { type FittedClaims, fitMappedClaims, type MappedClaim } from "../../../models/token/mapped-size.ts";
import { accessTokenHash } from "../../../models/token/provider-claims.ts";
import { fitClaims, type TokenShape } from "../../../models/token/token-size.ts";
import type { ProviderAlgorithm } from "../../../vocabulary/provider-algorithm.ts";
import { signRs256 } from "./issue-session-tokens.ts";

type SigningDeps = Pick<Deps, "keyRing" | "signing">;
type SizedKind = "oauth_access" | "id";

export interface ProviderToken {
  readonly kind: "oauth_access" | "id" | "authorization_response";
  readonly algorithm: ProviderAlgorithm;
  readonly claims: object;
}

/**
 * The claims of a token within the bound of its kind, cut in the documented order; undefined: the claims that cannot be
 * cut exceed the bound.
 */
export function fitToken<Given extends object>(
  { keyRing }: Pick<Deps, "keyRing">,
  kind: SizedKind,
  algorithm: ProviderAlgorithm,
  claims: Given,
): Given | undefined {
  return fitClaims(shapeOf({ keyRing }, kind, algorithm), claims);
}

/** As `fitToken`, with claims of mappings within `charactersMax`. */
export function fitMappedToken<Given extends object>(
  deps: Pick<Deps, "keyRing">,
  kind: SizedKind,
  algorithm: ProviderAlgorithm,
  claims: Given,
  mapped: readonly MappedClaim[],
  charactersMax: number = TOKEN_CHARACTERS_MAX[kind],
): FittedClaims<Given> | undefined {
  return fitMappedClaims(shapeOf(deps, kind, algorithm), claims, mapped, charactersMax);
}

function shapeOf({ keyRing }: Pick<Deps, "keyRing">, kind: SizedKind, algorithm: ProviderAlgorithm): TokenShape {
  const { kid } = algorithm === "RS256" ? keyRing.active() : keyRing.activeProvider(algorithm);
  return { kind, algorithm, header: encodeProviderHeader(kind, algorithm, kid) };
}

/** As `fitToken`, for claims whose part without cuts is known to fit. */
function fitted(deps: SigningDeps, { kind, algorithm, claims }: ProviderToken & { readonly kind: SizedKind }): object {
  const fitting = fitToken(deps, kind, algorithm, claims);
  if (!fitting) throw new Error(`the claims of a token of kind ${kind} exceed the bound`);
  return fitting;
}

/** The claims of an ID token with room for `at_hash`. */
function fittedId(deps: SigningDeps, id: Omit<ProviderToken, "kind">): object {
  const placeholder = { ...id.claims, at_hash: accessTokenHash("", id.algorithm) };
  const { at_hash: _placeholder, ...claims } = fitted(deps, { ...id, kind: "id", claims: placeholder }) as {
    readonly at_hash: string;
  };
  return claims;
}

/**
 * Signs a token for an application or an API under the active key of the algorithm. RS256 is signed in the pool, in
 * the turn of `fairnessKey`; a signature with another algorithm costs less than the messages of a job.
 */
export async function signProviderToken(deps: SigningDeps, fairnessKey: string, token: ProviderToken): Promise<string> {
  const { kind, algorithm } = token;
  const claims = kind === "authorization_response" ? token.claims : fitted(deps, { ...token, kind });
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
  const idClaims = fittedId(deps, id);
  if (access.algorithm === "RS256" && id.algorithm === "RS256") {
    const accessClaims = fitted(deps, { ...access, kind: "oauth_access" });
    return await signRs256Pair(deps, fairnessKey, accessClaims, idClaims);
  }
  const accessToken = await signProviderToken(deps, fairnessKey, { ...access, kind: "oauth_access" });
  const claims = { ...idClaims, at_hash: accessTokenHash(accessToken, id.algorithm) };
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
