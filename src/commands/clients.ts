import { defineCommand } from "citty";
import type { FieldFlaw } from "../base/invalid-input.ts";
import type { Refusal } from "../base/problem.ts";
import { isUuid } from "../base/random.ts";
import { NO_CLIENT } from "../base/request-context.ts";
import { err, ok, type Result } from "../base/result.ts";
import {
  type AdministerClientsDeps,
  addSecret,
  changeClient,
  createClient,
  type DisplayedClient,
  readClient,
  removeClient,
  removeSecret,
} from "../flows/oauth/clients/administer-clients.ts";
import { COMMAND_ADMINISTRATOR } from "../flows/steps/authorization/authorize-client-administration.ts";
import type { Foundation } from "../foundation.ts";
import { readClientChange, readNewClient } from "../http/oauth/oauth-client-file.ts";
import { clientBody, clientWithSecret } from "../http/oauth/oauth-client-settings.ts";
import { listRegisteredClients } from "../models/oauth-client/list-clients.ts";
import type { OAuthClient } from "../models/oauth-client/oauth-client.ts";
import { withClientAdministration } from "./client-administration.ts";
import { CHANGED_CLIENT_ARGS, changedClientMembers, NEW_CLIENT_ARGS, newClientMembers } from "./client-options.ts";
import { withFoundation } from "./configured.ts";
import { openSecretsFile, type SecretsFile } from "./secrets-file.ts";

const BY_COMMAND = { caller: COMMAND_ADMINISTRATOR, client: NO_CLIENT };
const DONE = 0;
const FAILED = 1;
const USAGE = 2;

const json = { type: "boolean", description: "Print JSON" } as const;
const secretsTo = { type: "string", description: "File for the secret, mode 0600, in place of the output" } as const;
const clientId = { type: "positional", required: true, description: "The client_id of the application" } as const;

interface OutputArgs {
  readonly json?: boolean | undefined;
  readonly "secrets-to"?: string | undefined;
}

export const listClientsCommand = defineCommand({
  meta: { name: "list", description: "List the applications that sign users in" },
  args: { json },
  async run({ args }) {
    const clients = await withFoundation(({ database }) => database.run("oauth_client.list", listRegisteredClients));
    console.log(
      args.json
        ? JSON.stringify(clients.map(clientBody), null, 2)
        : clients.map(line).join("\n") || "There are no applications.",
    );
  },
});

export const createClientCommand = defineCommand({
  meta: { name: "create", description: "Register an application; the secret is printed once" },
  args: { ...NEW_CLIENT_ARGS, "secrets-to": secretsTo, json },
  async run({ args }) {
    const desired = readNewClient(newClientMembers(args));
    process.exitCode = desired.ok
      ? await runWithSecret(args, (deps) =>
          createClient(deps, { ...BY_COMMAND, settings: desired.value.settings, id: desired.value.id }),
        )
      : refuseUsage(desired.error);
  },
});

export const updateClientCommand = defineCommand({
  meta: { name: "update", description: "Change an application; settings without an option keep their values" },
  args: { client_id: clientId, ...CHANGED_CLIENT_ARGS, "secrets-to": secretsTo, json },
  async run({ args }) {
    const members = changedClientMembers(args);
    const change = Object.keys(members).length > 0 ? readClientChange(members) : err([NOTHING_GIVEN]);
    process.exitCode = change.ok
      ? await runFor(args.client_id, args, (deps, id) =>
          changeClient(deps, { ...BY_COMMAND, id, change: change.value }),
        )
      : refuseUsage(change.error);
  },
});

export const rotateClientCommand = defineCommand({
  meta: {
    name: "rotate",
    description: "Make a second secret, printed once; the first stays valid until clients rotate --complete",
  },
  args: {
    client_id: clientId,
    complete: { type: "boolean", description: "Delete all secrets except the newest" },
    "secrets-to": secretsTo,
    json,
  },
  async run({ args }) {
    process.exitCode = await runFor(args.client_id, args, args.complete ? completeRotation : addSecretTo);
  },
});

