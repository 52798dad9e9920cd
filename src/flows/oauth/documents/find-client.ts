/** Clients that a metadata document identifies (docs/contract.md, section 23.30): fetch, cache and record. */
import { busy, type OAuthRefusal, oauthRefusal } from "../../../base/oauth-problem.ts";
import { rateLimited } from "../../../base/problem.ts";
import type { RequestContext } from "../../../base/request-context.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import type { Sql } from "../../../database/database.ts";
import type { Deps } from "../../../deps.ts";
import {
  CLIENT_DOCUMENT_STALE_MAX_MS,
  CLIENT_DOCUMENT_WINDOW_MS,
  CLIENT_DOCUMENTS_DISPLACED,
} from "../../../limits/oauth-limits.ts";
import { recordAudit } from "../../../models/audit/audit.ts";
import { isHostOf } from "../../../models/oauth-client/blocked-host.ts";
import { displaceUnusedDocuments, setDocument } from "../../../models/oauth-client/document-client.ts";
import {
  insertClient,
  lockClient,
  type NewClient,
  type OAuthClient,
  updateClient,
} from "../../../models/oauth-client/oauth-client.ts";
import { PROVENANCE_RULES } from "../../../models/oauth-client/provenance.ts";
import type { FetchedDocument } from "../../../providers/client-documents.ts";
import { admitsAnonymousRecord } from "../../steps/audit/anonymous-record.ts";
import { type LeftOut, leftOutRecord } from "../clients/usable-settings.ts";
import { admitFetch, boundsOfKnown, boundsOfUnknown } from "./admit-fetch.ts";
import { readDocument, readDocumentUrl, readLogoUri } from "./read-document.ts";
import { type StoreLogoDeps, storeLogo } from "./store-logo.ts";

export type FindClientDeps = StoreLogoDeps & Pick<Deps, "blockedHosts" | "oauthClients" | "random" | "state">;

export interface FindClientInput {
  readonly clientId: string;
  /** A refresh: while the host of the document is unavailable, the last document counts. */
  readonly permitsStale?: boolean;
  /** Clients of documents at one time; tests use a smaller bound. */
  readonly clientsMax?: number;
  readonly requestContext: RequestContext;
}

type ClientProblem = OAuthRefusal<"invalid_client" | "temporarily_unavailable">;

/** One text for every failure of the fetch: the response must not describe addresses of this network. */
const UNAVAILABLE = oauthRefusal("invalid_client", "The metadata document of the application cannot be read.");
const NO_CLIENT = oauthRefusal("invalid_client", "client_id names no application.");
const TOO_MANY = rateLimited("client_documents", CLIENT_DOCUMENT_WINDOW_MS / 1000, "too many documents are fetched");

/**
 * The enabled client of a `client_id`; undefined: the id names no client. The document of an unknown client, and a
 * document whose time has passed, is fetched. A document that the settings no longer permit is `invalid_client`. Beyond
 * the bounds the problem is `temporarily_unavailable`.
 */
export async function findOrFetchClient(
  deps: FindClientDeps,
  input: FindClientInput,
): Promise<Result<OAuthClient | undefined, ClientProblem>> {
  const { clientId } = input;
  const { network } = input.requestContext;
  const url = readPermittedUrl(deps, clientId);
  const found = await deps.oauthClients.lookUp(clientId, network);
  // The bounds of fetches apply to a document that is not looked up.
  if (!found.ok && !url) return err(busy(found.error));
  const held = found.ok ? found.value : undefined;
  if (deps.oauthClients.isDisabled(clientId) || (!url && held?.document)) return err(NO_CLIENT);
  if (!url) return ok(held);
  if (deps.blockedHosts.isBlocked(url.hostname)) return err(NO_CLIENT);
  const now = deps.clock.now();
  const isFresh = (client: OAuthClient | undefined) => (client?.document?.freshUntil.getTime() ?? 0) > now;
  if (isFresh(held)) return ok(held);
  // Another replica may have fetched the document since the read.
  const known = held && (await deps.oauthClients.renew(clientId));
  if (isFresh(known)) return ok(known);
  const document = await fetchDocument(deps, { url, known, requestContext: input.requestContext });
  if (!document.ok) {
    const staleUntil = (known?.document?.freshUntil.getTime() ?? 0) + CLIENT_DOCUMENT_STALE_MAX_MS;
    return input.permitsStale && staleUntil > now ? ok(known) : document;
  }
  const at = new Date(now);
  const read = readDocument(clientId, document.value.metadata, at);
  if (!read.ok) return err(oauthRefusal("invalid_client", `The metadata document is not accepted: ${read.error}.`));
  const logoUrl = await logoOf(deps, document.value, {
    known,
    id: read.value.client.id,
    requestContext: input.requestContext,
  });
  const { leftOut } = read.value;
  const client = { ...read.value.client, logoUrl };
  const stored = await persistDocument(deps, client, { ...document.value, url: clientId, leftOut }, input);
  if (!stored) return err(busy(TOO_MANY));
  return ok(await deps.oauthClients.renew(clientId));
}

