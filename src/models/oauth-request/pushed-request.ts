import type { Fragment, Sql } from "../../database/database.ts";

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

export interface PresentedReference {
  readonly handleHash: Buffer;
  readonly clientId: string;
  readonly at: Date;
}

/** The form of a reference, which remains unused. */
export async function findPushedRequest(sql: Sql, presented: PresentedReference): Promise<string | undefined> {
  const [row] = await sql<{ form: string }[]>`
    select parameters ->> 'form' as form from oauth_requests where ${isPresented(sql, presented)}`;
  return row?.form;
}

/** True for one of parallel uses, which deletes the row. */
export async function consumePushedRequest(sql: Sql, presented: PresentedReference): Promise<boolean> {
  const consumed = await sql`delete from oauth_requests where ${isPresented(sql, presented)}`;
  return consumed.count > 0;
}

/** Deletes a bounded batch of expired pushed requests, which no page displays; returns how many. */
export async function deleteExpiredPushedRequests(sql: Sql, before: Date, batch: number): Promise<number> {
  const deleted = await sql`
    delete from oauth_requests where ctid in (
      select ctid from oauth_requests where browser_hash is null and expires_at < ${before} order by expires_at
      limit ${batch}
      for update skip locked
    )`;
  return deleted.count;
}

function isPresented(sql: Sql, { handleHash, clientId, at }: PresentedReference): Fragment {
  return sql`handle_hash = ${handleHash} and client_id = ${clientId} and browser_hash is null and expires_at > ${at}`;
}
