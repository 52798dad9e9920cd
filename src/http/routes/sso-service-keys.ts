import { ok } from "../../base/result.ts";
import type { Deps, StoreDeps } from "../../deps.ts";
import {
  addServiceKey,
  promoteServiceKey,
  publishedKeys,
  removePreviousServiceKey,
} from "../../flows/sso/connections/service-keys.ts";
import type { Principal } from "../../flows/steps/authorization/authorize-platform-role.ts";
import { authorizeSsoManager } from "../../flows/steps/authorization/authorize-sso.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { emptyReply, reply } from "../reply.ts";
import { ConnectionItem, ServiceKeysDocument } from "../schemas/sso-connections.ts";
import { connectionBody } from "../sso/sso-bodies.ts";

type ServiceKeyDeps = StoreDeps & Pick<Deps, "configKeys" | "ssoDirectory">;

const tag = "Single sign-on";
const ITEM = "/orgs/:org_id/sso/connections/:id";
const CHANGE_PROBLEMS = ["not_found", "forbidden", "payment_required", "mfa_required", "conflict"] as const;
const CACHED_FOR_MINUTES = { "cache-control": "public, max-age=300" };

/** docs/contract.md, section 29.8. */
export function serviceKeyRoutes(deps: ServiceKeyDeps): Endpoint[] {
  return [...changeRoutes(deps), publicKeysRoute(deps)];
}

function authorizeManager(deps: ServiceKeyDeps) {
  return (caller: Principal, params: { readonly org_id: string }) => authorizeSsoManager(deps, caller, params.org_id);
}

function changeRoutes(deps: ServiceKeyDeps): Endpoint[] {
  return [
    endpoint({
      method: "POST",
      path: `${ITEM}/service-key` as const,
      operationId: "addSsoServiceKey",
      docs: { clientMethod: "sso.connections.addServiceKey", section: "29.8" },
      stepUp: "adds_credential",
      tag,
      summary: "Make the next key of the service for a connection",
      description: "The key is published at `jwks_uri` beside the current key. The first key is the current key.",
      auth: "administrative",
      permission: "sso.manage",
      responses: { 201: { description: "The connection with the key", schema: ConnectionItem } },
      problems: [...CHANGE_PROBLEMS, "invalid_input"],
      authorize: authorizeManager(deps),
      async handle({ authorized: caller, params, client }) {
        const added = await addServiceKey(deps, { caller, connectionId: params.id, client });
        return added.ok ? ok(reply(201, connectionBody(deps, added.value))) : added;
      },
    }),
    endpoint({
      method: "POST",
      path: `${ITEM}/service-key/promote` as const,
      operationId: "promoteSsoServiceKey",
      docs: { clientMethod: "sso.connections.promoteServiceKey", section: "29.8" },
      stepUp: "adds_credential",
      tag,
      summary: "Sign with the next key",
      description: "The current key becomes the previous key and stays published.",
      auth: "administrative",
      permission: "sso.manage",
      responses: { 200: { description: "The connection", schema: ConnectionItem } },
      problems: CHANGE_PROBLEMS,
      authorize: authorizeManager(deps),
      async handle({ authorized: caller, params, client }) {
        const promoted = await promoteServiceKey(deps, { caller, connectionId: params.id, client });
        return promoted.ok ? ok(reply(200, connectionBody(deps, promoted.value))) : promoted;
      },
    }),
    endpoint({
      method: "DELETE",
      path: `${ITEM}/service-key/previous` as const,
      operationId: "deletePreviousSsoServiceKey",
      docs: { clientMethod: "sso.connections.deletePreviousServiceKey", section: "29.8" },
      tag,
      summary: "Withdraw the previous key",
      auth: "administrative",
      permission: "sso.manage",
      responses: { 204: { description: "No longer published" } },
      problems: CHANGE_PROBLEMS,
      authorize: authorizeManager(deps),
      async handle({ authorized: caller, params, client }) {
        const removed = await removePreviousServiceKey(deps, { caller, connectionId: params.id, client });
        return removed.ok ? ok(emptyReply(204)) : removed;
      },
    }),
  ];
}

function publicKeysRoute(deps: ServiceKeyDeps): Endpoint {
  return endpoint({
    method: "GET",
    path: "/auth/sso/:connection_id/jwks",
    operationId: "getSsoServiceKeys",
    docs: { clientMethod: "sso.connections.keys", section: "29.8" },
    tag,
    summary: "Get the public keys of the service for a connection",
    auth: "none",
    responses: { 200: { description: "The next, current and previous key", schema: ServiceKeysDocument } },
    problems: ["not_found"],
    async handle({ params }) {
      const keys = publishedKeys(deps, params.connection_id);
      if (!keys.ok) return keys;
      return ok(reply(200, { keys: [...keys.value] }, { headers: CACHED_FOR_MINUTES }));
    },
  });
}
