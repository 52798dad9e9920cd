import { ok } from "../../base/result.ts";
import { clampPage } from "../../database/listing.ts";
import type { Deps, SessionDeps } from "../../deps.ts";
import { createConnection } from "../../flows/sso/connections/create.ts";
import { removeConnection } from "../../flows/sso/connections/delete.ts";
import {
  listConnectionAttempts,
  listOrganizationConnections,
  readConnection,
} from "../../flows/sso/connections/read.ts";
import { activateConnection, deactivateConnection } from "../../flows/sso/connections/set-status.ts";
import { takeConnectionOver } from "../../flows/sso/connections/take-over.ts";
import { updateConnectionSettings } from "../../flows/sso/connections/update.ts";
import type { Principal } from "../../flows/steps/authorization/authorize-platform-role.ts";
import { authorizeSsoManager, authorizeSsoReader } from "../../flows/steps/authorization/authorize-sso.ts";
import type { LiftingDeps } from "../../flows/steps/authorization/lifted-requirement.ts";
import { SAML_METADATA_BODY_MAX_BYTES } from "../../limits/saml-limits.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import type { KeyCaller } from "../guards/api-key.ts";
import type { Caller } from "../guards/caller.ts";
import { readVersion } from "../read-version.ts";
import { emptyReply, listReply, reply } from "../reply.ts";
import { listOf } from "../schemas/common.ts";
import { AttemptItem, ConfirmSettingsBody } from "../schemas/sso-attempts.ts";
import {
  ConnectionItem,
  ConnectionsQuery,
  CreateConnectionBody,
  UpdateConnectionBody,
} from "../schemas/sso-connections.ts";
import { attemptBody, connectionBody, settingsOf } from "../sso/sso-bodies.ts";

export type SsoConnectionRouteDeps = SessionDeps &
  LiftingDeps &
  Pick<Deps, "configKeys" | "domainDirectory" | "fetchIdpMetadata" | "reads" | "samlPool" | "ssoDirectory">;

const tag = "Single sign-on";
const COLLECTION = "/orgs/:org_id/sso/connections";
const ITEM = "/orgs/:org_id/sso/connections/:id";
const READ_PROBLEMS = ["not_found", "forbidden", "payment_required"] as const;
const CHANGE_PROBLEMS = [...READ_PROBLEMS, "mfa_required"] as const;

/** docs/contract.md, sections 29.6 and 29.8. */
export function ssoConnectionRoutes(deps: SsoConnectionRouteDeps): Endpoint[] {
  return [
    ...collectionRoutes(deps),
    ...itemRoutes(deps),
    ...confirmationRoutes(deps),
    deactivationRoute(deps),
    ...attemptRoutes(deps),
  ];
}

function authorizeManager(deps: SsoConnectionRouteDeps) {
  return (caller: Principal, params: { readonly org_id: string }) => authorizeSsoManager(deps, caller, params.org_id);
}

function authorizeReader(deps: SsoConnectionRouteDeps) {
  return (caller: Caller | KeyCaller, params: { readonly org_id: string }) =>
    authorizeSsoReader(deps, caller, params.org_id);
}

function collectionRoutes(deps: SsoConnectionRouteDeps): Endpoint[] {
  return [
    endpoint({
      method: "GET",
      path: COLLECTION,
      operationId: "listSsoConnections",
      docs: { clientMethod: "sso.connections.list", section: "29.6" },
      tag,
      summary: "List the connections of an organization",
      auth: "administrative",
      permission: "sso.read",
      input: { query: ConnectionsQuery },
      responses: { 200: { description: "Oldest first", schema: listOf(ConnectionItem) } },
      problems: READ_PROBLEMS,
      authorize: authorizeReader(deps),
      async handle({ authorized: caller, query }) {
        const page = clampPage(query.page, query.page_size);
        const listing = await listOrganizationConnections(deps, { caller, page });
        return listing.ok ? ok(listReply(listing.value, (view) => connectionBody(deps, view))) : listing;
      },
    }),
    endpoint({
      method: "POST",
      path: COLLECTION,
      operationId: "createSsoConnection",
      docs: { clientMethod: "sso.connections.create", section: "29.6" },
      stepUp: "grants_power",
      tag,
      summary: "Create a connection to an identity provider",
      description:
        "The status is `draft`. A draft without settings of the identity provider gives the addresses first.",
      auth: "administrative",
      permission: "sso.manage",
      input: { body: CreateConnectionBody, bodyMaxBytes: SAML_METADATA_BODY_MAX_BYTES },
      responses: { 201: { description: "Created", schema: ConnectionItem } },
      problems: [...CHANGE_PROBLEMS, "conflict"],
      authorize: authorizeManager(deps),
      async handle({ authorized: caller, body, client }) {
        const { protocol = "oidc", name, preset = "custom", ...rest } = body;
        const settings = { name, preset, ...settingsOf(rest) };
        const created = await createConnection(deps, { caller, client, protocol, preset, settings });
        return created.ok ? ok(reply(201, connectionBody(deps, created.value))) : created;
      },
    }),
  ];
}

