import { type Refusal, refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";
import type { OAuthResource } from "../../models/oauth-resource/oauth-resource.ts";
import { DPOP_ALGORITHMS } from "../../models/token/dpop-proof.ts";
import { KEY_SCOPES } from "../../vocabulary/key-scope.ts";
import { USER_SCOPES } from "../../vocabulary/user-scopes.ts";

/** Protected resource metadata (RFC 9728, section 2). */
export interface ResourceDescription {
  readonly resource: string;
  readonly authorization_servers: readonly string[];
  readonly scopes_supported: readonly string[];
  readonly bearer_methods_supported: readonly ["header"];
  readonly dpop_signing_alg_values_supported: readonly string[];
  readonly dpop_bound_access_tokens_required?: true;
  readonly resource_name: string;
}

const NO_SUCH_API = refusal("not_found", "There is no such API.");

/** The API of this service. `path`: empty, or the route prefix. */
export function describeOwnApi({ config }: Pick<Deps, "config">, path: string): ResourceDescription {
  const issuer = config.urls.publicBaseUrl;
  return {
    ...commonMembers(issuer),
    resource: `${issuer}${path}`,
    scopes_supported: [...USER_SCOPES, ...KEY_SCOPES],
    resource_name: OWN_NAME,
  };
}

const OWN_NAME = "identity-service";

/** The metadata of a registered API, for a copy at the API. */
export function describeRegisteredApi(
  { config, oauthResources }: Pick<Deps, "config" | "oauthResources">,
  id: string,
): Result<ResourceDescription, Refusal<"not_found">> {
  const api = [...oauthResources.index().byKey.values()].find((each) => each.id === id.toLowerCase() && !each.disabled);
  return api ? ok(describeApi(config.urls.publicBaseUrl, api)) : err(NO_SUCH_API);
}

function describeApi(issuer: string, { identifier, name, scopes, dpop }: OAuthResource): ResourceDescription {
  return {
    ...commonMembers(issuer),
    resource: identifier,
    scopes_supported: scopes.map((scope) => scope.name),
    ...(dpop === "required" ? { dpop_bound_access_tokens_required: true } : {}),
    resource_name: name,
  };
}

function commonMembers(issuer: string) {
  return {
    authorization_servers: [issuer],
    bearer_methods_supported: ["header"],
    dpop_signing_alg_values_supported: DPOP_ALGORITHMS,
  } as const;
}