export const deleteClientCommand = defineCommand({
  meta: { name: "delete", description: "Delete an application, with the consents of users and every token" },
  args: { client_id: clientId },
  async run({ args }) {
    process.exitCode = await deleteClient(args.client_id);
  },
});

const NOTHING_GIVEN: FieldFlaw = { field: "options", rule: "required", text: "at least one setting" };
const NOT_A_UUID: FieldFlaw = { field: "CLIENT_ID", rule: "format", text: "must be a UUID" };

type Changed = Result<DisplayedClient, Refusal>;

function addSecretTo(deps: AdministerClientsDeps, id: string): Promise<Changed> {
  return addSecret(deps, { ...BY_COMMAND, id });
}

/** Ends a rotation: the application uses the newest secret. */
async function completeRotation(deps: AdministerClientsDeps, id: string): Promise<Changed> {
  const found = await readClient(deps, COMMAND_ADMINISTRATOR, id);
  if (!found.ok) return found;
  for (const { id: secretId } of found.value.secrets.slice(0, -1)) {
    const removed = await removeSecret(deps, { ...BY_COMMAND, id, secretId });
    if (!removed.ok) return removed;
  }
  const secrets = found.value.secrets.slice(-1);
  return ok({ client: { ...found.value, secrets }, secret: undefined });
}

async function deleteClient(text: string): Promise<number> {
  if (!isUuid(text)) return refuseUsage([NOT_A_UUID]);
  const id = text.toLowerCase();
  const removed = await withClientAdministration((deps) => removeClient(deps, { ...BY_COMMAND, id }));
  if (!removed.ok) return refuse(removed.error);
  console.log(`${id}: deleted`);
  return DONE;
}

/** Runs a change of one client. Returns the exit code. */
async function runFor(
  id: string,
  output: OutputArgs,
  work: (deps: AdministerClientsDeps, id: string) => Promise<Changed>,
): Promise<number> {
  if (!isUuid(id)) return refuseUsage([NOT_A_UUID]);
  return await runWithSecret(output, (deps) => work(deps, id.toLowerCase()));
}

/** The file of secrets is opened before the change: a path that cannot be written loses no secret. */
async function runWithSecret(
  output: OutputArgs,
  work: (deps: AdministerClientsDeps) => Promise<Changed>,
): Promise<number> {
  const path = output["secrets-to"];
  const file = path === undefined ? undefined : openSecretsFile(path);
  try {
    return await withClientAdministration(async (deps, foundation) => {
      const changed = await work(deps);
      if (!changed.ok) return refuse(changed.error);
      print(foundation, changed.value, output, file);
      return DONE;
    });
  } finally {
    file?.close();
  }
}

function print(
  { config }: Foundation,
  { client, secret }: DisplayedClient,
  { json }: OutputArgs,
  file: SecretsFile | undefined,
): void {
  if (file && secret !== undefined) file.append({ client, secret });
  const displayed = file ? undefined : secret;
  if (json) {
    console.log(JSON.stringify(clientWithSecret({ client, secret: displayed }), null, 2));
    return;
  }
  console.log(`client_id:     ${client.id}`);
  console.log(`name:          ${client.name}`);
  console.log(`issuer:        ${config.urls.publicBaseUrl}`);
  if (displayed !== undefined) console.log(`client_secret: ${displayed}\nThe secret is not displayed again.`);
  if (client.secrets.length > 1) console.log("Both secrets are valid until clients rotate --complete.");
}

function line({ id, name, tokenAuthMethod, disabled, managedBy }: OAuthClient): string {
  const state = disabled ? "disabled" : "enabled ";
  return `${id}  ${state}  ${tokenAuthMethod.padEnd(19)}  ${name}${managedBy === null ? "" : `  (${managedBy})`}`;
}

function refuse({ message }: Refusal): number {
  console.error(message);
  return FAILED;
}

function refuseUsage(flaws: readonly FieldFlaw[]): number {
  for (const { field, path = field, text } of flaws) console.error(`${path}: ${text}`);
  return USAGE;
}