function itemRoutes(deps: SsoConnectionRouteDeps): Endpoint[] {
  return [
    endpoint({
      method: "GET",
      path: ITEM,
      operationId: "getSsoConnection",
      version: { of: "connection", by: "id" },
      docs: { clientMethod: "sso.connections.get", section: "29.6" },
      tag,
      summary: "Get a connection",
      auth: "administrative",
      permission: "sso.read",
      responses: { 200: { description: "The connection", schema: ConnectionItem } },
      problems: READ_PROBLEMS,
      authorize: authorizeReader(deps),
      async handle({ authorized: caller, params }) {
        const found = await readConnection(deps, { caller, connectionId: params.id });
        return found.ok ? ok(reply(200, connectionBody(deps, found.value))) : found;
      },
    }),
    endpoint({
      method: "PATCH",
      path: ITEM,
      operationId: "updateSsoConnection",
      version: { of: "connection", by: "id" },
      docs: { clientMethod: "sso.connections.update", section: "29.6" },
      stepUp: "grants_power",
      tag,
      summary: "Change the settings of a connection",
      description: "A change that concerns security needs a new test before the next activation.",
      auth: "administrative",
      permission: "sso.manage",
      input: { body: UpdateConnectionBody, bodyMaxBytes: SAML_METADATA_BODY_MAX_BYTES },
      responses: { 200: { description: "The updated connection", schema: ConnectionItem } },
      problems: [...CHANGE_PROBLEMS, "conflict"],
      authorize: authorizeManager(deps),
      async handle({ authorized: caller, params, body, client }) {
        const { name, preset, unlink_identities: unlinkIdentities = false, ...rest } = body;
        const settings = { name, preset, ...settingsOf(rest) };
        const input = { caller, connectionId: params.id, client, settings, unlinkIdentities };
        const updated = await updateConnectionSettings(deps, input);
        return updated.ok ? ok(reply(200, connectionBody(deps, updated.value))) : updated;
      },
    }),
    endpoint({
      method: "DELETE",
      path: ITEM,
      operationId: "deleteSsoConnection",
      version: { of: "connection", by: "id" },
      docs: { clientMethod: "sso.connections.delete", section: "29.6" },
      tag,
      summary: "Delete a connection",
      description: "The sessions of the connection end at once, on every replica.",
      auth: "administrative",
      permission: "sso.manage",
      responses: { 204: { description: "Deleted" } },
      problems: [...CHANGE_PROBLEMS, "conflict"],
      authorize: authorizeManager(deps),
      async handle({ authorized: caller, params, client }) {
        const removed = await removeConnection(deps, { caller, connectionId: params.id, client });
        return removed.ok ? ok(emptyReply(204)) : removed;
      },
    }),
  ];
}

const CONFIRMATIONS = [
  {
    verb: "activate",
    operationId: "activateSsoConnection",
    clientMethod: "sso.connections.activate",
    summary: "Activate a connection",
    description: "Needs a verified domain, and a successful test since the last change that concerns security.",
    change: activateConnection,
  },
  {
    verb: "take-over",
    operationId: "takeSsoConnectionOver",
    clientMethod: "sso.connections.takeOver",
    summary: "Become responsible for the settings of an active connection",
    description: "Needs every permission behind the connection.",
    change: takeConnectionOver,
  },
] as const;

/** The caller confirms the settings of a connection, and is responsible for the connection afterwards. */
function confirmationRoutes(deps: SsoConnectionRouteDeps): Endpoint[] {
  return CONFIRMATIONS.map(({ verb, operationId, clientMethod, summary, description, change }) =>
    endpoint({
      method: "POST",
      path: `${ITEM}/${verb}` as const,
      operationId,
      docs: { clientMethod, section: "29.6" },
      stepUp: "grants_power",
      tag,
      summary,
      description,
      auth: "administrative",
      permission: "sso.manage",
      input: { body: ConfirmSettingsBody },
      responses: { 200: { description: "The connection", schema: ConnectionItem } },
      problems: [...CHANGE_PROBLEMS, "conflict"],
      authorize: authorizeManager(deps),
      async handle({ authorized: caller, params, body, client }) {
        const displayed = readVersion(body.updated_at);
        if (!displayed.ok) return displayed;
        const changed = await change(deps, { caller, connectionId: params.id, displayed: displayed.value, client });
        return changed.ok ? ok(reply(200, connectionBody(deps, changed.value))) : changed;
      },
    }),
  );
}

function deactivationRoute(deps: SsoConnectionRouteDeps): Endpoint {
  return endpoint({
    method: "POST",
    path: `${ITEM}/deactivate`,
    operationId: "deactivateSsoConnection",
    docs: { clientMethod: "sso.connections.deactivate", section: "29.6" },
    tag,
    summary: "Deactivate a connection",
    description: "The sessions of the connection end at once, on every replica.",
    auth: "administrative",
    permission: "sso.manage",
    responses: { 200: { description: "The connection", schema: ConnectionItem } },
    problems: [...CHANGE_PROBLEMS, "conflict"],
    authorize: authorizeManager(deps),
    async handle({ authorized: caller, params, client }) {
      const changed = await deactivateConnection(deps, { caller, connectionId: params.id, client });
      return changed.ok ? ok(reply(200, connectionBody(deps, changed.value))) : changed;
    },
  });
}

function attemptRoutes(deps: SsoConnectionRouteDeps): Endpoint[] {
  return [
    endpoint({
      method: "GET",
      path: `${ITEM}/attempts` as const,
      operationId: "listSsoAttempts",
      docs: { clientMethod: "sso.connections.attempts", section: "29.8" },
      tag,
      summary: "List the last attempts of a connection",
      description: "At most 200 attempts of 30 days.",
      auth: "administrative",
      permission: "sso.read",
      input: { query: ConnectionsQuery },
      responses: { 200: { description: "Newest first", schema: listOf(AttemptItem) } },
      problems: READ_PROBLEMS,
      authorize: authorizeReader(deps),
      async handle({ authorized: caller, params, query }) {
        const page = clampPage(query.page, query.page_size);
        const listing = await listConnectionAttempts(deps, { caller, connectionId: params.id, page });
        return listing.ok ? ok(listReply(listing.value, attemptBody)) : listing;
      },
    }),
  ];
}
