/** The management of a registration by the application itself (RFC 7592; docs/contract.md, section 23.17). */

import { isUuid } from "../../../base/random.ts";
import type { RequestContext } from "../../../base/request-context.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import type { Sql } from "../../../database/database.ts";
import type { Deps } from "../../../deps.ts";
import { insertAudit } from "../../../models/audit/audit.ts";
import { secretFits, sha256 } from "../../../models/oauth-client/client-secret.ts";
import { hasRegistrationToken } from "../../../models/oauth-client/dynamic-client.ts";
import {
  deleteClient,
  findClient,
  lockClient,
  type NewClient,
  type OAuthClient,
  updateClient,
} from "../../../models/oauth-client/oauth-client.ts";
import { deleteSecrets, insertSecret } from "../../../models/oauth-client/stored-secret.ts";
import { changedMembers, secretChange } from "../clients/client-change.ts";
import { validateClient } from "../clients/client-rules.ts";
import { deleteAllOfClient, endTokensOfClient } from "../clients/end-client.ts";
import {
  ADMINISTRATIVE_SETTINGS,
  type ClientMetadata,
  invalid,
  type MetadataProblem,
} from "../clients/read-metadata.ts";
import {
  BAD_REGISTRATION_TOKEN,
  problemOf,
  type Registration,
  type RegistrationDeps,
  type RegistrationProblem,
  readNewClient,
} from "./register.ts";
import { registrationEvent } from "./registration-event.ts";
import { storeRegisteredLogo } from "./store-registered-logo.ts";

export interface RegistrationAccess {
  readonly clientId: string;
  readonly token: string | undefined;
}

type Managed<T> = Promise<Result<T, RegistrationProblem>>;

/** GET: the client, without the secret, of which only a hash is stored. */
export async function readRegistration(
  deps: Pick<Deps, "database">,
  access: RegistrationAccess,
): Managed<Registration> {
  const authorized = await authorizeRegistration(deps, access);
  if (!authorized.ok) return authorized;
  const client = await deps.database.run("oauth_client.find", (sql) => findClient(sql, access.clientId));
  return client ? ok({ client, secret: undefined, registrationToken: authorized.value }) : err(BAD_REGISTRATION_TOKEN);
}

/** A response for unknown clients and wrong tokens (RFC 7592, section 2.1). Returns the token. */
async function authorizeRegistration(
  { database }: Pick<Deps, "database">,
  { clientId, token }: RegistrationAccess,
): Managed<string> {
  if (token === undefined || !isUuid(clientId)) return err(BAD_REGISTRATION_TOKEN);
  const fits = await database.run("oauth_client.find_registration", (sql) =>
    hasRegistrationToken(sql, clientId, sha256(token)),
  );
  return fits ? ok(token) : err(BAD_REGISTRATION_TOKEN);
}

export interface ChangeRegistrationInput {
  readonly access: RegistrationAccess;
  readonly metadata: ClientMetadata;
  readonly requestContext: RequestContext;
}

/** PUT: the metadata replaces all settings of the application (RFC 7592, section 2.2). Issued tokens remain valid. */
export async function changeRegistration(
  deps: RegistrationDeps,
  { access, metadata, requestContext }: ChangeRegistrationInput,
): Managed<Registration> {
  const authorized = await authorizeRegistration(deps, access);
  if (!authorized.ok) return authorized;
  if (metadata.client_id !== access.clientId) return err(invalid("client_id must be the id of the client"));
  const at = new Date(deps.clock.now());
  const desired = readNewClient(deps, metadata, { id: access.clientId, at });
  if (!desired.ok) return desired;
  const { client: read, leftOut } = desired.value;
  const client = { ...read, logoUrl: await storeLogoOf(deps, read, requestContext) };
  const changed = await deps.database.transaction("oauth_client.update", async (sql) => {
    const before = await lockClient(sql, access.clientId);
    if (!before) return err(BAD_REGISTRATION_TOKEN);
    const { client_secret: secret } = metadata;
    if (secret !== undefined && !secretFits(before.secrets, String(secret))) {
      return err(invalid("client_secret is not the secret of the client"));
    }
    const replaced = replaceSettings(before, client);
    if (!replaced.ok) return replaced;
    return ok(await persistSettings(deps, sql, { before, after: replaced.value, requestContext, at }));
  });
  if (!changed.ok) return changed;
  await deps.oauthClients.changedRow(access.clientId);
  return ok({ ...changed.value, leftOut, registrationToken: authorized.value });
}

