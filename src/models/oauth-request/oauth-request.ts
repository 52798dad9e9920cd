import type { Fragment, Sql } from "../../database/database.ts";
import { json } from "../../database/json.ts";
import { deleteRowsBefore } from "../../database/retention.ts";
import type { Acr } from "../../vocabulary/assurance.ts";

/** The parameters of a valid authorization request. Lists are as they were granted to the client. */
export interface AuthorizationParameters {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly responseMode: "query" | "form_post";
  /** The response is a signed JWT (JARM). Absent: plain parameters. */
  readonly isSigned?: boolean;
  readonly state: string | null;
  readonly nonce: string | null;
  /** Null: the request had no challenge, which `require_pkce: false` permits. */
  readonly codeChallenge: string | null;
  readonly scopes: readonly string[];
  readonly resources: readonly string[];
  readonly prompt: readonly ("none" | "login" | "consent" | "select_account")[];
  /** Seconds. */
  readonly maxAge: number | null;
  readonly loginHint: string | null;
  /** Id or slug of the only accepted organization. Absent: every organization, or a request of an earlier release. */
  readonly organization?: string;
  /** The thumbprint of the key of the code (`dpop_jkt`). Absent: of no key, or a request of an earlier release. */
  readonly dpopJkt?: string;
  /** `aal2` is among acr_values. */
  readonly secondFactor: boolean;
  /** The requirement of `acr_values` or `claims`. Absent: of neither, or a request of an earlier release. */
  readonly acr?: RequestedAcr;
  /** The `sub` of the id_token_hint: only this user is accepted. */
  readonly hintedSubject: string | null;
}

/** A requirement on the sign-in. */
export interface RequestedAcr {
  readonly value: Acr;
  /** Whether a weaker sign-in gives no code. */
  readonly essential: boolean;
  /** The essential requirement below a voluntary `value`. */
  readonly least?: Acr;
}

/** A request that waits for the user. */
export interface PendingRequest {
  readonly parameters: AuthorizationParameters;
  readonly createdAt: Date;
}

export interface NewPendingRequest extends PendingRequest {
  readonly handleHash: Buffer;
  readonly browserHash: Buffer;
  /** The user who was signed in; null: nobody. */
  readonly userId: string | null;
  readonly expiresAt: Date;
}

export async function insertRequest(sql: Sql, request: NewPendingRequest): Promise<void> {
  await sql`
    insert into oauth_requests (handle_hash, browser_hash, client_id, user_id, parameters, created_at, expires_at)
    values (${request.handleHash}, ${request.browserHash}, ${request.parameters.clientId}, ${request.userId},
            ${json(sql, request.parameters)}, ${request.createdAt}, ${request.expiresAt})`;
}

/** A request of this browser. Any further browser finds no request. */
export async function findRequest(
  sql: Sql,
  presented: { readonly handleHash: Buffer; readonly browserHash: Buffer; readonly at: Date },
): Promise<PendingRequest | undefined> {
  const [row] = await sql<PendingRequest[]>`
    select parameters, created_at as "createdAt" from oauth_requests
    where handle_hash = ${presented.handleHash} and browser_hash = ${presented.browserHash}
      and expires_at > ${presented.at} and parameters <> '{}'`;
  return row;
}

/** The client of a waiting request, of any browser: the name of a client is public. */
export async function findClientOfRequest(sql: Sql, handleHash: Buffer, at: Date): Promise<string | undefined> {
  const [row] = await sql<{ clientId: string }[]>`
    select client_id as "clientId" from oauth_requests where handle_hash = ${handleHash} and expires_at > ${at}`;
  return row?.clientId;
}

/** The client of a stored request, expired or not: after its end a request is stored for `OAUTH_REQUEST_KEPT_MS`. */
export async function findClientOfStoredRequest(sql: Sql, handleHash: Buffer): Promise<string | undefined> {
  const [row] = await sql<{ clientId: string }[]>`
    select client_id as "clientId" from oauth_requests where handle_hash = ${handleHash}`;
  return row?.clientId;
}

/** Records the user to whom a page of the request is displayed. */
export async function recordRequestUser(sql: Sql, handleHash: Buffer, userId: string): Promise<void> {
  await sql`
    update oauth_requests set user_id = ${userId}
    where handle_hash = ${handleHash} and user_id is distinct from ${userId}::uuid`;
}

/** CTE fragment: deletes the requests whose pages were last displayed to this user. */
export function deleteRequestsOfUser(sql: Sql, userId: string): Fragment {
  return sql`delete from oauth_requests where user_id = ${userId} returning client_id`;
}

/** CTE fragment: consumes a request, so that the request has one response; with a further condition if given. */
export function consumeRequest(sql: Sql, handleHash: Buffer, condition = sql``): Fragment {
  return sql`delete from oauth_requests where handle_hash = ${handleHash} ${condition} returning client_id`;
}

/** Consumes a request with `prompt=none`, from any browser. Returns the request at most once. */
export async function consumeSilentRequest(
  sql: Sql,
  presented: { readonly handleHash: Buffer; readonly at: Date },
): Promise<PendingRequest | undefined> {
  const [row] = await sql<PendingRequest[]>`
    delete from oauth_requests
    where handle_hash = ${presented.handleHash} and expires_at > ${presented.at}
      and parameters -> 'prompt' @> '["none"]'
    returning parameters, created_at as "createdAt"`;
  return row;
}

/**
 * Deletes a bounded batch of expired requests; returns how many. A request is kept for a while after its end, so that a
 * page can name the application.
 */
export const deleteExpiredRequests = deleteRowsBefore("oauth_requests", "expires_at");

/** Removes the parameters and the user of a bounded batch of expired requests; returns how many. */
export async function emptyExpiredRequests(sql: Sql, before: Date, batch: number): Promise<number> {
  const emptied = await sql`
    update oauth_requests set parameters = '{}', user_id = null where ctid in (
      select ctid from oauth_requests
      where expires_at < ${before} and browser_hash is not null and (parameters <> '{}' or user_id is not null)
      order by expires_at limit ${batch}
      for update skip locked
    )`;
  return emptied.count;
}

/** Deletes at most `limit` requests for a client; returns how many. */
export async function deleteRequestsOfClient(sql: Sql, clientId: string, limit: number): Promise<number> {
  const deleted = await sql`
    delete from oauth_requests where handle_hash in (
      select handle_hash from oauth_requests where client_id = ${clientId} limit ${limit}
    )`;
  return deleted.count;
}
