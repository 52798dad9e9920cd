import { isUserScope } from "../../../vocabulary/user-scopes.ts";
/** The requested scopes and resource servers. */

import { type OAuthRefusal, oauthRefusal } from "../../../base/oauth-problem.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import type { Deps } from "../../../deps.ts";
import {
  OAUTH_RESOURCES_MAX,
  OAUTH_RESOURCES_TEXT_MAX_CHARACTERS,
  OAUTH_SCOPE_TEXT_MAX_CHARACTERS,
} from "../../../limits/oauth-limits.ts";
import type { OAuthClient } from "../../../models/oauth-client/oauth-client.ts";
import type { ProviderAlgorithm } from "../../../vocabulary/provider-algorithm.ts";
import { resourceKey } from "../../../vocabulary/resource-key.ts";
import type { Parameters } from "./parameters.ts";

/** A scope token (RFC 6749, section 3.3). */
const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]+$/;

const MALFORMED_SCOPE = oauthRefusal("invalid_scope", "scope is malformed or too long.");

/**
 * The requested scopes that the client may have; further scopes are left out (RFC 6749, section 3.3). Without the
 * parameter: for a user the scopes of `defaultScopes`, for a client all its scopes. An empty result, and too many
 * scopes for one token, are `invalid_scope`.
 */
export function requestedScopes(
  deps: Pick<Deps, "oauthResources">,
  client: OAuthClient,
  parameters: Parameters,
  whose: "user" | "client",
): Result<readonly string[], OAuthRefusal<"invalid_scope">> {
  const permitted = client.scopes.filter((scope) => whose === "user" || !isUserScope(scope));
  const requested = readScopes(parameters);
  if (!requested.ok) return requested;
  if (requested.value === undefined) {
    const scopes = whose === "user" ? defaultScopes(deps, client, permitted, parameters) : permitted;
    if (scopes.join(" ").length <= OAUTH_SCOPE_TEXT_MAX_CHARACTERS) return ok(scopes);
    return err(oauthRefusal("invalid_scope", "All scopes of the client are too long for one token: name the scopes."));
  }
  const granted = requested.value.filter((scope) => permitted.includes(scope));
  if (granted.length === 0) return err(oauthRefusal("invalid_scope", "The client may have none of these scopes."));
  return ok(granted);
}

/**
 * The scopes of a request that names no scope: `openid`; for a client without `openid`, and for a client that no
 * administrator registered, also the scopes of the APIs that the request names, because such clients learn no scopes.
 */
function defaultScopes(
  { oauthResources }: Pick<Deps, "oauthResources">,
  { kind }: OAuthClient,
  permitted: readonly string[],
  parameters: Parameters,
): readonly string[] {
  const openid = permitted.filter((scope) => scope === "openid");
  if (kind === "registered" && openid.length > 0) return openid;
  const { byKey } = oauthResources.index();
  const apis = parameters.all("resource").flatMap((resource) => byKey.get(resourceKey(resource)) ?? []);
  const offered = new Set(apis.flatMap(({ scopes }) => scopes.map(({ name }) => name)));
  return [...openid, ...permitted.filter((scope) => offered.has(scope))];
}

/**
 * The distinct scopes of the parameter `scope`; undefined without a scope. Repeated, leading and trailing spaces are
 * ignored: clients that join lists send such spaces.
 */
export function readScopes(
  parameters: Parameters,
): Result<readonly string[] | undefined, OAuthRefusal<"invalid_scope">> {
  const scopes = [...new Set(parameters.one("scope")?.split(" ").filter(Boolean))];
  if (scopes.length === 0) return ok(undefined);
  const bounded = scopes.join(" ").length <= OAUTH_SCOPE_TEXT_MAX_CHARACTERS;
  return bounded && scopes.every((scope) => SCOPE.test(scope)) ? ok(scopes) : err(MALFORMED_SCOPE);
}

/** The resource servers of a client for a new authorization: a disabled API is unavailable. */
export function availableResources(
  { oauthResources }: Pick<Deps, "oauthResources">,
  { resources }: Pick<OAuthClient, "resources">,
): readonly string[] {
  const { byKey } = oauthResources.index();
  return resources.filter((resource) => !byKey.get(resourceKey(resource))?.disabled);
}

/** Whether the present settings of the client, and the APIs, still permit access that was requested earlier. */
export function isStillPermitted(
  deps: Pick<Deps, "oauthResources">,
  client: Pick<OAuthClient, "resources" | "scopes">,
  { scopes, resources }: { readonly scopes: readonly string[]; readonly resources: readonly string[] },
): boolean {
  const available = availableResources(deps, client);
  return (
    scopes.every((scope) => client.scopes.includes(scope)) &&
    resources.every((resource) => findResource(available, resource) !== undefined)
  );
}

/**
 * The algorithm of an access token: the algorithm of the requested APIs if they have one in common, else RS256, which
 * every API verifies. An unregistered resource server has RS256. FAPI 2.0 replaces RS256 by the algorithm of the ID
 * tokens of the client (section 5.4.1).
 */
export function accessTokenAlgorithm(
  { oauthResources }: Pick<Deps, "oauthResources">,
  { profile, idTokenSignedResponseAlg }: Pick<OAuthClient, "idTokenSignedResponseAlg" | "profile">,
  resources: readonly string[],
): ProviderAlgorithm {
  const { byKey } = oauthResources.index();
  const algorithms = new Set(resources.map((resource) => byKey.get(resourceKey(resource))?.signingAlg ?? "RS256"));
  const [first = "RS256"] = algorithms;
  const algorithm = algorithms.size === 1 ? first : "RS256";
  return profile === "fapi2" && algorithm === "RS256" ? idTokenSignedResponseAlg : algorithm;
}

/** Whether an API among the resource servers accepts only tokens that are bound to a key (DPoP). */
export function needsProof({ oauthResources }: Pick<Deps, "oauthResources">, resources: readonly string[]): boolean {
  const { byKey } = oauthResources.index();
  return resources.some((resource) => byKey.get(resourceKey(resource))?.dpop === "required");
}

/** The identifier of a list that names the same resource server, compared as URIs (RFC 8707, section 2). */
export function findResource(identifiers: readonly string[], resource: string): string | undefined {
  const key = resourceKey(resource);
  return identifiers.find((identifier) => resourceKey(identifier) === key);
}

/** The identifiers as their APIs are registered, for `aud`: a verifier compares the text. */
export function registeredIdentifiers(
  { oauthResources }: Pick<Deps, "oauthResources">,
  resources: readonly string[],
): readonly string[] {
  const { byKey } = oauthResources.index();
  return resources.map((resource) => byKey.get(resourceKey(resource))?.identifier ?? resource);
}

/**
 * The requested resource servers among the `permitted`, as the client has registered the servers; undefined: the
 * request names no server (RFC 8707, section 2).
 */
export function requestedResources(
  permitted: readonly string[],
  parameters: Parameters,
): Result<readonly string[] | undefined, OAuthRefusal<"invalid_target">> {
  const named = [...new Set(parameters.all("resource"))];
  if (named.length === 0) return ok(undefined);
  const found = named.slice(0, OAUTH_RESOURCES_MAX).flatMap((resource) => findResource(permitted, resource) ?? []);
  const resources = [...new Set(found)];
  const bounded = resources.join(" ").length <= OAUTH_RESOURCES_TEXT_MAX_CHARACTERS;
  if (!bounded || found.length < named.length) {
    return err(oauthRefusal("invalid_target", "The client may not ask for this resource."));
  }
  return ok(resources);
}