interface SettingsChange {
  readonly before: OAuthClient;
  readonly after: OAuthClient;
  readonly requestContext: RequestContext;
  readonly at: Date;
}

/** Settings without a change write no row and no record. */
async function persistSettings(
  deps: RegistrationDeps,
  sql: Sql,
  { before, after, requestContext, at }: SettingsChange,
): Promise<Omit<Registration, "registrationToken">> {
  const fields = changedMembers(before, after).join(" ");
  if (fields === "") return { client: before, secret: undefined };
  const { created, deletesAll } = secretChange(before, after, deps.random, at);
  const event = registrationEvent(deps, "oauth.client.updated", after.id, requestContext, at);
  await sql`
    with updated as (${updateClient(sql, before, after)}),
    created as (${created ? insertSecret(sql, after.id, created.secret, sql`from updated`) : sql`select 1`}),
    deleted as (${deletesAll ? deleteSecrets(sql, after.id) : sql`select 1`})
    ${insertAudit(sql, { ...event, metadata: { ...event.metadata, fields } }, sql`from updated`)}`;
  return { client: after, secret: created?.text };
}

async function storeLogoOf(
  deps: RegistrationDeps,
  { id, logoUrl: logoUri }: NewClient,
  { network }: RequestContext,
): Promise<string | null> {
  if (logoUri === null) return null;
  const before = await deps.database.run("oauth_client.find", (sql) => findClient(sql, id));
  return await storeRegisteredLogo(deps, { clientId: id, logoUri, current: before?.logoUrl ?? null, network });
}

/** The settings after a PUT. What only an administrator chooses stays: the application lifts no restriction. */
function replaceSettings(before: OAuthClient, desired: NewClient): Result<OAuthClient, MetadataProblem> {
  const names = Object.keys(ADMINISTRATIVE_SETTINGS) as (keyof typeof ADMINISTRATIVE_SETTINGS)[];
  const kept = Object.fromEntries(names.map((name) => [name, before[name]]));
  const valid = validateClient({ ...before, ...desired, ...kept, createdAt: before.createdAt });
  return valid.ok ? valid : err(problemOf(valid.error[0]));
}

/** DELETE: ends every token, and deletes the client with the consents of users (RFC 7592, section 2.3). */
export async function deleteRegistration(
  deps: RegistrationDeps,
  { access, requestContext }: Omit<ChangeRegistrationInput, "metadata">,
): Managed<void> {
  const authorized = await authorizeRegistration(deps, access);
  if (!authorized.ok) return authorized;
  const { clientId } = access;
  const at = new Date(deps.clock.now());
  await deps.database.transaction("oauth_client.disable", async (sql) => {
    const client = await lockClient(sql, clientId);
    if (client) await sql`${updateClient(sql, client, { ...client, disabled: true, updatedAt: at })}`;
  });
  await deps.oauthClients.changedRow(clientId);
  await endTokensOfClient(deps, clientId);
  await deleteAllOfClient(deps, clientId);
  const event = registrationEvent(deps, "oauth.client.deleted", clientId, requestContext, at);
  await deps.database.run("oauth_client.delete", async (sql) => {
    await sql`with deleted as (${deleteClient(sql, clientId)}) ${insertAudit(sql, event, sql`from deleted`)}`;
  });
  await deps.oauthClients.changedRow(clientId);
  return ok(undefined);
}
