import postgres from "postgres";

/** The connections of one pool. Each is opened when it is first used, and closed after a time without use. */
export interface Connections {
  /** Runs work with a connection that nothing else uses meanwhile; waits for one, in order of arrival. */
  use<T>(work: (sql: postgres.Sql) => Promise<T>): Promise<T>;
  /** Lets statements under way end for so many seconds, then closes all. */
  end(seconds: number): Promise<void>;
}

/**
 * A pool that uses next the connection that was used last: the server process behind it is warm, and those that are not
 * needed close. The driver's own pool takes them in turn (docs/decisions/0022). Each is a client of the driver with one
 * connection. One whose work failed is used last: it may be broken while others are not.
 */
export function openConnections(
  url: string,
  max: number,
  options: postgres.Options<Record<string, never>>,
): Connections {
  const clients = Array.from({ length: max }, () => postgres(url, { ...options, max: 1 }));
  /** A stack: the last one is used next. */
  const free = clients.toReversed();
  /** Bounded by the callers of `use` (DATABASE_QUEUE_MAX). */
  const waiting: ((client: postgres.Sql) => void)[] = [];

  function take(): Promise<postgres.Sql> | postgres.Sql {
    return free.pop() ?? new Promise((resolve) => waiting.push(resolve));
  }

  function release(client: postgres.Sql, failed: boolean): void {
    const next = waiting.shift();
    if (next) next(client);
    else if (failed) free.unshift(client);
    else free.push(client);
  }

  return {
    async use(work) {
      const client = await take();
      try {
        const result = await work(client);
        release(client, false);
        return result;
      } catch (error) {
        release(client, true);
        throw error;
      }
    },
    async end(seconds) {
      await Promise.all(clients.map((client) => client.end({ timeout: seconds })));
    },
  };
}
