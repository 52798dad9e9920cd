/** The parameters of an authorization request: from the browser, from a signed object, or from a pushed request. */
import { type OAuthRefusal, oauthRefusal } from "../../../base/oauth-problem.ts";
import { hashOpaqueToken } from "../../../base/opaque-token.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import type { Deps } from "../../../deps.ts";
import type { OAuthClient } from "../../../models/oauth-client/oauth-client.ts";
import { consumePushedRequest, findPushedRequest } from "../../../models/oauth-request/pushed-request.ts";
import type { ConsumeReference } from "./consume-reference.ts";
import { REQUEST_URI_PREFIX } from "./push-request.ts";
import { consumeObject, type RequestObjectDeps, readRequestObject } from "./request-object.ts";

export type ResolveRequestDeps = RequestObjectDeps & Pick<Deps, "database" | "oauthClients">;

const INVALID_REFERENCE = oauthRefusal(
  "invalid_request_uri",
  "This request_uri was used before, is not one of the application, or has expired.",
);
/** Displayed by the service: the parameters of the browser, the redirect URI included, do not count. */
const NOT_PUSHED = oauthRefusal("invalid_request", "The application must push its requests to /oauth2/par.");

export interface ResolvedRequest {
  readonly search: URLSearchParams;
  /** Undefined: the request may be repeated. */
  readonly consume?: ConsumeReference;
}

/**
 * Resolves a reference of this service, or reads the signed request object; `consume` of the result uses the reference
 * or object. Parameters beside a reference or an object are ignored (RFC 9126, section 4; RFC 9101, section 6.3). A
 * refusal has no redirect. `network`: the network of the caller, whose fetches of keys have a bound.
 */
export async function resolveRequest(
  deps: ResolveRequestDeps,
  search: URLSearchParams,
  network: string,
): Promise<Result<ResolvedRequest, OAuthRefusal>> {
  const references = search.getAll("request_uri");
  const [requestUri = ""] = references;
  if (!requestUri.startsWith(REQUEST_URI_PREFIX)) return await resolvePlainRequest(deps, search, network);
  const [clientIds, handleHash] = [
    search.getAll("client_id"),
    hashOpaqueToken(requestUri.slice(REQUEST_URI_PREFIX.length)),
  ];
  const [clientId = ""] = clientIds;
  const client = deps.oauthClients.find(clientId);
  const isSingle = references.length === 1 && clientIds.length === 1;
  if (!isSingle || !client || !handleHash) return err(INVALID_REFERENCE);
  const at = new Date(deps.clock.now());
  const presented = { handleHash, clientId: client.id, at };
  const form = await deps.database.run("oauth_request.find_pushed", (sql) => findPushedRequest(sql, presented));
  if (form === undefined) return err(INVALID_REFERENCE);
  const consume: ConsumeReference = async (sql) =>
    (await consumePushedRequest(sql, presented)) ? ok(undefined) : err(INVALID_REFERENCE);
  return ok({ search: new URLSearchParams(form), consume });
}

/** An unknown client is left to the validation of the request. */
async function resolvePlainRequest(
  deps: ResolveRequestDeps,
  search: URLSearchParams,
  network: string,
): Promise<Result<ResolvedRequest, OAuthRefusal>> {
  const client = deps.oauthClients.find(search.get("client_id") ?? "");
  if (!client) return ok({ search });
  if (requiresPush(deps, client)) return err(NOT_PUSHED);
  const read = await readRequestObject(deps, { client, search, network });
  if (!read.ok) return read;
  const { parameters, single } = read.value;
  return ok({ search: parameters, ...(single && { consume: consumeObject(client, single) }) });
}

function requiresPush({ config }: Pick<Deps, "config">, client: OAuthClient): boolean {
  return config.oauth.requirePushedRequests || client.requirePushedRequests || client.profile === "fapi2";
}
