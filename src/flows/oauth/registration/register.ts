/** POST /oauth2/register (RFC 7591; docs/contract.md, section 23.17). */
import { busy, type OAuthRefusal, oauthRefusal } from "../../../base/oauth-problem.ts";
import { rateLimited } from "../../../base/problem.ts";
import type { RequestContext } from "../../../base/request-context.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import type { Sql } from "../../../database/database.ts";
import type { Deps } from "../../../deps.ts";
import { OAUTH_SECRET_BYTES, REGISTRATION_RETRY_SECONDS } from "../../../limits/oauth-limits.ts";
import { insertAudit } from "../../../models/audit/audit.ts";
import { makeClientSecret, sha256 } from "../../../models/oauth-client/client-secret.ts";
import {
  displaceUnusedClients,
  setRegisteredLogo,
  setRegistrationToken,
} from "../../../models/oauth-client/dynamic-client.ts";
import {
  type ClientSecret,
  insertClient,
  type NewClient,
  type OAuthClient,
} from "../../../models/oauth-client/oauth-client.ts";
import { PROVENANCE_RULES } from "../../../models/oauth-client/provenance.ts";
import { countRegistration, lockRegistrationToken } from "../../../models/oauth-client/registration-token.ts";
import { insertSecret } from "../../../models/oauth-client/stored-secret.ts";
import { storedBytes } from "../../../models/oauth-client/stored-size.ts";
import { withKnownMembers } from "../../../vocabulary/public-jwk.ts";
import { hasSecret } from "../clients/client-change.ts";
import { validateClient } from "../clients/client-rules.ts";
import { type ClientMetadata, invalid, type MetadataProblem, readClientMetadata } from "../clients/read-metadata.ts";
import type { LeftOut } from "../clients/usable-settings.ts";
import { registrationEvent } from "./registration-event.ts";
import { type RegisteredLogoDeps, storeRegisteredLogo } from "./store-registered-logo.ts";

export type RegistrationDeps = RegisteredLogoDeps &
  Pick<Deps, "clock" | "config" | "database" | "oauthClients" | "oauthResources" | "random" | "revocations">;

/** A client with the texts that only the response contains. */
export interface Registration {
  readonly client: OAuthClient;
  /** Values of the metadata that the service does not use. Absent: the request has no metadata. */
  readonly leftOut?: readonly LeftOut[];
  /** Undefined: no secret, or an unchanged secret. */
  readonly secret: string | undefined;
  readonly registrationToken: string;
}

export interface RegisterInput {
  readonly metadata: ClientMetadata;
  /** The initial access token; undefined: the request has no token. */
  readonly token: string | undefined;
  /** Clients at one time; tests use a smaller bound. */
  readonly clientsMax?: number;
  readonly requestContext: RequestContext;
}

export type RegistrationProblem = MetadataProblem | OAuthRefusal<"invalid_token" | "temporarily_unavailable">;

/** Constant for unknown, expired and used tokens. */
export const BAD_REGISTRATION_TOKEN = oauthRefusal(
  "invalid_token",
  "The token is missing, invalid, expired or used up.",
);
const { clientsMax: CLIENTS_MAX, storedMaxBytes: STORED_MAX_BYTES } = PROVENANCE_RULES.dynamic;
const TOO_LARGE = invalid(`the metadata has more than ${STORED_MAX_BYTES} bytes`);
const TOO_MANY = busy(rateLimited("dynamic_clients", REGISTRATION_RETRY_SECONDS, "too many applications registered"));

