import { ok } from "../../base/result.ts";
import { clampPage } from "../../database/listing.ts";
import {
  type AdministerResourcesDeps,
  changeResource,
  createResource,
  listAllResources,
  removeResource,
} from "../../flows/oauth-resources/administer-resources.ts";
import { authorizePlatformRole } from "../../flows/steps/authorization/authorize-platform-role.ts";
import { authorizeSteppedUpAdmin } from "../../flows/steps/authorization/authorize-stepped-up-admin.ts";
import type { OAuthResource } from "../../models/oauth-resource/oauth-resource.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { resourceChangeOf, resourceSettingsOf } from "../oauth-resource-settings.ts";
import { emptyReply, listReply, reply } from "../reply.ts";
import { listOf, PageQuery } from "../schemas/common.ts";
import { ChangeOAuthResource, CreateOAuthResource, OAuthResourceItem } from "../schemas/oauth-resources.ts";

const common = { tag: "OpenID provider", auth: "caller" } as const;

/** docs/contract.md, section 23.12. */
export function oauthResourceRoutes(deps: AdministerResourcesDeps): Endpoint[] {
  return [
    endpoint({
      ...common,
      method: "GET",
      path: "/admin/resources",
      operationId: "listOAuthResources",
      summary: "List the APIs with their scopes",
      query: PageQuery,
      responses: { 200: { description: "Newest first", schema: listOf(OAuthResourceItem) } },
      problems: ["forbidden", "mfa_required"],
      authorize: ({ session }) => authorizePlatformRole(deps, session, "viewer"),
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
      summary: "Register an API",
      description: "The consent page displays the descriptions of its scopes.",
      body: CreateOAuthResource,
      responses: { 201: { description: "The API", schema: OAuthResourceItem } },
      problems: ["forbidden", "mfa_required", "conflict"],
      authorize: ({ session }) => authorizeSteppedUpAdmin(deps, session),
      async handle({ authorized: caller, body, client }) {
        const created = await createResource(deps, { caller, client, settings: resourceSettingsOf(body) });
        return created.ok ? ok(reply(201, resourceBody(created.value))) : created;
      },
    }),
    endpoint({
      ...common,
      method: "PATCH",
      path: "/admin/resources/:id",
      operationId: "changeOAuthResource",
      summary: "Change an API",
      description: "Absent members keep their values; `scopes` replaces the whole list.",
      body: ChangeOAuthResource,
      responses: { 200: { description: "The API", schema: OAuthResourceItem } },
      problems: ["forbidden", "mfa_required", "not_found"],
      authorize: ({ session }) => authorizeSteppedUpAdmin(deps, session),
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
      summary: "Delete an API",
      description: "Applications and consents that name the API stay unchanged.",
      responses: { 204: { description: "Deleted" } },
      problems: ["forbidden", "mfa_required", "not_found"],
      authorize: ({ session }) => authorizeSteppedUpAdmin(deps, session),
      async handle({ authorized: caller, params, client }) {
        const removed = await removeResource(deps, { caller, client, id: params.id });
        return removed.ok ? ok(emptyReply(204)) : removed;
      },
    }),
  ];
}

function resourceBody({ createdAt, updatedAt, ...settings }: OAuthResource) {
  const { id, identifier, name, scopes, signingAlg, dpop, disabled } = settings;
  const times = { created_at: createdAt.toISOString(), updated_at: updatedAt.toISOString() };
  return { id, identifier, name, scopes, signing_alg: signingAlg, dpop, disabled, ...times };
}
