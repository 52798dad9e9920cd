/**
 * The verification of token responses with an ID token, for social sign-in and single sign-on (docs/contract.md,
 * sections 16.4 and 29.11).
 */
import { createHash } from "node:crypto";
import { compactVerify, decodeProtectedHeader } from "jose";
import * as oauth from "oauth4webapi";
import type { Clock } from "../../base/clock.ts";
import { ID_TOKEN_MAX_AGE_SECONDS } from "../../limits/provider-limits.ts";

export type Claims = Readonly<Record<string, unknown>>;

/** The accepted signature algorithms; the first is the algorithm of most identity providers. */
export const ID_TOKEN_ALGORITHMS = ["RS256", "PS256", "ES256", "EdDSA"] as const;

export interface TokenExpectation {
  /** Undefined: the request had no nonce, and the ID token must have none. */
  readonly nonce: string | undefined;
  /** Accepted age of the authentication in seconds; undefined: any age. */
  readonly maxAge?: number | undefined;
  readonly clock: Clock;
  readonly skewSeconds: number;
  /** The provider signs with the client secret (HS256) in place of a published key. */
  readonly signingSecret?: string | undefined;
  readonly calls: NonNullable<Parameters<typeof oauth.validateApplicationLevelSignature>[2]>;
}

export interface VerifiedTokens {
  readonly tokens: oauth.TokenEndpointResponse;
  readonly claims: Claims;
}

/**
 * OpenID Connect Core, section 3.1.3.7: issuer, audience, times, nonce, signature, authorized party and hash of the
 * access token. No caller reads a claim before the signature is verified. Throws for a response that does not conform;
 * messages contain no token and no value of a token.
 */
export async function verifyTokenResponse(
  server: oauth.AuthorizationServer,
  client: oauth.Client,
  response: Response,
  { nonce, maxAge, clock, skewSeconds, signingSecret, calls }: TokenExpectation,
): Promise<VerifiedTokens> {
  const algorithms = signingSecret === undefined ? [...ID_TOKEN_ALGORITHMS] : ["HS256"];
  const verifier = { ...server, id_token_signing_alg_values_supported: algorithms };
  const tokens = await oauth.processAuthorizationCodeResponse(verifier, client, response, {
    ...(nonce === undefined ? {} : { expectedNonce: nonce }),
    requireIdToken: true,
    ...(maxAge === undefined ? {} : { maxAge }),
  });
  // The library accepts the type DPoP too, but no request had a proof.
  if (tokens.token_type !== "bearer") {
    throw new oauth.UnsupportedOperationError("the token is no Bearer token", { cause: { body: tokens } });
  }
  const claims = oauth.getValidatedIdTokenClaims(tokens);
  if (!claims || tokens.id_token === undefined) throw new Error("the response has no ID token");
  if (signingSecret === undefined) await oauth.validateApplicationLevelSignature(server, response, calls);
  else await verifySymmetric(tokens.id_token, signingSecret);
  const { alg: algorithm = "" } = decodeProtectedHeader(tokens.id_token);
  const now = Math.floor(clock.now() / 1000);
  const { client_id: clientId } = client;
  const flaw = idTokenFlaw(claims, { clientId, accessToken: tokens.access_token, algorithm, now, skewSeconds });
  if (flaw) throw new Error(flaw);
  return { tokens, claims };
}

/** OpenID Connect Core, section 10.1: the key is the client secret. */
async function verifySymmetric(token: string, secret: string): Promise<void> {
  await compactVerify(token, new TextEncoder().encode(secret), { algorithms: ["HS256"] });
}

interface IdTokenContext {
  readonly clientId: string;
  readonly accessToken: string;
  /** `alg` of the verified token. */
  readonly algorithm: string;
  /** Seconds since the epoch. */
  readonly now: number;
  readonly skewSeconds: number;
}

/** The flaw of an ID token beyond the checks of the library, in words without values of the token. */
function idTokenFlaw(claims: Claims, context: IdTokenContext): string | undefined {
  const { clientId, now, skewSeconds } = context;
  const { iat, azp, at_hash: atHash, session_expiry: expiry } = claims;
  if (typeof iat !== "number") return "the ID token has no time of issue";
  if (iat > now + skewSeconds) return "the ID token was issued in the future";
  if (iat < now - ID_TOKEN_MAX_AGE_SECONDS - skewSeconds) return "the ID token was issued too long ago";
  if (typeof expiry === "number" && expiry <= now) return "the session at the identity provider has ended";
  if (azp !== undefined && azp !== clientId) return "the ID token was issued to another client (azp)";
  if (atHash !== undefined && atHash !== accessTokenHash(context)) return "the access token does not match at_hash";
  return undefined;
}

/** OpenID Connect Core, section 3.1.3.6: the left half of the hash, by the hash function of the signature. */
function accessTokenHash({ accessToken, algorithm }: IdTokenContext): string {
  const bits = algorithm === "EdDSA" ? "512" : algorithm.slice(-3);
  const digest = createHash(`sha${bits}`).update(accessToken).digest();
  return digest.subarray(0, digest.length / 2).toString("base64url");
}
