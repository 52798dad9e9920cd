/**
 * Responses of SAML 2.0 between the assertion consumer service and the browser: a cross-site POST carries no cookie, so
 * the browser proves itself in a second request (docs/contract.md, section 29.35).
 */
import type { Random } from "../../base/random.ts";
import { open, type SealingKey, seal } from "../../base/seal.ts";
import { hashToken } from "../../base/token-hash.ts";
import type { Sql } from "../../database/database.ts";
import type { RequestProof, SsoRequest } from "./sso-request.ts";

/** Associated data: content copied to another row does not open (G22). */
function identityOf(handle: string): string {
  return `saml-outcome:${handle}`;
}

type SealDeps = { readonly sealing: SealingKey; readonly random: Random };

/** A request of a browser that a response named by `RelayState`; the response does not prove the browser. */
export type NamedRequest = SsoRequest & { readonly browserHash: Buffer };

/** Finds a live request without its browser. The request stays. */
export async function findNamedRequest(
  sql: Sql,
  state: string,
  connectionId: string,
  at: Date,
): Promise<NamedRequest | undefined> {
  const [row] = await sql<NamedRequest[]>`
    select browser_hash as "browserHash", connection_id as "connectionId",
           connection_revision as "connectionRevision", intent, user_id as "userId", session_id as "sessionId",
           redirect_to as "redirectTo", max_age as "maxAge", created_at as "createdAt", expires_at as "expiresAt"
    from sso_requests where id_hash = ${hashToken(state)} and connection_id = ${connectionId} and intent <> 'logout'
      and expires_at > ${at}`;
  return row;
}

/** Deletes a live request. False: another response consumed the request first. */
export async function deleteNamedRequest(sql: Sql, state: string, connectionId: string): Promise<boolean> {
  const rows = await sql`
    delete from sso_requests where id_hash = ${hashToken(state)} and connection_id = ${connectionId} returning 1`;
  return rows.length > 0;
}

export interface NewSamlOutcome<Content> {
  readonly handle: string;
  readonly request: NamedRequest;
  readonly content: Content;
  readonly expiresAt: Date;
}

/** Stores an outcome for the browser of the request. */
export async function insertSamlOutcome<Content>(
  sql: Sql,
  deps: SealDeps,
  { handle, request, content, expiresAt }: NewSamlOutcome<Content>,
): Promise<void> {
  const sealed = seal(deps.sealing, deps.random, identityOf(handle), Buffer.from(JSON.stringify(content)));
  await sql`
    insert into sso_outcomes (handle_hash, browser_hash, connection_id, user_id, session_id, redirect_to,
                              sealed_identity, expires_at)
    select ${hashToken(handle)}::bytea, ${request.browserHash}::bytea, c.id, ${request.userId}::uuid,
           ${request.sessionId}::uuid, ${request.redirectTo}::text, ${sealed}::bytea, ${expiresAt}::timestamptz
    from sso_connections c where c.id = ${request.connectionId} for key share`;
}

/**
 * Consumes a live outcome of this connection and browser: of several requests, one gets the content. Undefined also for
 * a row that was tampered with.
 */
export async function consumeSamlOutcome<Content>(
  sql: Sql,
  { sealing }: Pick<SealDeps, "sealing">,
  { state: handle, browserToken }: RequestProof,
  connectionId: string,
  at: Date,
): Promise<Content | undefined> {
  const [row] = await sql<{ sealed: Buffer }[]>`
    delete from sso_outcomes
    where handle_hash = ${hashToken(handle)} and browser_hash = ${hashToken(browserToken)}
      and connection_id = ${connectionId} and expires_at > ${at}
    returning sealed_identity as sealed`;
  const plaintext = row && open(sealing, identityOf(handle), row.sealed);
  return plaintext && (JSON.parse(plaintext.toString()) as Content);
}
