import { invalidFields } from "../../../base/invalid-input.ts";
import { type Refusal, refusal } from "../../../base/problem.ts";
import { isUuid } from "../../../base/random.ts";
import type { RequestContext } from "../../../base/request-context.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import type { Deps } from "../../../deps.ts";
import { OAUTH_CLIENT_SECRETS_MAX, OAUTH_CLIENTS_MAX } from "../../../limits/oauth-limits.ts";
import { insertAudit } from "../../../models/audit/audit.ts";
import { makeClientSecret } from "../../../models/oauth-client/client-secret.ts";
import {
  deleteClient,
  findClient,
  insertClient,
  lockClient,
  type NewClient,
  type OAuthClient,
  updateClient,
} from "../../../models/oauth-client/oauth-client.ts";
import { rulesOf } from "../../../models/oauth-client/provenance.ts";
import { deleteSecret, deleteSecrets, insertSecret } from "../../../models/oauth-client/stored-secret.ts";
import type { AuditAction } from "../../../vocabulary/audit-action.ts";
import { userAuditEvent } from "../../steps/audit/audit-event.ts";
import { systemAuditEvent } from "../../steps/audit/system-audit-event.ts";
import {
  type ClientAdministrator,
  type ClientReader,
  isCommand,
  mayChangeFirstParty,
} from "../../steps/authorization/authorize-client-administration.ts";
import {
  applyChange,
  type ClientChange,
  type ClientSettings,
  changedMembers,
  hasSecret,
  secretChange,
} from "./client-change.ts";
import { endTokensOfExcluded, excludesOrganizations } from "./client-organizations.ts";
import { addressPermits, validateClient } from "./client-rules.ts";
import { deleteAllOfClient, endTokensOfClient, endTokensOfDisabled, endTokensOutside } from "./end-client.ts";
import type { EndFamiliesDeps } from "./end-families.ts";

export type AdministerClientsDeps = EndFamiliesDeps &
  Pick<Deps, "config"> & { readonly oauthClients: Pick<Deps["oauthClients"], "changed"> };

interface Administration {
  readonly caller: ClientAdministrator;
  readonly client: RequestContext;
}

/** A client, and the text of a newly created secret, which is displayed once. */
export interface DisplayedClient {
  readonly client: OAuthClient;
  readonly secret: string | undefined;
}

const NO_SUCH_CLIENT = refusal("not_found", "There is no such application.");
const TOO_MANY_CLIENTS = refusal("conflict", `There are already ${OAUTH_CLIENTS_MAX} applications.`);
const ID_IN_USE_OR_TOO_MANY = refusal(
  "conflict",
  `The client_id is in use, or there are already ${OAUTH_CLIENTS_MAX} applications.`,
);
const SETTINGS_OF_DOCUMENT = invalidFields([
  { field: "client_id", rule: "not_allowed", text: "the settings are those of the metadata document" },
]);
const CHANGED_MEANWHILE = refusal("conflict", "The application has changed meanwhile.");
const NO_SUCH_SECRET = refusal("not_found", "There is no such secret.");
const FIRST_PARTY_NEEDS_A_USER = refusal("forbidden", "API keys neither register nor change first-party applications.");

/** One client, disabled or not, for the console. */
export async function readClient(
  deps: Pick<Deps, "database">,
  _caller: ClientReader,
  id: string,
): Promise<Result<OAuthClient, Refusal<"not_found">>> {
  const client = isUuid(id) ? await deps.database.run("oauth_client.find", (sql) => findClient(sql, id)) : undefined;
  return client ? ok(client) : err(NO_SUCH_CLIENT);
}

/**
 * POST /v1/admin/oauth-clients: creates a client, with a first secret if the method uses secrets. `id`: chosen by the
 * operator at the command line; default: a random id.
 */
export async function createClient(
  deps: AdministerClientsDeps,
  { settings, id, ...by }: Administration & { readonly settings: ClientSettings; readonly id?: string | undefined },
): Promise<Result<DisplayedClient, Refusal<"conflict" | "forbidden" | "invalid_input">>> {
  if (isBeyond(by.caller, settings)) return err(FIRST_PARTY_NEEDS_A_USER);
  const at = new Date(deps.clock.now());
  const valid = validate(deps, {
    ...settings,
    kind: "registered",
    id: id ?? deps.random.uuid(),
    createdAt: at,
    updatedAt: at,
  });
  if (!valid.ok) return valid;
  const client = valid.value;
  const made = hasSecret(client) ? makeClientSecret(deps.random, at) : undefined;
  const rows = await deps.database.run(
    "oauth_client.insert",
    (sql) => sql`
      with created as (${insertClient(sql, client, rulesOf(client).clientsMax)}),
      secret as (${made ? insertSecret(sql, client.id, made.secret, sql`from created`) : sql`select 1`}),
      audit as (${insertAudit(sql, auditOf(deps, by, "oauth.client.created", client.id, at), sql`from created`)})
      select 1 from created`,
  );
  if (rows.length === 0) return err(id === undefined ? TOO_MANY_CLIENTS : ID_IN_USE_OR_TOO_MANY);
  await deps.oauthClients.changed();
  const unused = { disabled: false, tokensValidFrom: null, lastUsedAt: null, document: null };
  const created = { ...client, ...unused, secrets: made ? [made.secret] : [] };
  return ok({ client: created, secret: made?.text });
}