/** Registers a client. With `SERVICE_OAUTH_REGISTRATION=token`, one use of an initial access token is consumed. */
export async function registerDynamicClient(
  deps: RegistrationDeps,
  { metadata, token, requestContext, clientsMax = CLIENTS_MAX }: RegisterInput,
): Promise<Result<Registration, RegistrationProblem>> {
  const at = new Date(deps.clock.now());
  const read = readNewClient(deps, metadata, { id: deps.random.uuid(), at });
  if (!read.ok) return read;
  const { client, leftOut } = read.value;
  const secret = hasSecret(client) ? makeClientSecret(deps.random, at) : undefined;
  const registrationToken = deps.random.bytes(OAUTH_SECRET_BYTES).toString("base64url");
  // A refused registration fetches no picture.
  const newClient = { ...client, logoUrl: null };
  const stored = { client: newClient, secret: secret?.secret, registrationToken, requestContext, clientsMax };
  const needsToken = deps.config.oauth.registration === "token";
  const problem = await deps.database.transaction("oauth_client.register", async (sql) => {
    const tokenId = needsToken ? await lockRegistrationToken(sql, sha256(token ?? ""), at) : undefined;
    if (needsToken && tokenId === undefined) return BAD_REGISTRATION_TOKEN;
    if (!(await persistClient(deps, sql, stored, at))) return TOO_MANY;
    if (tokenId !== undefined) await countRegistration(sql, tokenId);
    return undefined;
  });
  if (problem) return err(problem);
  const logoUrl = await storeLogoOf(deps, client, requestContext);
  const unused = { disabled: false, tokensValidFrom: null, lastUsedAt: null, document: null };
  const registered = { ...newClient, logoUrl, ...unused, secrets: secret ? [secret.secret] : [] };
  return ok({ client: registered, leftOut, secret: secret?.text, registrationToken });
}

async function storeLogoOf(
  deps: RegistrationDeps,
  { id, logoUrl: logoUri }: NewClient,
  { network }: RequestContext,
): Promise<string | null> {
  const logoUrl = await storeRegisteredLogo(deps, { clientId: id, logoUri, current: null, network });
  if (logoUrl !== null) {
    await deps.database.run("oauth_client.set_logo", (sql) => setRegisteredLogo(sql, id, logoUrl));
  }
  return logoUrl;
}

/** The client of usable metadata, with the known members of its keys, and the address of the logo as given. */
export function readNewClient(
  deps: Pick<Deps, "oauthResources">,
  metadata: ClientMetadata,
  { id, at }: { readonly id: string; readonly at: Date },
): Result<{ readonly client: NewClient; readonly leftOut: readonly LeftOut[] }, MetadataProblem> {
  const read = readClientMetadata(deps, metadata);
  if (!read.ok) return read;
  const { settings, leftOut } = read.value;
  const valid = validateClient({ ...settings, kind: "dynamic" as const, id, createdAt: at, updatedAt: at });
  if (!valid.ok) return err(problemOf(valid.error[0]));
  const client = { ...valid.value, keys: valid.value.keys.map(withKnownMembers) };
  return storedBytes(client) > STORED_MAX_BYTES ? err(TOO_LARGE) : ok({ client, leftOut });
}

/** RFC 7591, section 3.2.2: redirect URIs have a separate code. */
export function problemOf({ field, text }: { readonly field: string; readonly text: string }): MetadataProblem {
  const member = MEMBERS[field] ?? field;
  return field === "redirect_uris"
    ? oauthRefusal("invalid_redirect_uri", `${member}: ${text}.`)
    : invalid(`${member}: ${text}`);
}

/** Members with another name in RFC 7591. */
const MEMBERS: Readonly<Record<string, string>> = { name: "client_name", keys: "jwks", logo_url: "logo_uri" };

interface StoredClient {
  readonly client: NewClient;
  readonly secret: ClientSecret | undefined;
  readonly registrationToken: string;
  readonly requestContext: RequestContext;
  readonly clientsMax: number;
}

/** False: there are too many clients in use. An unused client makes room for a new client. */
async function persistClient(
  deps: RegistrationDeps,
  sql: Sql,
  { client, secret, registrationToken, requestContext, clientsMax }: StoredClient,
  at: Date,
): Promise<boolean> {
  const event = registrationEvent(deps, "oauth.client.registered", client.id, requestContext, at);
  const insert = async () =>
    await sql`
      with created as (${insertClient(sql, client, clientsMax)}),
      secret as (${secret ? insertSecret(sql, client.id, secret, sql`from created`) : sql`select 1`}),
      audit as (${insertAudit(sql, event, sql`from created`)})
      select 1 from created`;
  const isStored = async () => (await insert()).length > 0;
  if (!(await isStored()) && !((await displaceUnusedClients(sql, clientsMax)) && (await isStored()))) return false;
  await setRegistrationToken(sql, client.id, sha256(registrationToken));
  return true;
}
