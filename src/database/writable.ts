/** Whether a server takes writes, which a connection and a read do not show. */
import { READ_ONLY } from "./connections.ts";
import type { Sql } from "./database.ts";

/**
 * Rejects at a standby and at a read-only database with SQLSTATE 25006, like a write: the pool then opens the
 * connections anew, and after a failover they lead to the new primary.
 */
export async function requireWritable(sql: Sql): Promise<void> {
  const [row] = await sql<[{ isReadOnly: boolean }]>`
    select pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as "isReadOnly"`;
  if (row.isReadOnly) throw Object.assign(new Error("the database is read-only"), { code: READ_ONLY });
}

/** Reads only where the server takes writes, and rejects as `requireWritable` elsewhere. */
export function whereWritable<T>(read: (sql: Sql) => Promise<T>): (sql: Sql) => Promise<T> {
  return async (sql) => {
    await requireWritable(sql);
    return await read(sql);
  };
}