/**
 * PATCH /v1/admin/oauth-clients/:id: absent members keep their values. Disabling ends every token of the client, and a
 * list of organizations the tokens of every other organization. A change to a method with a secret returns the first
 * secret. A request that failed half way can be repeated.
 */
export async function changeClient(
  deps: AdministerClientsDeps,
  input: ChangeInput,
): Promise<Result<DisplayedClient, Refusal<"forbidden" | "invalid_input" | "not_found">>> {
  const changed = await persistChange<never>(deps, input, () => undefined);
  if (changed.ok && input.change.organizations) await endTokensOutside(deps, input.id, input.change.organizations);
  return await endIfDisabled(deps, input, changed);
}

/**
 * Saves a form, which has every setting. A client changed since the display (`displayedVersion`: its `updatedAt`) is a
 * `conflict`, so no administrator restores a setting just withdrawn by another.
 */
export async function changeDisplayedClient(
  deps: AdministerClientsDeps,
  { displayedVersion, ...input }: ChangeInput & { readonly displayedVersion: number },
): Promise<Result<DisplayedClient, Refusal<"conflict" | "forbidden" | "invalid_input" | "not_found">>> {
  let excludes = false;
  const { organizations } = input.change;
  const changed = await persistChange(deps, input, (before) => {
    excludes = excludesOrganizations(before.organizations, organizations);
    return before.updatedAt.getTime() === displayedVersion ? undefined : CHANGED_MEANWHILE;
  });
  // A form has every setting: a save without an exclusion reads no grants.
  if (changed.ok && organizations && excludes) await endTokensOutside(deps, input.id, organizations);
  return await endIfDisabled(deps, input, changed);
}

interface ChangeInput extends Administration {
  readonly id: string;
  readonly change: ClientChange;
}

/** All but the end of the tokens. `objection`: decides under lock. */
async function persistChange<Code extends "conflict">(
  deps: AdministerClientsDeps,
  { id, change, ...by }: ChangeInput,
  objection: (before: OAuthClient) => Refusal<Code> | undefined,
): Promise<Result<DisplayedClient, Refusal<Code | "forbidden" | "invalid_input" | "not_found">>> {
  if (change.disabled === false) await endTokensOfDisabled(deps, id);
  await endTokensOfExcluded(deps, id, change.organizations);
  const at = new Date(deps.clock.now());
  const changed = await deps.database.transaction("oauth_client.update", async (sql) => {
    const before = await lockClient(sql, id);
    if (!before) return err(NO_SUCH_CLIENT);
    if (isBeyond(by.caller, before, change)) return err(FIRST_PARTY_NEEDS_A_USER);
    const isOwn = rulesOf(before).changedBy.includes("administrator");
    if (!isOwn && !isSwitch(change)) return err(SETTINGS_OF_DOCUMENT);
    const objected = objection(before);
    if (objected) return err(objected);
    const after = applyChange(before, { ...change, updatedAt: at });
    // A client from before a rule can be disabled, enabled and deleted.
    const valid = isSwitch(change) ? ok(after) : validate(deps, after);
    if (!valid.ok) return valid;
    const client = valid.value;
    const { created, deletesAll } = secretChange(before, client, deps.random, at);
    const event = auditOf(deps, by, "oauth.client.updated", id, at);
    const fields = changedMembers(before, client).join(" ");
    await sql`
      with updated as (${updateClient(sql, before, client)}),
      created as (${created ? insertSecret(sql, id, created.secret, sql`from updated`) : sql`select 1`}),
      deleted as (${deletesAll ? deleteSecrets(sql, id) : sql`select 1`})
      ${insertAudit(sql, { ...event, metadata: { ...event.metadata, fields } }, sql`from updated`)}`;
    const secrets = deletesAll ? [] : before.secrets;
    return ok({ client: { ...client, secrets: created ? [created.secret] : secrets }, secret: created?.text });
  });
  if (changed.ok) await deps.oauthClients.changed();
  return changed;
}

async function endIfDisabled<Changed extends Result<DisplayedClient, Refusal>>(
  deps: AdministerClientsDeps,
  { id, change }: ChangeInput,
  changed: Changed,
): Promise<Changed> {
  if (changed.ok && change.disabled) await endTokensOfClient(deps, id);
  return changed;
}

