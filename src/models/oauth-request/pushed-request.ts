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

/**
 * A row without a browser: no page finds the row by its handle. False: `perClient` requests of the client wait for a
 * browser.
 */
export async function insertPushedRequest(sql: Sql, request: PushedRequest, perClient: number): Promise<boolean> {
  const inserted = await sql`
    insert into oauth_requests (handle_hash, client_id, parameters, created_at, expires_at)
    select ${request.handleHash}::bytea, ${request.clientId}::uuid, ${sql.json({ form: request.form })}::jsonb,
           ${request.createdAt}::timestamptz, ${request.expiresAt}::timestamptz
    where not exists (
      select 1 from oauth_requests
      where client_id = ${request.clientId} and browser_hash is null and expires_at > ${request.createdAt}
      offset ${perClient - 1}
    )
    returning 1`;
  return inserted.length > 0;
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
