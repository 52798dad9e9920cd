/** Pushed authorization requests (RFC 9126; docs/contract.md, section 23.13). */
import { busy, type OAuthRefusal, oauthRefusal } from "../../../base/oauth-problem.ts";
import { hashOpaqueToken, makeOpaqueToken } from "../../../base/opaque-token.ts";
import { type Refusal, rateLimited } from "../../../base/problem.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import type { Deps } from "../../../deps.ts";
import { OAUTH_PUSHED_REQUEST_LIFETIME_MS, OAUTH_PUSHED_REQUESTS_MAX } from "../../../limits/oauth-limits.ts";
import type { OAuthClient } from "../../../models/oauth-client/oauth-client.ts";
import { isRegisteredUri } from "../../../models/oauth-client/redirect-uri.ts";
import { insertPushedRequest } from "../../../models/oauth-request/pushed-request.ts";
import {
  type AuthenticateClientDeps,
  authenticateClient,
  type ClientCredentials,
} from "../request/authenticate-client.ts";
import { parametersOf } from "../request/parameters.ts";
import { type PresentedProof, type VerifyProofDeps, verifyProof } from "../request/verify-proof.ts";
import { withReference } from "./consume-reference.ts";
import { consumeObject, readRequestObject } from "./request-object.ts";
import { validateAuthorization } from "./validate-authorization.ts";

export type PushRequestDeps = AuthenticateClientDeps & VerifyProofDeps & Pick<Deps, "keyRing" | "oauthResources">;

/** RFC 9126, section 2.2: the reference is a URN that ends with the single-use handle. */
export const REQUEST_URI_PREFIX = "urn:ietf:params:oauth:request_uri:";
/** Parameters that authenticate the client are no part of the authorization request. */
const CREDENTIALS = ["client_secret", "client_assertion", "client_assertion_type"] as const;

const TOO_MANY = rateLimited(
  "pushed_requests",
  OAUTH_PUSHED_REQUEST_LIFETIME_MS / 1000,
  "too many pushed requests of the client wait for a browser",
);

export interface PushedReference {
  readonly requestUri: string;
  readonly expiresInSeconds: number;
}

/**
 * POST /oauth2/par: authenticates the client, validates the request as the authorization endpoint does, and stores the
 * request for one use. `form`: the body, with at most one value for every name but `resource`. `admitAnonymous` counts
 * a request of a public client before storage: anyone can send the id of such a client.
 */
export async function pushRequest(
  deps: PushRequestDeps,
  presented: ClientCredentials & PresentedProof,
  form: URLSearchParams,
  admitAnonymous: () => Promise<Result<void, Refusal<"rate_limited">>>,
): Promise<Result<PushedReference, OAuthRefusal>> {
  const client = await authenticateClient(deps, presented);
  if (!client.ok) return client;
  if (form.has("request_uri")) return err(oauthRefusal("invalid_request", "request_uri cannot be pushed."));
  const plain = new URLSearchParams(form);
  for (const name of CREDENTIALS) plain.delete(name);
  plain.set("client_id", client.value.id);
  const read = await readRequestObject(deps, {
    client: client.value,
    search: plain,
    network: presented.requestContext.network,
  });
  if (!read.ok) return read;
  const pushed = read.value.parameters;
  const bound = await bindToProof(deps, client.value, presented, pushed);
  if (!bound.ok) return bound;
  const unregistered = redirectFlaw(client.value, pushed);
  if (unregistered) return err(unregistered);
  const validated = await validateAuthorization(deps, pushed);
  if (!validated.ok) return err(validated.error.refusal);
  const admitted = client.value.tokenAuthMethod === "none" ? await admitAnonymous() : ok(undefined);
  if (!admitted.ok) return err(busy(admitted.error));
  const handle = makeOpaqueToken(deps.random);
  const handleHash = hashOpaqueToken(handle);
  if (!handleHash) throw new Error("a handle of this service has no hash");
  const createdAt = new Date(deps.clock.now());
  const expiresAt = new Date(createdAt.getTime() + OAUTH_PUSHED_REQUEST_LIFETIME_MS);
  const stored = { handleHash, clientId: client.value.id, form: String(pushed), createdAt, expiresAt };
  // In one transaction: a client repeats a refused request with the same object, for example with a nonce.
  const { single } = read.value;
  const consume = single && consumeObject(client.value, single);
  const isStored = await withReference(deps, "oauth_request.push", consume, async (sql) =>
    (await insertPushedRequest(sql, stored, OAUTH_PUSHED_REQUESTS_MAX)) ? true : undefined,
  );
  if (!isStored.ok) return isStored;
  if (!isStored.value) return err(busy(TOO_MANY));
  return ok({
    requestUri: `${REQUEST_URI_PREFIX}${handle}`,
    expiresInSeconds: OAUTH_PUSHED_REQUEST_LIFETIME_MS / 1000,
  });
}

/** A proof binds the code to the key, as the parameter `dpop_jkt` does (RFC 9449, section 10.1). */
async function bindToProof(
  deps: PushRequestDeps,
  client: OAuthClient,
  presented: PresentedProof,
  pushed: URLSearchParams,
): Promise<Result<void, OAuthRefusal>> {
  const thumbprint = await verifyProof(deps, presented, { client });
  if (!thumbprint.ok) return thumbprint;
  if (thumbprint.value === undefined) return ok(undefined);
  const named = parametersOf(pushed).one("dpop_jkt");
  if (named !== undefined && named !== thumbprint.value) {
    return err(oauthRefusal("invalid_dpop_proof", "dpop_jkt is not the key of the DPoP proof."));
  }
  pushed.set("dpop_jkt", thumbprint.value);
  return ok(undefined);
}

/** RFC 9126, section 2.3, has a separate error for the redirect URI, with the code of RFC 7591. */
function redirectFlaw(client: OAuthClient, form: URLSearchParams): OAuthRefusal | undefined {
  const redirectUri = form.get("redirect_uri");
  if (!redirectUri || isRegisteredUri(redirectUri, client.redirectUris, client)) return undefined;
  return oauthRefusal("invalid_redirect_uri", "redirect_uri is not one that the application registered.");
}
