import postgres from "postgres";
import type { Clock } from "../base/clock.ts";
import { driverOptions } from "../base/database-url.ts";
import { deadlineWatch } from "../base/deadline-watch.ts";
import { DATABASE_RECONNECT_PAUSE_MAX_SECONDS } from "../limits/database-limits.ts";

/** The connections of a pool. A connection is opened at the first use, and closed after a time without use. */
export interface Connections {
  /** Runs work with an exclusive connection; waits for a connection in order of arrival. */
  use<T>(caller: Caller, work: Work<T>): Promise<T>;
  /** The caller no longer waits: work that has not begun never begins. */
  cancel(caller: Caller): void;
  /** Lets statements under way end for so many seconds, then closes all. */
  end(seconds: number): Promise<void>;
}

/** `closed`: aborted at the moment at which the connection closes. */
type Work<T> = (sql: postgres.Sql, closed: AbortSignal) => Promise<T>;

/** The caller of a single `use`. */
export interface Caller {
  /** Set by `cancel`. */
  cancelled: boolean;
}

export interface ConnectionsOptions {
  readonly url: string;
  readonly max: number;
  readonly clock: Clock;
  /** Deadline of a piece of work. A connection that takes longer is replaced. */
  readonly deadlineMs: number;
  /** Options of the driver for every connection. */
  readonly driver: postgres.Options<Record<string, postgres.PostgresType>>;
}

/** too_many_connections (PostgreSQL manual, appendix A), also for a role or a database. No statement was sent. */
const TOO_MANY_CONNECTIONS = "53300";
/** read_only_sql_transaction: of a write, or of `requireWritable`. */
export const READ_ONLY = "25006";
/** No connection was opened. The driver pauses before it tries again. */
const UNREACHABLE = new Set(["ECONNREFUSED", "CONNECT_TIMEOUT"]);
const RETRY_PAUSE_MS = DATABASE_RECONNECT_PAUSE_MAX_SECONDS * 1000;

/** A client of the driver with a single connection. A lost connection is replaced. */
interface PooledClient {
  sql: postgres.Sql;
  /** Aborted at the moment at which the connection closes. */
  closed: AbortSignal;
  /** Whether the last work reached the server. */
  isOpen: boolean;
  /** Monotonic milliseconds. The server had too many connections: the client is not used before this time. */
  retryAt: number;
  /** Replaces the driver client by a new driver client. */
  renew(): void;
}

/** Work under way on a connection. */
interface Checkout {
  readonly client: PooledClient;
  /** Monotonic milliseconds. */
  readonly deadlineAt: number;
}

interface Waiter {
  readonly resolve: (client: PooledClient) => void;
  readonly reject: (error: Error) => void;
}

/**
 * LIFO connection pool: the server process behind the last used connection is warm, and idle connections close. The
 * driver's pool uses connections in turn (docs/decisions/0022). A connection whose work failed is used last, because
 * the connection may be broken. Where PostgreSQL accepts no further connection, work waits for an open connection.
 */
