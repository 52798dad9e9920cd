import type postgres from "postgres";

/**
 * Runs work in a transaction: `commit` when it resolves, `rollback` when it rejects. Rejects in the moment in which the
 * connection closes, and lets neither the work nor the driver send anything more: version 3.4.9 of the driver would
 * write it, its `rollback` for one, to a socket that is gone, by an exception outside of every promise, which ends the
 * process.
 */
export function inTransaction<T>(
  sql: postgres.Sql,
  closed: AbortSignal,
  work: (sql: postgres.TransactionSql) => Promise<T>,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const lose = () => reject(new ConnectionClosed());
    closed.addEventListener("abort", lose, { once: true });
    // The driver is not told how work ended that has lost its connection: it would end a transaction that is no more.
    const whileOpen =
      <V>(settle: (value: V) => void) =>
      (value: V) => {
        if (!closed.aborted) settle(value);
      };
    const begun = sql.begin(
      (transaction) =>
        new Promise<T>((done, failed) => {
          work(untilClosed(transaction, closed)).then(whileOpen(done), whileOpen(failed));
        }),
    );
    begun.then((result) => resolve(result as T), reject).finally(() => closed.removeEventListener("abort", lose));
  });
}

/** As the driver's own error: nothing is known of what was under way. */
class ConnectionClosed extends Error {
  readonly code = "CONNECTION_CLOSED";
  constructor() {
    super("the connection to PostgreSQL was lost during a transaction");
  }
}

function untilClosed(sql: postgres.TransactionSql, closed: AbortSignal): postgres.TransactionSql {
  return new Proxy(sql, {
    apply(target, self, args) {
      if (closed.aborted) throw new ConnectionClosed();
      return Reflect.apply(target, self, args);
    },
  });
}