/** DELETE /v1/admin/oauth-clients/:id: deletes the client with the consents of users, and ends every token. */
export async function removeClient(
  deps: AdministerClientsDeps,
  { id, ...by }: Administration & { readonly id: string },
): Promise<Result<void, Refusal<"forbidden" | "not_found">>> {
  const disabled = await persistChange<never>(deps, { id, change: { disabled: true }, ...by }, () => undefined);
  if (!disabled.ok) return err(disabled.error.code === "forbidden" ? FIRST_PARTY_NEEDS_A_USER : NO_SUCH_CLIENT);
  await deleteAllOfClient(deps, id);
  const at = new Date(deps.clock.now());
  await deps.database.run("oauth_client.delete", async (sql) => {
    await sql`
      with deleted as (${deleteClient(sql, id)})
      ${insertAudit(sql, auditOf(deps, by, "oauth.client.deleted", id, at), sql`from deleted`)}`;
  });
  await deps.oauthClients.changed();
  return ok(undefined);
}

/**
 * POST /v1/admin/oauth-clients/:id/secrets: creates a further secret, so a secret can be replaced without a gap. A
 * client has at most two secrets.
 */
export async function addSecret(
  deps: AdministerClientsDeps,
  { id, ...by }: Administration & { readonly id: string },
): Promise<Result<DisplayedClient, Refusal<"conflict" | "forbidden" | "not_found">>> {
  const at = new Date(deps.clock.now());
  const added = await deps.database.transaction("oauth_client.add_secret", async (sql) => {
    const client = await lockClient(sql, id);
    if (!client) return err(NO_SUCH_CLIENT);
    if (isBeyond(by.caller, client)) return err(FIRST_PARTY_NEEDS_A_USER);
    if (!hasSecret(client)) return err(refusal("conflict", "This application authenticates without a secret."));
    if (client.secrets.length >= OAUTH_CLIENT_SECRETS_MAX) {
      return err(refusal("conflict", `There are already ${OAUTH_CLIENT_SECRETS_MAX} secrets: delete one first.`));
    }
    const { text, secret } = makeClientSecret(deps.random, at);
    await sql`
      with added as (${insertSecret(sql, id, secret)})
      ${insertAudit(sql, auditOf(deps, by, "oauth.client.secret_created", id, at), sql`from added`)}`;
    return ok({ client: { ...client, secrets: [...client.secrets, secret] }, secret: text });
  });
  if (added.ok) await deps.oauthClients.changed();
  return added;
}

/** DELETE /v1/admin/oauth-clients/:id/secrets/:secret_id. */
export async function removeSecret(
  deps: AdministerClientsDeps,
  { id, secretId, ...by }: Administration & { readonly id: string; readonly secretId: string },
): Promise<Result<void, Refusal<"forbidden" | "not_found">>> {
  const at = new Date(deps.clock.now());
  const removed = await deps.database.transaction("oauth_client.delete_secret", async (sql) => {
    const client = await lockClient(sql, id);
    if (!client?.secrets.some((secret) => secret.id === secretId)) return err(NO_SUCH_SECRET);
    if (isBeyond(by.caller, client)) return err(FIRST_PARTY_NEEDS_A_USER);
    await sql`
      with deleted as (${deleteSecret(sql, id, secretId)})
      ${insertAudit(sql, auditOf(deps, by, "oauth.client.secret_deleted", id, at), sql`from deleted`)}`;
    return ok(undefined);
  });
  if (removed.ok) await deps.oauthClients.changed();
  return removed;
}

/** Whether the caller may not administer the clients, or a client after a change. */
function isBeyond(
  caller: ClientAdministrator,
  ...clients: readonly Partial<Pick<OAuthClient, "firstParty">>[]
): boolean {
  return clients.some(({ firstParty }) => firstParty === true) && !mayChangeFirstParty(caller);
}

function isSwitch(change: ClientChange): boolean {
  return Object.keys(change).every((name) => name === "disabled");
}

function validate<Client extends NewClient>(
  deps: Pick<Deps, "config">,
  client: Client,
): Result<Client, Refusal<"invalid_input">> {
  const valid = validateClient(client, addressPermits(deps));
  return valid.ok ? valid : err(invalidFields(valid.error));
}

function auditOf(
  deps: Pick<Deps, "random">,
  { caller, client }: Administration,
  action: Extract<AuditAction, `oauth.client.${string}`>,
  id: string,
  at: Date,
) {
  const resource = { type: "oauth_client", id } as const;
  return isCommand(caller)
    ? systemAuditEvent(deps, { action, at, resource, metadata: { source: "command" } })
    : userAuditEvent(deps, caller.actor, client, { action, at, resource });
}
