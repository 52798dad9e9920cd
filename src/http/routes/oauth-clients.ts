import { ok } from "../../base/result.ts";
import { clampPage } from "../../database/listing.ts";
import type { StoreDeps } from "../../deps.ts";
import {
  type AdministerClientsDeps,
  addSecret,
  changeClient,
  createClient,
  removeClient,
  removeSecret,
} from "../../flows/oauth/clients/administer-clients.ts";
import { listAllClients } from "../../flows/oauth/clients/list-clients.ts";
import { clientSetup } from "../../flows/oauth/presets/setup.ts";
import {
  authorizeClientAdministrator,
  authorizeClientReader,
} from "../../flows/steps/authorization/authorize-client-administration.ts";
import { OAUTH_CLIENT_END_IDLE_SECONDS } from "../../limits/oauth-limits.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { changeOf, clientBody, clientWithSecret } from "../oauth/oauth-client-settings.ts";
import { clientRegistration } from "../oauth/preset-registration.ts";
import { emptyReply, listReply, reply } from "../reply.ts";
import { listOf, PageQuery } from "../schemas/common.ts";
import {
  ChangeOAuthClient,
  OAuthClientItem,
  OAuthClientWithSecret,
  RegisteredOAuthClient,
  RegisterOAuthClient,
} from "../schemas/oauth-clients.ts";

const reading = { tag: "OpenID provider", auth: "administrative", permission: "oauth_clients.read" } as const;
const changing = { tag: "OpenID provider", auth: "administrative", permission: "oauth_clients.write" } as const;

type ClientRouteDeps = StoreDeps & AdministerClientsDeps;

/** docs/contract.md, section 23.3. */
export function oauthClientRoutes(deps: ClientRouteDeps): Endpoint[] {
  return [...listingRoutes(deps), ...changeRoutes(deps), ...secretRoutes(deps)];
}

function listingRoutes(deps: ClientRouteDeps): Endpoint[] {
  return [
    endpoint({
      ...reading,
      method: "GET",
      path: "/admin/oauth-clients",
      operationId: "listOAuthClients",
      docs: { clientMethod: "admin.oauthClients.list", section: "23.3" },
      summary: "List the applications that may sign users in",
      input: { query: PageQuery },
      responses: { 200: { description: "Newest first", schema: listOf(OAuthClientItem) } },
      problems: ["forbidden", "mfa_required"],
      authorize: (principal) => authorizeClientReader(deps, principal),
      async handle({ authorized: caller, query }) {
        const page = clampPage(query.page, query.page_size);
        return ok(listReply(await listAllClients(deps, { caller, page }), clientBody));
      },
    }),
    endpoint({
      ...changing,
      method: "POST",
      path: "/admin/oauth-clients",
      operationId: "createOAuthClient",
      docs: { clientMethod: "admin.oauthClients.create", section: "23.3" },
      stepUp: "adds_credential",
      summary: "Register an application",
      description:
        "The response has the secret, for a method with a secret, this once. With a preset, the response has the " +
        "configuration of the product.",
      input: { body: RegisterOAuthClient },
      responses: { 201: { description: "The application and its first secret", schema: RegisteredOAuthClient } },
      problems: ["forbidden", "mfa_required", "conflict"],
      authorize: (principal) => authorizeClientAdministrator(deps, principal),
      async handle({ authorized: caller, body, client }) {
        const settings = clientRegistration(deps, body);
        if (!settings.ok) return settings;
        const created = await createClient(deps, { caller, client, settings: settings.value });
        if (!created.ok) return created;
        const setup = clientSetup(deps, created.value.client);
        return ok(reply(201, { ...clientWithSecret(created.value), ...(setup ? { setup } : {}) }));
      },
    }),
  ];
}

function changeRoutes(deps: ClientRouteDeps): Endpoint[] {
  return [
    endpoint({
      ...changing,
      method: "PATCH",
      path: "/admin/oauth-clients/:id",
      operationId: "changeOAuthClient",
      version: { of: "client", by: "id" },
      docs: { clientMethod: "admin.oauthClients.update", section: "23.3" },
      stepUp: "grants_power",
      summary: "Change an application",
      description:
        "Absent members keep their values. Disabling ends every token of the application. A change to a method with " +
        "a secret returns the first secret, this once.",
      input: { body: ChangeOAuthClient },
      responses: { 200: { description: "The application, and a new secret", schema: OAuthClientWithSecret } },
      problems: ["forbidden", "mfa_required", "not_found"],
      authorize: (principal) => authorizeClientAdministrator(deps, principal),
      async handle({ authorized: caller, params, body, client, waitAtMost }) {
        waitAtMost(OAUTH_CLIENT_END_IDLE_SECONDS);
        const changed = await changeClient(deps, { caller, client, id: params.id, change: changeOf(body) });
        return changed.ok ? ok(reply(200, clientWithSecret(changed.value))) : changed;
      },
    }),
    endpoint({
      ...changing,
      method: "DELETE",
      path: "/admin/oauth-clients/:id",
      operationId: "deleteOAuthClient",
      version: { of: "client", by: "id" },
      docs: { clientMethod: "admin.oauthClients.delete", section: "23.3" },
      summary: "Delete an application",
      description: "Ends the access by every user, and every token.",
      responses: { 204: { description: "Deleted" } },
      problems: ["forbidden", "mfa_required", "not_found"],
      authorize: (principal) => authorizeClientAdministrator(deps, principal),
      async handle({ authorized: caller, params, client, waitAtMost }) {
        waitAtMost(OAUTH_CLIENT_END_IDLE_SECONDS);
        const removed = await removeClient(deps, { caller, client, id: params.id });
        return removed.ok ? ok(emptyReply(204)) : removed;
      },
    }),
  ];
}

function secretRoutes(deps: ClientRouteDeps): Endpoint[] {
  return [
    endpoint({
      ...changing,
      method: "POST",
      path: "/admin/oauth-clients/:id/secrets",
      operationId: "addOAuthClientSecret",
      docs: { clientMethod: "admin.oauthClients.addSecret", section: "23.3" },
      stepUp: "adds_credential",
      summary: "Make a further secret of an application",
      description: "Both secrets are valid until the deletion of either secret.",
      responses: { 201: { description: "The application and its new secret", schema: OAuthClientWithSecret } },
      problems: ["forbidden", "mfa_required", "not_found", "conflict"],
      authorize: (principal) => authorizeClientAdministrator(deps, principal),
      async handle({ authorized: caller, params, client }) {
        const added = await addSecret(deps, { caller, client, id: params.id });
        return added.ok ? ok(reply(201, clientWithSecret(added.value))) : added;
      },
    }),
    endpoint({
      ...changing,
      method: "DELETE",
      path: "/admin/oauth-clients/:id/secrets/:secret_id",
      operationId: "deleteOAuthClientSecret",
      docs: { clientMethod: "admin.oauthClients.deleteSecret", section: "23.3", access: "platform admin, step-up" },
      summary: "Delete a secret of an application",
      responses: { 204: { description: "Deleted" } },
      problems: ["forbidden", "mfa_required", "not_found"],
      authorize: (principal) => authorizeClientAdministrator(deps, principal),
      async handle({ authorized: caller, params, client }) {
        const removed = await removeSecret(deps, { caller, client, id: params.id, secretId: params.secret_id });
        return removed.ok ? ok(emptyReply(204)) : removed;
      },
    }),
  ];
}
