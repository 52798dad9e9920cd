import { err, ok } from "../../base/result.ts";
import type { Deps, EmailDeps, SessionDeps } from "../../deps.ts";
import type { SsoSettingsDeps } from "../../flows/sso/connections/create.ts";
import { importMetadata } from "../../flows/sso/connections/import-metadata.ts";
import { NO_SUCH_CONNECTION } from "../../flows/sso/connections/read.ts";
import { updateConnectionSettings } from "../../flows/sso/connections/update.ts";
import {
  createSetupConnection,
  readSetupConnection,
  requestActivation,
  startSetupTest,
} from "../../flows/sso/setup-links/connection.ts";
import type { SsoDeps } from "../../flows/sso/sign-in/connection.ts";
import { readConnectionTest } from "../../flows/sso/tests/read.ts";
import type { SetupCaller } from "../../flows/steps/authorization/authorize-setup-link.ts";
import { SAML_METADATA_BODY_MAX_BYTES } from "../../limits/saml-limits.ts";
import { bindingCookies, SSO_BINDING } from "../binding-cookies.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { emptyReply, reply } from "../reply.ts";
import { SetupTestStarted } from "../schemas/setup-links.ts";
import { ConnectionItem, CreateConnectionBody, UpdateConnectionBody } from "../schemas/sso-connections.ts";
import { ImportMetadataBody, MetadataPreview } from "../schemas/sso-metadata.ts";
import { ConnectionTestItem } from "../schemas/sso-tests.ts";
import {
  changeSetupCaller,
  ofLink,
  readSetupCaller,
  SETUP_CHANGE_PROBLEMS,
  SETUP_READ_PROBLEMS,
} from "../sso/setup-call.ts";
import { connectionBody, connectionTestBody, metadataImportBody, settingsOf } from "../sso/sso-bodies.ts";

export type SetupConnectionRouteDeps = SsoSettingsDeps &
  SsoDeps &
  SessionDeps &
  EmailDeps &
  Pick<Deps, "csrfKey" | "reads">;

const PATH = "/setup/connection";
const CHANGE_PROBLEMS = [...SETUP_CHANGE_PROBLEMS, "conflict", "not_found"] as const;

/** The one connection of a set-up link (docs/contract.md, section 29.55). */
export function setupConnectionRoutes(deps: SetupConnectionRouteDeps): Endpoint[] {
  return [...settingsRoutes(deps), ...metadataRoutes(deps), ...testRoutes(deps), ...activationRoutes(deps)];
}

/** The input of a change of the link's connection; 404 before the creation. */
function connectionOf({ caller, link }: SetupCaller) {
  return link.connectionId === null ? err(NO_SUCH_CONNECTION) : ok({ caller, connectionId: link.connectionId });
}

function settingsRoutes(deps: SetupConnectionRouteDeps): Endpoint[] {
  return [
    endpoint({
      ...ofLink,
      method: "GET",
      path: PATH,
      operationId: "getSetupConnection",
      docs: { clientMethod: "setup.connection.get", section: "29.55", access: "set-up link, `connection`" },
      summary: "Read the connection of a set-up link",
      limits: { address: "public_reads" },
      responses: { 200: { description: "The connection", schema: ConnectionItem } },
      problems: [...SETUP_READ_PROBLEMS, "not_found"],
      async handle(call) {
        const setup = await readSetupCaller(deps, call, "connection");
        if (!setup.ok) return setup;
        const found = await readSetupConnection(deps, setup.value);
        return found ? ok(reply(200, connectionBody(deps, found))) : err(NO_SUCH_CONNECTION);
      },
    }),
    endpoint({
      ...ofLink,
      method: "POST",
      path: PATH,
      operationId: "createSetupConnection",
      docs: { clientMethod: "setup.connection.create", section: "29.55", access: "set-up link, `connection`" },
      summary: "Create the one connection of a set-up link",
      limits: { address: "sign_in" },
      input: { body: CreateConnectionBody, bodyMaxBytes: SAML_METADATA_BODY_MAX_BYTES },
      responses: { 201: { description: "Created", schema: ConnectionItem } },
      problems: [...SETUP_CHANGE_PROBLEMS, "conflict"],
      async handle(call) {
        const setup = await changeSetupCaller(deps, call, "connection");
        if (!setup.ok) return setup;
        const { protocol = "oidc", name, preset = "custom", ...rest } = call.body;
        const settings = { name, preset, ...settingsOf(rest) };
        const input = { setup: setup.value, client: call.client, protocol, preset, settings };
        const created = await createSetupConnection(deps, input);
        return created.ok ? ok(reply(201, connectionBody(deps, created.value))) : created;
      },
    }),
    endpoint({
      ...ofLink,
      method: "PATCH",
      path: PATH,
      operationId: "updateSetupConnection",
      docs: { clientMethod: "setup.connection.update", section: "29.55", access: "set-up link, `connection`" },
      summary: "Change the settings of the connection of a set-up link",
      description: "409 while the connection is active.",
      limits: { address: "sign_in" },
      input: { body: UpdateConnectionBody, bodyMaxBytes: SAML_METADATA_BODY_MAX_BYTES },
      responses: { 200: { description: "The updated connection", schema: ConnectionItem } },
      problems: CHANGE_PROBLEMS,
      async handle(call) {
        const setup = await changeSetupCaller(deps, call, "connection");
        if (!setup.ok) return setup;
        const input = connectionOf(setup.value);
        if (!input.ok) return input;
        const { name, preset, unlink_identities: unlinkIdentities = false, ...rest } = call.body;
        const settings = { name, preset, ...settingsOf(rest) };
        const change = { ...input.value, client: call.client, settings, unlinkIdentities };
        const updated = await updateConnectionSettings(deps, change);
        return updated.ok ? ok(reply(200, connectionBody(deps, updated.value))) : updated;
      },
    }),
  ];
}

