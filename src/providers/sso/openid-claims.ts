/** Checks of an ID token beyond the checks of the library (docs/contract.md, section 29.11). */
import { createHash } from "node:crypto";
import { SSO_ID_TOKEN_MAX_AGE_SECONDS } from "../../limits/sso-sign-in-limits.ts";

export type Claims = Readonly<Record<string, unknown>>;

/** The accepted signature algorithms; the first is the algorithm of most identity providers. */
export const ID_TOKEN_ALGORITHMS = ["RS256", "PS256", "ES256", "EdDSA"] as const;

export interface IdTokenContext {
  readonly clientId: string;
  readonly accessToken: string;
  /** `alg` of the verified token. */
  readonly algorithm: string;
  /** Seconds since the epoch. */
  readonly now: number;
  readonly skewSeconds: number;
}

/** The flaw of an ID token with a verified signature, in words without values of the token; undefined: no flaw. */
export function idTokenFlaw(claims: Claims, context: IdTokenContext): string | undefined {
  const { clientId, now, skewSeconds } = context;
  const { iat, azp, at_hash: atHash, session_expiry: expiry } = claims;
  if (typeof iat !== "number") return "the ID token has no time of issue";
  if (iat > now + skewSeconds) return "the ID token was issued in the future";
  if (iat < now - SSO_ID_TOKEN_MAX_AGE_SECONDS - skewSeconds) return "the ID token was issued too long ago";
  if (typeof expiry === "number" && expiry <= now) return "the session at the identity provider has ended";
  if (azp !== undefined && azp !== clientId) return "the ID token was issued to another client (azp)";
  if (atHash !== undefined && atHash !== accessTokenHash(context)) return "the access token does not match at_hash";
  return undefined;
}

/** OpenID Connect Core, section 3.1.3.6: the left half of the hash, by the hash function of the signature. */
function accessTokenHash({ accessToken, algorithm }: IdTokenContext): string {
  const digest = createHash(algorithm === "EdDSA" ? "sha512" : "sha256")
    .update(accessToken)
    .digest();
  return digest.subarray(0, digest.length / 2).toString("base64url");
}
