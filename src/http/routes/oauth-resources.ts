import { refusal } from "../../base/problem.ts";
import { err, ok } from "../../base/result.ts";
import { clampPage } from "../../database/listing.ts";
import type { Deps } from "../../deps.ts";
import { describeOwnApi, describeRegisteredApi } from "../../flows/discovery/describe-resource.ts";
import { resourceSetup } from "../../flows/oauth/presets/setup.ts";
import {
  type AdministerResourcesDeps,
  changeResource,
  createResource,
  listAllResources,
  removeResource,
} from "../../flows/oauth/resources/administer-resources.ts";
import { authorizePlatform } from "../../flows/steps/authorization/authorize-platform-role.ts";
import { authorizeSteppedUpPlatform } from "../../flows/steps/authorization/authorize-stepped-up-admin.ts";
import { JWKS_MAX_AGE_SECONDS } from "../../limits/session-limits.ts";
import type { OAuthResource } from "../../models/oauth-resource/oauth-resource.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { resourceChangeOf } from "../oauth/oauth-resource-settings.ts";
import { resourceRegistration } from "../oauth/preset-registration.ts";
import { OWN_RESOURCE_METADATA } from "../oauth-reply.ts";
import { emptyReply, listReply, reply } from "../reply.ts";
import { listOf, PageQuery } from "../schemas/common.ts";
import {
  ChangeOAuthResource,
  OAuthResourceItem,
  RegisteredOAuthResource,
  RegisterOAuthResource,
} from "../schemas/oauth-resources.ts";
import { ProtectedResource, RoutePrefix } from "../schemas/resource-metadata.ts";

const common = { tag: "OpenID provider", auth: "administrative" } as const;

/** docs/contract.md, section 23.12. */
export function oauthResourceRoutes(
  deps: AdministerResourcesDeps & Pick<Deps, "config" | "oauthResources">,
): Endpoint[] {
  return [...administrationRoutes(deps), ...metadataRoutes(deps)];
}

function administrationRoutes(deps: AdministerResourcesDeps & Pick<Deps, "config">): Endpoint[] {
  return [
    endpoint({
      ...common,
      method: "GET",
      path: "/admin/resources",
      operationId: "listOAuthResources",
      permission: "resources.read",
      docs: { clientMethod: "admin.resources.list", section: "23.12" },
      summary: "List the APIs with their scopes",
      input: { query: PageQuery },
      responses: { 200: { description: "Newest first", schema: listOf(OAuthResourceItem) } },
      problems: ["forbidden", "mfa_required"],
      authorize: (caller, _, permission) => authorizePlatform(deps, caller, permission),
      async handle({ authorized: caller, query }) {
        const page = clampPage(query.page, query.page_size);
        return ok(listReply(await listAllResources(deps, { caller, page }), resourceBody));
      },
    }),
    endpoint({
      ...common,
      method: "POST",
      path: "/admin/resources",
      operationId: "createOAuthResource",
      permission: "resources.write",
      docs: { clientMethod: "admin.resources.create", section: "23.12" },
      stepUp: "grants_power",
      summary: "Register an API",
      description: "The consent page displays the descriptions of its scopes.",
      input: { body: RegisterOAuthResource },
      responses: { 201: { description: "The API", schema: RegisteredOAuthResource } },
      problems: ["forbidden", "mfa_required", "conflict"],
      authorize: (caller, _, permission) => authorizeSteppedUpPlatform(deps, caller, permission),
      async handle({ authorized: caller, body, client }) {
        const settings = resourceRegistration(deps, body);
        if (!settings.ok) return settings;
        const created = await createResource(deps, { caller, client, settings: settings.value });
        if (!created.ok) return created;
        const setup = resourceSetup(deps, created.value);
        return ok(reply(201, { ...resourceBody(created.value), ...(setup ? { setup } : {}) }));
      },
    }),
    endpoint({
      ...common,
      method: "PATCH",
      path: "/admin/resources/:id",
      operationId: "changeOAuthResource",
      version: { of: "resource", by: "id" },
      permission: "resources.write",
      docs: { clientMethod: "admin.resources.update", section: "23.12" },
      stepUp: "grants_power",
      summary: "Change an API",
      description: "Absent members keep their values; `scopes` replaces the whole list.",
      input: { body: ChangeOAuthResource },
      responses: { 200: { description: "The API", schema: OAuthResourceItem } },
      problems: ["forbidden", "mfa_required", "not_found"],
      authorize: (caller, _, permission) => authorizeSteppedUpPlatform(deps, caller, permission),
      async handle({ authorized: caller, params, body, client }) {
        const changed = await changeResource(deps, { caller, client, id: params.id, change: resourceChangeOf(body) });
        return changed.ok ? ok(reply(200, resourceBody(changed.value))) : changed;
      },
    }),
    endpoint({
      ...common,
      method: "DELETE",
      path: "/admin/resources/:id",
      operationId: "deleteOAuthResource",
      version: { of: "resource", by: "id" },
      permission: "resources.write",
      docs: { clientMethod: "admin.resources.delete", section: "23.12" },
      summary: "Delete an API",
      description: "Applications and consents that name the API stay unchanged.",
      responses: { 204: { description: "Deleted" } },
      problems: ["forbidden", "mfa_required", "not_found"],
      authorize: (caller, _, permission) => authorizeSteppedUpPlatform(deps, caller, permission),
      async handle({ authorized: caller, params, client }) {
        const removed = await removeResource(deps, { caller, client, id: params.id });
        return removed.ok ? ok(emptyReply(204)) : removed;
      },
    }),
  ];
}

