/** JWTs that a client signs: assertions for authentication, and request objects. */
import {
  createLocalJWKSet,
  errors,
  type JWTPayload,
  type JWTVerifyGetKey,
  type JWTVerifyOptions,
  type JWTVerifyResult,
  jwtVerify,
} from "jose";
import type { Deps } from "../../deps.ts";
import { CLIENT_KEYS_TRIED_MAX } from "../../limits/oauth-limits.ts";
import type { OAuthClient } from "../../models/oauth-client/oauth-client.ts";
import { rulesOf } from "../../models/oauth-client/provenance.ts";

export type ClientJwtDeps = Pick<Deps, "clientKeySets">;

export type VerifiedJwt = JWTVerifyResult<JWTPayload>;

/**
 * The explicit types of JWTs that a client signs (RFC 9101, section 10.8; draft-ietf-oauth-rfc7523bis). A JWT for
 * another purpose, such as an access token or a proof of possession, is refused (RFC 8725, section 3.11).
 */
export type ClientJwtType = "client-authentication+jwt" | "oauth-authz-req+jwt";

/** Whether the client has registered public keys. */
export function hasKeys({ keys, jwksUri }: Pick<OAuthClient, "jwksUri" | "keys">): boolean {
  return keys.length > 0 || jwksUri !== null;
}

/**
 * A JWT with a valid signature by a key of the client, and claims by `options`; undefined: invalid, or the keys are
 * unavailable. The JWT has the type `type`, the type `JWT`, or no type, as from clients that are older than the types.
 * `kid` is optional (RFC 7515, section 4.1.4): without `kid`, any of the first `CLIENT_KEYS_TRIED_MAX` keys of the
 * algorithm may have signed.
 */
export async function verifyClientJwt(
  deps: ClientJwtDeps,
  client: OAuthClient,
  jwt: string,
  { type, ...options }: JWTVerifyOptions & { readonly algorithms: string[]; readonly type: ClientJwtType },
): Promise<VerifiedJwt | undefined> {
  const verified = await verifySignature(deps, client, jwt, options);
  return verified && isOfType(verified.protectedHeader.typ, type) ? verified : undefined;
}

async function verifySignature(
  deps: ClientJwtDeps,
  client: OAuthClient,
  jwt: string,
  options: JWTVerifyOptions,
): Promise<VerifiedJwt | undefined> {
  try {
    return await jwtVerify(jwt, keysOf(deps, client), options);
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) return undefined;
    return await verifyByAny(error, jwt, options);
  }
}

function keysOf({ clientKeySets }: ClientJwtDeps, client: OAuthClient): JWTVerifyGetKey {
  const { keys, jwksUri } = client;
  if (jwksUri === null) return createLocalJWKSet({ keys: [...keys] });
  return clientKeySets.find(jwksUri, rulesOf(client).keysByAddressMax !== null);
}

/** Whether the explicit type of a JWT is as expected: a media type, of which `application/` may be left out. */
function isOfType(presented: string | undefined, expected: ClientJwtType): boolean {
  const type = presented?.toLowerCase().replace(/^application\//, "");
  return type === undefined || type === "jwt" || type === expected;
}

async function verifyByAny(
  candidates: errors.JWKSMultipleMatchingKeys,
  jwt: string,
  options: JWTVerifyOptions,
): Promise<VerifiedJwt | undefined> {
  let tried = 0;
  for await (const key of candidates) {
    tried += 1;
    if (tried > CLIENT_KEYS_TRIED_MAX) return undefined;
    const verified = await jwtVerify(jwt, key, options).catch(() => undefined);
    if (verified) return verified;
  }
  return undefined;
}
