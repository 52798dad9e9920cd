import type postgres from "postgres";

/**
 * Runs work in a transaction: `commit` when the work resolves, `rollback` when the work rejects. Rejects at the moment
 * at which the connection closes, and lets neither the work nor the driver send further statements: version 3.4.9 of
 * the driver would write a statement, for example the `rollback`, to a closed socket, and the exception outside of
 * every promise would end the process.
 */
export function inTransaction<T>(
  sql: postgres.Sql,
  closed: AbortSignal,
  work: (sql: postgres.TransactionSql) => Promise<T>,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const rejectClosed = () => reject(new ConnectionClosed());
    closed.addEventListener("abort", rejectClosed, { once: true });
    // Work without a connection reports no outcome to the driver: the driver would end a transaction that no longer
    // exists.
    const whileOpen =
      <V>(settle: (value: V) => void) =>
      (value: V) => {
        if (!closed.aborted) settle(value);
      };
    const transactionEnd = sql.begin(
      (transaction) =>
        new Promise<T>((done, failed) => {
          work(untilClosed(transaction, closed)).then(whileOpen(done), whileOpen(failed));
        }),
    );
    transactionEnd
      .then((result) => resolve(result as T), reject)
      .finally(() => closed.removeEventListener("abort", rejectClosed));
  });
}

/** Has the code of the driver's error: the outcome of the transaction is unknown. */
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