function resourceBody({ createdAt, updatedAt, ...settings }: OAuthResource) {
  const { id, identifier, name, scopes, signingAlg, dpop, disabled, tokenLifetimeSeconds, minAcr, openTo } = settings;
  const tokens = { signing_alg: signingAlg, dpop, token_lifetime_seconds: tokenLifetimeSeconds, min_acr: minAcr };
  const { claims, claimMappings, organizations } = settings;
  const access = { claims: [...claims], claim_mappings: claimMappings, open_to: openTo, organizations };
  const times = { created_at: createdAt.toISOString(), updated_at: updatedAt.toISOString() };
  return { id, identifier, name, scopes, ...tokens, ...access, disabled, preset: settings.preset, ...times };
}

const NO_SUCH_RESOURCE = refusal("not_found", "There is no such resource.");
const CACHE = { "cache-control": `public, max-age=${JWKS_MAX_AGE_SECONDS}` };

const metadata = {
  method: "GET",
  prefixed: false,
  crossOrigin: "any",
  tag: "Discovery",
  auth: "none",
  responses: {
    200: { description: "RFC 9728, section 2", schema: ProtectedResource, headers: ["Cache-Control"] },
  },
} as const;

/** Protected resource metadata (RFC 9728; docs/contract.md, section 23.27). */
function metadataRoutes(deps: Pick<Deps, "config" | "oauthResources">): Endpoint[] {
  return [
    endpoint({
      ...metadata,
      path: OWN_RESOURCE_METADATA,
      operationId: "getProtectedResource",
      docs: { clientMethod: "discovery.protectedResource", section: "23.27" },
      summary: "Metadata of this service as a resource server",
      problems: [],
      handle: () => ok(reply(200, describeOwnApi(deps, ""), { headers: CACHE })),
    }),
    endpoint({
      ...metadata,
      path: `${OWN_RESOURCE_METADATA}/:prefix`,
      docs: { clientMethod: "discovery.protectedApi", section: "23.27", params: { prefix: RoutePrefix } },
      input: { textParameters: true },
      operationId: "getProtectedResourceOfApi",
      summary: "Metadata of the API below the route prefix",
      problems: ["not_found"],
      handle({ params }) {
        const path = `/${params.prefix}`;
        if (path !== deps.config.urls.routePrefix) return err(NO_SUCH_RESOURCE);
        return ok(reply(200, describeOwnApi(deps, path), { headers: CACHE }));
      },
    }),
    endpoint({
      ...metadata,
      path: `${OWN_RESOURCE_METADATA}/resources/:id`,
      operationId: "getProtectedResourceOfOAuthResource",
      docs: { clientMethod: "discovery.registeredApi", section: "23.27" },
      summary: "Metadata of a registered API",
      description: "For a copy at `/.well-known/oauth-protected-resource` of the API.",
      problems: ["not_found"],
      handle({ params }) {
        const described = describeRegisteredApi(deps, params.id);
        return described.ok ? ok(reply(200, described.value, { headers: CACHE })) : described;
      },
    }),
  ];
}