/** The address of a document that the settings permit; undefined: the client is found by registration alone. */
function readPermittedUrl({ config }: Pick<Deps, "config">, clientId: string): URL | undefined {
  const { mode, hosts } = config.oauth.clientDocuments;
  const url = mode === "off" ? undefined : readDocumentUrl(clientId, config.webhooks);
  if (!url || mode === "on") return url;
  return hosts.some((pattern) => isHostOf(pattern, url.hostname)) ? url : undefined;
}

interface LogoOwner extends Omit<DocumentFetch, "url"> {
  readonly id: string;
}

/** The logo of an unchanged document stays: a host cannot replace the picture that users allowed. */
async function logoOf(
  deps: FindClientDeps,
  { hash, metadata }: FetchedDocument,
  { known, id, requestContext: { network } }: LogoOwner,
): Promise<string | null> {
  if (known?.document?.hash === hash) return known.logoUrl;
  const uri = readLogoUri(metadata);
  if (uri === undefined) return null;
  const admit = () => admitFetch(deps, boundsOfUnknown(new URL(uri), network));
  return await storeLogo(deps, id, { url: uri, network, admit });
}

interface DocumentFetch {
  readonly url: URL;
  /** The client of the document, if the document was read before. */
  readonly known: OAuthClient | undefined;
  readonly requestContext: RequestContext;
}

async function fetchDocument(
  deps: FindClientDeps,
  { url, known, requestContext: { network } }: DocumentFetch,
): Promise<Result<FetchedDocument, ClientProblem>> {
  const admit = () => admitFetch(deps, known ? boundsOfKnown(known, network) : boundsOfUnknown(url, network));
  const fetched = await deps.clientDocuments.fetch({ url: url.href, network, admit });
  if (fetched.ok) return fetched;
  if (fetched.error.kind === "busy") return err(busy(TOO_MANY));
  deps.log.debug({ host: url.hostname, cause: fetched.error.cause }, "a metadata document was not fetched");
  return err(UNAVAILABLE);
}

/** False: there are too many clients. A document read by two replicas at a time has one row. */
async function persistDocument(
  deps: FindClientDeps,
  client: NewClient,
  { url, hash, maxAgeMs, leftOut }: FetchedDocument & Pick<DocumentRecord, "leftOut" | "url">,
  { requestContext, clientsMax }: FindClientInput,
): Promise<boolean> {
  const fetchedAt = client.updatedAt;
  const document = { url, hash, fetchedAt, freshUntil: new Date(fetchedAt.getTime() + maxAgeMs) };
  return await deps.database.transaction("oauth_client.store_document", async (sql) => {
    const created = await insertDocumentClient(sql, client, clientsMax);
    const before = created ? undefined : await lockClient(sql, client.id);
    if (!created && !before) return false;
    const changes = before !== undefined && before.document?.hash !== hash;
    if (before && changes) await persistChange(sql, before, client);
    const action = created ? "oauth.client.document_seen" : "oauth.client.document_changed";
    if (created || changes) await record(deps, sql, { action, client, url, leftOut, requestContext });
    await setDocument(sql, client.id, document);
    return true;
  });
}

/**
 * False: the client has a row, or every client is in use. A new client takes the row of the client that was unused for
 * the longest time: documents without users lock no other client out.
 */
async function insertDocumentClient(
  sql: Sql,
  client: NewClient,
  clientsMax = PROVENANCE_RULES.document.clientsMax,
): Promise<boolean> {
  const insert = async () =>
    await sql`with created as (${insertClient(sql, client, clientsMax)}) select 1 from created`;
  if ((await insert()).length > 0) return true;
  const [row] = await sql`select 1 from oauth_clients where id = ${client.id}`;
  if (row) return false;
  const displaced = await displaceUnusedDocuments(sql, client.createdAt, CLIENT_DOCUMENTS_DISPLACED);
  return displaced > 0 && (await insert()).length > 0;
}

/** Issued tokens remain valid. An administrator's decision to disable the client stays. */
async function persistChange(sql: Sql, before: OAuthClient, client: NewClient): Promise<void> {
  const { disabled, tokensValidFrom, lastUsedAt } = before;
  await sql`${updateClient(sql, before, { ...client, disabled, tokensValidFrom, lastUsedAt })}`;
}

interface DocumentRecord {
  readonly action: "oauth.client.document_changed" | "oauth.client.document_seen";
  readonly client: NewClient;
  readonly url: string;
  readonly leftOut: readonly LeftOut[];
  readonly requestContext: RequestContext;
}

/** A third party publishes any number of documents, and changes a document at any time: the records have a bound. */
async function record(
  deps: FindClientDeps,
  sql: Sql,
  { action, client, url, leftOut, requestContext }: DocumentRecord,
): Promise<void> {
  const { host } = new URL(url);
  if (!(await admitsAnonymousRecord(deps, { action, subject: host, requestContext }))) return;
  await recordAudit(sql, {
    eventId: deps.random.uuid(),
    at: client.updatedAt,
    action,
    outcome: "success",
    organizationId: null,
    actorId: null,
    actorType: "system",
    resourceType: "oauth_client",
    resourceId: client.id,
    metadata: { host, ...leftOutRecord(leftOut) },
    client: requestContext,
  });
}
