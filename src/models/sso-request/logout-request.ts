/** Pending sign-outs at an identity provider by SAML 2.0. */
import { hashToken } from "../../base/token-hash.ts";
import type { Sql } from "../../database/database.ts";

export interface PendingLogout {
  /** Null after the deletion of the user. */
  readonly sessionId: string | null;
  readonly redirectTo: string;
}

/** A live request in the browser that signed out. The request stays: a reload sends the message again. */
export async function findLogoutRequest(
  sql: Sql,
  { state, browserToken }: { readonly state: string; readonly browserToken: string },
  connectionId: string,
  at: Date,
): Promise<PendingLogout | undefined> {
  const [row] = await sql<PendingLogout[]>`
    select session_id as "sessionId", redirect_to as "redirectTo" from sso_requests
    where id_hash = ${hashToken(state)} and browser_hash = ${hashToken(browserToken)}
      and connection_id = ${connectionId} and intent = 'logout' and expires_at > ${at}`;
  return row;
}

/** Consumes a live request: of several responses, one gets the row. */
export async function consumeLogoutRequest(
  sql: Sql,
  state: string,
  connectionId: string,
  at: Date,
): Promise<PendingLogout | undefined> {
  const [row] = await sql<PendingLogout[]>`
    delete from sso_requests
    where id_hash = ${hashToken(state)} and connection_id = ${connectionId} and intent = 'logout' and expires_at > ${at}
    returning session_id as "sessionId", redirect_to as "redirectTo"`;
  return row;
}
