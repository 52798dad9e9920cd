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
import type { OAuthClient } from "../../models/oauth-client/oauth-client.ts";

export type ClientJwtDeps = Pick<Deps, "clientKeySets">;

export type VerifiedJwt = JWTVerifyResult<JWTPayload>;

/** Whether the client has registered public keys. */
export function hasKeys({ keys, jwksUri }: Pick<OAuthClient, "jwksUri" | "keys">): boolean {
  return keys.length > 0 || jwksUri !== null;
}

/**
 * A JWT with a valid signature by a key of the client, and claims by `options`; undefined: invalid, or the keys are
 * unavailable. `kid` is optional (RFC 7515, section 4.1.4): without `kid`, any key of the algorithm may have signed.
 */
export async function verifyClientJwt(
  deps: ClientJwtDeps,
  client: OAuthClient,
  jwt: string,
  options: JWTVerifyOptions & { readonly algorithms: string[] },
): Promise<VerifiedJwt | undefined> {
  try {
    return await jwtVerify(jwt, keysOf(deps, client), options);
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) return undefined;
    return await verifyByAny(error, jwt, options);
  }
}

function keysOf({ clientKeySets }: ClientJwtDeps, { keys, jwksUri, document }: OAuthClient): JWTVerifyGetKey {
  return jwksUri === null ? createLocalJWKSet({ keys: [...keys] }) : clientKeySets.find(jwksUri, document !== null);
}

async function verifyByAny(
  candidates: errors.JWKSMultipleMatchingKeys,
  jwt: string,
  options: JWTVerifyOptions,
): Promise<VerifiedJwt | undefined> {
  for await (const key of candidates) {
    const verified = await jwtVerify(jwt, key, options).catch(() => undefined);
    if (verified) return verified;
  }
  return undefined;
}
