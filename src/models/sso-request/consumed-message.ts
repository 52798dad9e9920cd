/** Messages of identity providers that count once: the id of each accepted message stays until its expiry. */
import { createHash } from "node:crypto";
import type { Sql } from "../../database/database.ts";

export interface ConsumedMessage {
  readonly connectionId: string;
  readonly id: string;
  readonly expiresAt: Date;
}

/**
 * Inserts the id of a message inside the transaction of the effect. False: the message was accepted before,
 * or the connection was deleted. A concurrent transaction with the id waits for the end of the first.
 */
export async function consumeMessage(sql: Sql, { connectionId, id, expiresAt }: ConsumedMessage): Promise<boolean> {
  const idHash = createHash("sha256").update(id).digest();
  const rows = await sql`
    with connection as (select id from sso_connections where id = ${connectionId} for key share)
    insert into sso_consumed (connection_id, id_hash, expires_at)
    select id, ${idHash}::bytea, ${expiresAt}::timestamptz from connection
    on conflict do nothing returning 1`;
  return rows.length > 0;
}