function metadataRoutes(deps: SetupConnectionRouteDeps): Endpoint[] {
  return [
    endpoint({
      ...ofLink,
      method: "POST",
      path: "/setup/connection/metadata",
      operationId: "importSetupMetadata",
      docs: { clientMethod: "setup.connection.importMetadata", section: "29.55", access: "set-up link, `connection`" },
      summary: "Preview or apply metadata of the identity provider of a set-up link",
      description: "For connections by SAML 2.0. Without `apply` nothing changes.",
      limits: { address: "sign_in" },
      input: { body: ImportMetadataBody, bodyMaxBytes: SAML_METADATA_BODY_MAX_BYTES },
      responses: { 200: { description: "The changes", schema: MetadataPreview } },
      problems: CHANGE_PROBLEMS,
      async handle(call) {
        const setup = await changeSetupCaller(deps, call, "connection");
        if (!setup.ok) return setup;
        const input = connectionOf(setup.value);
        if (!input.ok) return input;
        const { url, xml, entity_id: entityId, apply = false, unlink_identities: unlinkIdentities = false } = call.body;
        const source = { url, xml, entityId, apply, unlinkIdentities };
        const imported = await importMetadata(deps, { ...input.value, client: call.client, ...source });
        return imported.ok ? ok(reply(200, metadataImportBody(deps, imported.value))) : imported;
      },
    }),
  ];
}

function testRoutes(deps: SetupConnectionRouteDeps): Endpoint[] {
  const path = "/setup/connection/test";
  return [
    endpoint({
      ...ofLink,
      method: "POST",
      path,
      operationId: "testSetupConnection",
      docs: { clientMethod: "setup.connection.test", section: "29.55", access: "set-up link, `connection`" },
      summary: "Begin a test of the connection in the browser of a set-up link",
      description: "After the test the browser is at `/setup/connection`.",
      limits: { address: "sign_in" },
      responses: {
        200: { description: "The request to the identity provider", schema: SetupTestStarted, headers: ["Set-Cookie"] },
      },
      problems: CHANGE_PROBLEMS,
      async handle(call) {
        const setup = await changeSetupCaller(deps, call, "connection");
        if (!setup.ok) return setup;
        const started = await startSetupTest(deps, { setup: setup.value, client: call.client });
        if (!started.ok) return started;
        const { location: url, form } = started.value;
        const kept = bindingCookies(deps.config, SSO_BINDING, started.value, call.cookies);
        return ok(reply(200, { url, form: form ?? null }, { cookies: kept }));
      },
    }),
    endpoint({
      ...ofLink,
      method: "GET",
      path,
      operationId: "getSetupConnectionTest",
      docs: { clientMethod: "setup.connection.testResult", section: "29.55", access: "set-up link, `connection`" },
      summary: "Get the result of the latest test of the connection of a set-up link",
      description: "404 without a result of the last 24 hours. The effect on accounts is not a member.",
      limits: { address: "public_reads" },
      responses: { 200: { description: "The result", schema: ConnectionTestItem } },
      problems: [...SETUP_READ_PROBLEMS, "not_found"],
      async handle(call) {
        const setup = await readSetupCaller(deps, call, "connection");
        if (!setup.ok) return setup;
        const input = connectionOf(setup.value);
        if (!input.ok) return input;
        const found = await readConnectionTest(deps, input.value);
        return found.ok ? ok(reply(200, { ...connectionTestBody(found.value), effect: null })) : found;
      },
    }),
  ];
}

function activationRoutes(deps: SetupConnectionRouteDeps): Endpoint[] {
  return [
    endpoint({
      ...ofLink,
      method: "POST",
      path: "/setup/connection/request-activation",
      operationId: "requestSetupActivation",
      docs: {
        clientMethod: "setup.connection.requestActivation",
        section: "29.55",
        access: "set-up link, `connection`",
      },
      summary: "Ask the owners for the activation of the connection of a set-up link",
      limits: { address: "sign_in" },
      responses: { 204: { description: "Requested, also before" } },
      problems: CHANGE_PROBLEMS,
      async handle(call) {
        const setup = await changeSetupCaller(deps, call, "connection");
        if (!setup.ok) return setup;
        const requested = await requestActivation(deps, { setup: setup.value, client: call.client });
        return requested.ok ? ok(emptyReply(204)) : requested;
      },
    }),
  ];
}