export function openConnections({ url, max, clock, deadlineMs, driver }: ConnectionsOptions): Connections {
  const clients = Array.from({ length: max }, () =>
    openClient((hooks) => postgres(driverOptions(url, { ...driver, ...hooks, max: 1 }))),
  );
  /** A stack: the last client is used next. */
  const free = clients.toReversed();
  /** In order of arrival. Bounded by the callers of `use` (DATABASE_QUEUE_MAX). */
  const waiting = new Map<Caller, Waiter>();
  const checkouts = deadlineWatch<Checkout>(clock, replaceUnresponsive);

  const hasOpenClient = () => clients.some(({ isOpen }) => isOpen);

  /** The client to use next; undefined where the caller must wait for a client in use. */
  function next(): PooledClient | undefined {
    const now = clock.monotonic();
    const index = free.findLastIndex(({ retryAt }) => retryAt <= now);
    if (index >= 0) return free.splice(index, 1)[0];
    return hasOpenClient() ? undefined : free.pop();
  }

  function serveWaiting(): void {
    for (const [caller, { resolve }] of waiting) {
      const client = next();
      if (!client) return;
      waiting.delete(caller);
      resolve(client);
    }
  }

  function acquire(caller: Caller): Promise<PooledClient> {
    return new Promise((resolve, reject) => {
      if (caller.cancelled) return reject(new CallerCancelled());
      waiting.set(caller, { resolve, reject });
      serveWaiting();
    });
  }

  function release(client: PooledClient, failed: boolean): void {
    if (failed) free.unshift(client);
    else free.push(client);
    serveWaiting();
  }

  /**
   * No response within the deadline: the server's host may be gone without a TCP reset, and the operating system would
   * retransmit for a quarter of an hour. Idle connections may lead to the unresponsive host too.
   */
  function replaceUnresponsive({ client }: Checkout): void {
    for (const stale of [client, ...free]) stale.renew();
  }

  async function attempt<T>(caller: Caller, work: Work<T>): Promise<T> {
    const client = await acquire(caller);
    const { sql, closed } = client;
    const checkout = { client, deadlineAt: clock.monotonic() + deadlineMs };
    checkouts.add(checkout);
    let failed = true;
    try {
      const result = await work(sql, closed);
      failed = false;
      if (client.sql === sql) client.isOpen = true;
      return result;
    } catch (error) {
      if (isTooManyConnections(error)) client.retryAt = clock.monotonic() + RETRY_PAUSE_MS;
      if (client.sql === sql && isReadOnly(error)) replaceUnresponsive(checkout);
      else if (client.sql === sql && isLost(error)) client.renew();
      else if (client.sql === sql) client.isOpen = isAnswer(error);
      throw error;
    } finally {
      checkouts.delete(checkout);
      release(client, failed);
    }
  }

  return {
    async use(caller, work) {
      for (let tried = 1; ; tried += 1) {
        try {
          return await attempt(caller, work);
        } catch (error) {
          if (!isTooManyConnections(error) || !hasOpenClient() || tried === max) throw error;
        }
      }
    },
    cancel(caller) {
      caller.cancelled = true;
      waiting.get(caller)?.reject(new CallerCancelled());
      waiting.delete(caller);
    },
    async end(seconds) {
      await Promise.all(clients.map(({ sql }) => sql.end({ timeout: seconds })));
      checkouts.close();
    },
  };
}

/**
 * A client that lost the connection is not used again: version 3.4.9 of the driver takes the lost statement for the
 * current statement of the next connection; if that connection is refused, the driver reconnects forever and never
 * reports the failure. A client that has not connected yet is kept, because the client pauses before the next attempt.
 */
function openClient(
  open: (hooks: Pick<postgres.Options<never>, "onparameter" | "onclose">) => postgres.Sql,
): PooledClient {
  const client: PooledClient = { ...connect(), isOpen: false, retryAt: 0, renew };
  return client;

  function connect(): Pick<PooledClient, "sql" | "closed"> {
    const closing = new AbortController();
    let hasConnected = false;
    const sql = open({
      // The server sends the settings first after a successful authentication.
      onparameter() {
        hasConnected = true;
      },
      onclose() {
        if (!hasConnected) return;
        closing.abort();
        if (client.sql === sql) renew();
      },
    });
    return { sql, closed: closing.signal };
  }

  function renew(): void {
    const lost = client.sql;
    Object.assign(client, { ...connect(), isOpen: false });
    lost.end({ timeout: 0 }).catch(() => undefined);
  }
}

class CallerCancelled extends Error {
  constructor() {
    super("the caller has cancelled");
  }
}

/**
 * The server has become a standby: after a failover the address leads to the new primary, and open connections lead to
 * the old one.
 */
function isReadOnly(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === READ_ONLY;
}

/** Whether the server responded with an error and goes on. */
function isAnswer(error: unknown): boolean {
  return error instanceof postgres.PostgresError && error.severity !== "FATAL";
}

/** Whether a connection ended under the work, by an error of the driver or the socket. */
function isLost(error: unknown): boolean {
  if (error instanceof postgres.PostgresError) return false;
  return error instanceof Error && "code" in error && !UNREACHABLE.has(String(error.code));
}

function isTooManyConnections(error: unknown): boolean {
  return error instanceof postgres.PostgresError && error.code === TOO_MANY_CONNECTIONS;
}
