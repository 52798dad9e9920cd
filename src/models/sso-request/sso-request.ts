import type { ssoRequests } from "../../../db/schema/sso-connections.ts";
import { hashToken } from "../../base/token-hash.ts";
import type { Sql } from "../../database/database.ts";
import type { RowOf } from "../../database/row.ts";

type RequestRow = RowOf<typeof ssoRequests>;

export type NewSsoRequest = Omit<RequestRow, "idHash" | "browserHash">;
/** A request to an identity provider with a response that asserts an identity, as consumed. */
export type SsoRequest = NewSsoRequest & { readonly intent: Exclude<NewSsoRequest["intent"], "logout"> };

/** The two values that the callback presents: `state`, and the cookie of the browser that began the request. */
export interface RequestProof {
  readonly state: string;
  readonly browserToken: string;
}

/** `no_connection`: the connection was deleted meanwhile. */
export type RequestInsertion = "inserted" | "full" | "no_connection";

/** Inserts a request, unless the connection has `limit` live requests. */
export async function insertSsoRequest(
  sql: Sql,
  { state, browserToken }: RequestProof,
  request: NewSsoRequest,
  limit: number,
): Promise<RequestInsertion> {
  const { connectionId, createdAt } = request;
  const [row] = await sql<{ result: RequestInsertion }[]>`
    with connection as (select id from sso_connections where id = ${connectionId} for key share),
    inserted as (
    insert into sso_requests (id_hash, browser_hash, connection_id, connection_revision, intent, user_id, session_id,
                              redirect_to, max_age, created_at, expires_at)
    select ${hashToken(state)}::bytea, ${hashToken(browserToken)}::bytea, connection.id,
           ${request.connectionRevision}::integer, ${request.intent}::text, ${request.userId}::uuid,
           ${request.sessionId}::uuid, ${request.redirectTo}::text, ${request.maxAge}::integer,
           ${createdAt}::timestamptz, ${request.expiresAt}::timestamptz
    from connection
    where (
      select count(*) from (
        select 1 from sso_requests where connection_id = ${connectionId} and expires_at > ${createdAt} limit ${limit}
      ) live
    ) < ${limit}
    returning 1
    )
    select case when exists (select 1 from inserted) then 'inserted' when exists (select 1 from connection) then 'full'
                else 'no_connection' end as result`;
  return row?.result ?? "no_connection";
}

/**
 * Consumes a live request of this connection and browser. Every further message finds no row and leaves the request
 * unused.
 */
export async function consumeSsoRequest(
  sql: Sql,
  { state, browserToken }: RequestProof,
  connectionId: string,
  at: Date,
): Promise<SsoRequest | undefined> {
  const [row] = await sql<SsoRequest[]>`
    delete from sso_requests
    where id_hash = ${hashToken(state)} and browser_hash = ${hashToken(browserToken)}
      and connection_id = ${connectionId} and intent <> 'logout' and expires_at > ${at}
    returning connection_id as "connectionId", connection_revision as "connectionRevision", intent,
              user_id as "userId", session_id as "sessionId", redirect_to as "redirectTo", max_age as "maxAge",
              created_at as "createdAt", expires_at as "expiresAt"`;
  return row;
}
