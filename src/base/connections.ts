import postgres from "postgres";
import type { Clock } from "./clock.ts";
import { DATABASE_RECONNECT_PAUSE_MAX_SECONDS } from "./limits.ts";

/** The connections of one pool. Each is opened when it is first used, and closed after a time without use. */
export interface Connections {
  /** Runs work with a connection that nothing else uses meanwhile; waits for one, in order of arrival. */
  use<T>(work: (sql: postgres.Sql) => Promise<T>): Promise<T>;
  /** Lets statements under way end for so many seconds, then closes all. */
  end(seconds: number): Promise<void>;
}

export interface ConnectionsOptions {
  readonly url: string;
  readonly max: number;
  readonly clock: Clock;
  /** Of the driver, for each connection. */
  readonly driver: postgres.Options<Record<string, never>>;
}

/** too_many_connections (PostgreSQL manual, appendix A), also for a role or a database. Nothing was sent. */
const TOO_MANY_CONNECTIONS = "53300";
/** No connection was opened. The driver pauses before it tries again. */
const UNREACHED = new Set(["ECONNREFUSED", "CONNECT_TIMEOUT"]);
const REST_MS = DATABASE_RECONNECT_PAUSE_MAX_SECONDS * 1000;

/** A client of the driver with one connection. */
interface Member {
  sql: postgres.Sql;
  /** Whether its last work reached the server. */
  isOpen: boolean;
  /** Monotonic milliseconds. The server had no room for it: it is not tried again before. */
  restsUntil: number;
}

/**
 * A pool that uses next the connection that was used last: the server process behind it is warm, and those that are not
 * needed close. The driver's own pool takes them in turn (docs/decisions/0022). One whose work failed is used last,
 * since it may be broken while others are not. Where PostgreSQL has no room for another connection, work waits for one
 * that is open.
 */
export function openConnections({ url, max, clock, driver }: ConnectionsOptions): Connections {
  const openClient = () => postgres(url, { ...driver, max: 1 });
  const members = Array.from({ length: max }, (): Member => ({ sql: openClient(), isOpen: false, restsUntil: 0 }));
  /** A stack: the last one is used next. */
  const free = members.toReversed();
  /** Bounded by the callers of `use` (DATABASE_QUEUE_MAX). */
  const waiting: ((member: Member) => void)[] = [];

  const isOneOpen = () => members.some(({ isOpen }) => isOpen);

  /** The one to use next; undefined where one in use is to be waited for. */
  function next(): Member | undefined {
    const now = clock.monotonic();
    const index = free.findLastIndex(({ restsUntil }) => restsUntil <= now);
    if (index >= 0) return free.splice(index, 1)[0];
    return isOneOpen() ? undefined : free.pop();
  }

  function serveWaiting(): void {
    while (waiting.length > 0) {
      const member = next();
      if (!member) return;
      waiting.shift()?.(member);
    }
  }

  function take(): Promise<Member> {
    return new Promise((resolve) => {
      waiting.push(resolve);
      serveWaiting();
    });
  }

  function release(member: Member, failed: boolean): void {
    if (failed) free.unshift(member);
    else free.push(member);
    serveWaiting();
  }

  /**
   * Version 3.4.9 of the driver takes a statement that was lost with its connection for the one under way on the next:
   * refused there, it connects again and again and never says so. A client that lost its connection is not used again.
   */
  function renew(member: Member): void {
    const lost = member.sql;
    member.sql = openClient();
    lost.end({ timeout: 0 }).catch(() => undefined);
  }

  async function attempt<T>(work: (sql: postgres.Sql) => Promise<T>): Promise<T> {
    const member = await take();
    let failed = true;
    try {
      const result = await work(member.sql);
      failed = false;
      member.isOpen = true;
      return result;
    } catch (error) {
      if (hasNoRoom(error)) member.restsUntil = clock.monotonic() + REST_MS;
      if (isLost(error)) renew(member);
      member.isOpen = error instanceof postgres.PostgresError && error.severity !== "FATAL";
      throw error;
    } finally {
      release(member, failed);
    }
  }

  return {
    async use(work) {
      for (let tried = 1; ; tried += 1) {
        try {
          return await attempt(work);
        } catch (error) {
          if (!hasNoRoom(error) || !isOneOpen() || tried === max) throw error;
        }
      }
    },
    async end(seconds) {
      await Promise.all(members.map(({ sql }) => sql.end({ timeout: seconds })));
    },
  };
}

/** Whether a connection ended under the work, by an error of the driver or the socket. */
function isLost(error: unknown): boolean {
  if (error instanceof postgres.PostgresError) return false;
  return error instanceof Error && "code" in error && !UNREACHED.has(String(error.code));
}

function hasNoRoom(error: unknown): boolean {
  return error instanceof postgres.PostgresError && error.code === TOO_MANY_CONNECTIONS;
}
