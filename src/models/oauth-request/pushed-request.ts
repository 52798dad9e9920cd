import type { Sql } from "../../database/database.ts";

/** The form of a pushed authorization request (RFC 9126), which no browser has presented yet. */
export interface PushedRequest {
  readonly handleHash: Buffer;
  readonly clientId: string;
  /** The parameters as sent, form-encoded, without the credentials of the client. */
  readonly form: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** A row without a browser: no page finds the row by its handle. */
export async function insertPushedRequest(sql: Sql, request: PushedRequest): Promise<void> {
  await sql`
    insert into oauth_requests (handle_hash, client_id, parameters, created_at, expires_at)
    values (${request.handleHash}, ${request.clientId}, ${sql.json({ form: request.form })}, ${request.createdAt},
            ${request.expiresAt})`;
}

/** Returns the form once: of parallel uses, one deletes the row. */
export async function consumePushedRequest(
  sql: Sql,
  presented: { readonly handleHash: Buffer; readonly clientId: string; readonly at: Date },
): Promise<string | undefined> {
  const [row] = await sql<{ form: string }[]>`
    delete from oauth_requests
    where handle_hash = ${presented.handleHash} and client_id = ${presented.clientId} and browser_hash is null
      and expires_at > ${presented.at}
    returning parameters ->> 'form' as form`;
  return row?.form;
}
