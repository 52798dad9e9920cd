import postgres from "postgres";
import type { Clock } from "../base/clock.ts";
import { DATABASE_RECONNECT_PAUSE_MAX_SECONDS } from "../limits/limits.ts";
import { deadlineWatch } from "./deadline-watch.ts";

/** The connections of one pool. Each is opened when it is first used, and closed after a time without use. */
export interface Connections {
  /** Runs work with a connection that nothing else uses meanwhile; waits for one, in order of arrival. */
  use<T>(caller: Caller, work: Work<T>): Promise<T>;
  /** The caller waits no longer: what it wanted is not begun any more. */
  leave(caller: Caller): void;
  /** Lets statements under way end for so many seconds, then closes all. */
  end(seconds: number): Promise<void>;
}

/** `closed`: aborted in the moment in which the connection closes. */
type Work<T> = (sql: postgres.Sql, closed: AbortSignal) => Promise<T>;

/** Of one `use`. */
export interface Caller {
  /** Set by `leave`. */
  gone: boolean;
}

export interface ConnectionsOptions {
  readonly url: string;
  readonly max: number;
  readonly clock: Clock;
  /** Of one work. A connection that takes longer is replaced. */
  readonly deadlineMs: number;
  /** Of the driver, for each connection. */
  readonly driver: postgres.Options<Record<string, postgres.PostgresType>>;
}

/** too_many_connections (PostgreSQL manual, appendix A), also for a role or a database. Nothing was sent. */
const TOO_MANY_CONNECTIONS = "53300";
/** No connection was opened. The driver pauses before it tries again. */
const UNREACHED = new Set(["ECONNREFUSED", "CONNECT_TIMEOUT"]);
const REST_MS = DATABASE_RECONNECT_PAUSE_MAX_SECONDS * 1000;

/** A client of the driver with one connection, which is replaced when that is lost. */
interface PooledClient {
  sql: postgres.Sql;
  /** Aborted in the moment in which the connection closes. */
  closed: AbortSignal;
  /** Whether its last work reached the server. */
  isOpen: boolean;
  /** Monotonic milliseconds. The server had no room for it: it is not tried again before. */
  restsUntil: number;
  /** Gives the client up for a new one. */
  renew(): void;
}

/** Work under way on a connection. */
interface Checkout {
  readonly member: PooledClient;
  /** Monotonic milliseconds. */
  readonly deadlineAt: number;
}

interface Waiter {
  readonly resolve: (member: PooledClient) => void;
  readonly reject: (error: Error) => void;
}

/**
 * A pool that uses next the connection that was used last: the server process behind it is warm, and those that are not
 * needed close. The driver's own pool takes them in turn (docs/decisions/0022). One whose work failed is used last,
 * since it may be broken while others are not. Where PostgreSQL has no room for another connection, work waits for one
 * that is open.
 */
export function openConnections({ url, max, clock, deadlineMs, driver }: ConnectionsOptions): Connections {
  const members = Array.from({ length: max }, () =>
    openMember((hooks) => postgres(url, { ...driver, ...hooks, max: 1 })),
  );
  /** A stack: the last one is used next. */
  const free = members.toReversed();
  /** In order of arrival. Bounded by the callers of `use` (DATABASE_QUEUE_MAX). */
  const waiting = new Map<Caller, Waiter>();
  const holds = deadlineWatch<Checkout>(clock, replaceUnresponsive);

  const isOneOpen = () => members.some(({ isOpen }) => isOpen);

  /** The one to use next; undefined where one in use is to be waited for. */
  function next(): PooledClient | undefined {
    const now = clock.monotonic();
    const index = free.findLastIndex(({ restsUntil }) => restsUntil <= now);
    if (index >= 0) return free.splice(index, 1)[0];
    return isOneOpen() ? undefined : free.pop();
  }

  function serveWaiting(): void {
    for (const [caller, { resolve }] of waiting) {
      const member = next();
      if (!member) return;
      waiting.delete(caller);
      resolve(member);
    }
  }

  function take(caller: Caller): Promise<PooledClient> {
    return new Promise((resolve, reject) => {
      if (caller.gone) return reject(new CallerGone());
      waiting.set(caller, { resolve, reject });
      serveWaiting();
    });
  }

  function release(member: PooledClient, failed: boolean): void {
    if (failed) free.unshift(member);
    else free.push(member);
    serveWaiting();
  }

  /**
   * No answer for so long: the server's host may be gone without a word, and the system would go on sending for a
   * quarter of an hour. What is free may lead to the same host.
   */
  function replaceUnresponsive({ member }: Checkout): void {
    for (const each of [member, ...free]) each.renew();
  }

  async function attempt<T>(caller: Caller, work: Work<T>): Promise<T> {
    const member = await take(caller);
    const { sql, closed } = member;
    const hold = { member, deadlineAt: clock.monotonic() + deadlineMs };
    holds.add(hold);
    let failed = true;
    try {
      const result = await work(sql, closed);
      failed = false;
      if (member.sql === sql) member.isOpen = true;
      return result;
    } catch (error) {
      if (hasNoRoom(error)) member.restsUntil = clock.monotonic() + REST_MS;
      if (member.sql === sql) {
        if (isLost(error)) member.renew();
        else member.isOpen = error instanceof postgres.PostgresError && error.severity !== "FATAL";
      }
      throw error;
    } finally {
      holds.delete(hold);
      release(member, failed);
    }
  }

  return {
    async use(caller, work) {
      for (let tried = 1; ; tried += 1) {
        try {
          return await attempt(caller, work);
        } catch (error) {
          if (!hasNoRoom(error) || !isOneOpen() || tried === max) throw error;
        }
      }
    },
    leave(caller) {
      caller.gone = true;
      waiting.get(caller)?.reject(new CallerGone());
      waiting.delete(caller);
    },
    async end(seconds) {
      await Promise.all(members.map(({ sql }) => sql.end({ timeout: seconds })));
      holds.close();
    },
  };
}

/**
 * A client that lost its connection is not used again: version 3.4.9 of the driver takes a statement that was lost for
 * the one under way on the next connection; refused there, it connects again and again and never says so. One that has
 * not connected yet is kept, since it pauses before it tries again.
 */
function openMember(
  open: (hooks: Pick<postgres.Options<never>, "onparameter" | "onclose">) => postgres.Sql,
): PooledClient {
  const member: PooledClient = { ...connect(), isOpen: false, restsUntil: 0, renew };
  return member;

  function connect(): Pick<PooledClient, "sql" | "closed"> {
    const closing = new AbortController();
    let hasConnected = false;
    const sql = open({
      // The server's settings are the first that it tells a client that it has let in.
      onparameter() {
        hasConnected = true;
      },
      onclose() {
        if (!hasConnected) return;
        closing.abort();
        if (member.sql === sql) renew();
      },
    });
    return { sql, closed: closing.signal };
  }

  function renew(): void {
    const lost = member.sql;
    Object.assign(member, { ...connect(), isOpen: false });
    lost.end({ timeout: 0 }).catch(() => undefined);
  }
}

class CallerGone extends Error {
  constructor() {
    super("the caller waits no longer");
  }
}

/** Whether a connection ended under the work, by an error of the driver or the socket. */
function isLost(error: unknown): boolean {
  if (error instanceof postgres.PostgresError) return false;
  return error instanceof Error && "code" in error && !UNREACHED.has(String(error.code));
}

function hasNoRoom(error: unknown): boolean {
  return error instanceof postgres.PostgresError && error.code === TOO_MANY_CONNECTIONS;
}
