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
import { busy, type OAuthRefusal } from "../../../base/oauth-problem.ts";
import { rateLimited } from "../../../base/problem.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import type { Deps } from "../../../deps.ts";
import { CLIENT_DOCUMENT_WINDOW_MS, CLIENT_KEYS_TRIED_MAX } from "../../../limits/oauth-limits.ts";
import type { OAuthClient } from "../../../models/oauth-client/oauth-client.ts";
import { rulesOf } from "../../../models/oauth-client/provenance.ts";
import { KeysBusyError } from "../../../providers/client-keys.ts";
import { admitFetch, boundsOfHeldKeys, boundsOfUnknown } from "../documents/admit-fetch.ts";

export type ClientJwtDeps = Pick<Deps, "clientKeySets" | "state">;

export interface JwtOfClient {
  readonly client: OAuthClient;
  readonly jwt: string;
  /** The network of the caller, whose fetches of keys have a bound. */
  readonly network: string;
}

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

const TOO_MANY = rateLimited("client_documents", CLIENT_DOCUMENT_WINDOW_MS / 1000, "too many key sets are fetched");

/**
 * A JWT with a valid signature by a key of the client, and claims by `options`; undefined: invalid, or the keys are
 * unavailable. Beyond the bounds of fetches the problem is `temporarily_unavailable`: an application forgets a
 * registration after `invalid_client`. The JWT has the type `type`, the type `JWT`, or no type, as from clients that
 * are older than the types.
 * `kid` is optional (RFC 7515, section 4.1.4): without `kid`, any of the first `CLIENT_KEYS_TRIED_MAX` keys of the
 * algorithm may have signed.
 */
export async function verifyClientJwt(
  deps: ClientJwtDeps,
  presented: JwtOfClient,
  { type, ...options }: JWTVerifyOptions & { readonly algorithms: string[]; readonly type: ClientJwtType },
): Promise<Result<VerifiedJwt | undefined, OAuthRefusal<"temporarily_unavailable">>> {
  try {
    const verified = await verifySignature(deps, presented, options);
    return ok(isOfType(verified?.protectedHeader.typ, type) ? verified : undefined);
  } catch (error) {
    return error instanceof KeysBusyError ? err(busy(TOO_MANY)) : ok(undefined);
  }
}

async function verifySignature(
  deps: ClientJwtDeps,
  presented: JwtOfClient,
  options: JWTVerifyOptions,
): Promise<VerifiedJwt | undefined> {
  try {
    return await jwtVerify(presented.jwt, keysOf(deps, presented), options);
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error;
    return await verifyByAny(error, presented.jwt, options);
  }
}

function keysOf(deps: ClientJwtDeps, { client, network }: JwtOfClient): JWTVerifyGetKey {
  const { keys, jwksUri } = client;
  if (jwksUri === null) return createLocalJWKSet({ keys: [...keys] });
  if (rulesOf(client).keysByAddressMax === null) return deps.clientKeySets.find(jwksUri);
  const url = new URL(jwksUri);
  const admit = (isHeld: boolean) =>
    admitFetch(deps, isHeld ? boundsOfHeldKeys(url, network) : boundsOfUnknown(url, network));
  return deps.clientKeySets.findUnregistered({ uri: jwksUri, network, admit });
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
