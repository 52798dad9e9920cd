import type { Sql } from "../../database/database.ts";
import { deleteRowsBefore } from "../../database/retention.ts";

/**
 * Records a client assertion, or a proof of possession while Redis is unavailable, until the JWT expires. False for a
 * used JWT (RFC 7523, section 3): of parallel uses one inserts the row.
 */
export async function consumeAssertion(
  sql: Sql,
  assertion: { readonly clientId: string; readonly jtiHash: Buffer; readonly expiresAt: Date },
): Promise<boolean> {
  const rows = await sql`
    insert into oauth_assertions (client_id, jti_hash, expires_at)
    values (${assertion.clientId}, ${assertion.jtiHash}, ${assertion.expiresAt})
    on conflict do nothing returning 1`;
  return rows.length > 0;
}

/** Deletes a bounded batch of expired assertions; returns how many. */
export const deleteExpiredAssertions = deleteRowsBefore("oauth_assertions", "expires_at");
