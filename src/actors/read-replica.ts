/**
 * Owns: the known replay position of the read replica (DATABASE_READ_URL), and the resulting choice of a database for
 * each list. A replica is fresh while the replica holds all data committed by the primary SERVICE_READ_MAX_LAG_MS ago.
 * Updated by: a loop, which compares a position of the primary's log with the replayed position.
 * Bound: `POSITIONS_MAX` remembered positions.
 * A crash loses: the positions; until the next round lists are read from the primary.
 */
import type { Clock } from "../base/clock.ts";
import { type Loop, startLoop } from "../base/loop.ts";
import { type Database, errorCode, type Sql } from "../database/database.ts";
import { coveredUntil, type Position, primaryPosition, replayedPosition } from "../database/replication.ts";
import {
  READ_REPLICA_POLL_MAX_MS,
  READ_REPLICA_POLL_MIN_MS,
  READ_REPLICA_POLLS_PER_LAG,
  READ_WRITER_MARGIN_MS,
  READ_WRITER_SKEW_MS,
} from "../limits/database-limits.ts";
import type { State } from "../state/state.ts";
import type { Logger } from "../telemetry/log.ts";

/** The caller who reads a list. */
export interface Reader {
  readonly userId: string;
  /** When the session began, in milliseconds. */
  readonly authTime: number;
}

/** Reads that may lag: lists, searches, totals and exports. Never for a decision (docs/decisions/0012). */
export interface Reads {
  /**
   * Runs one statement on the replica while the replica is fresh and has the writes of this caller, else on the
   * primary.
   */
  run<T>(statement: string, reader: Reader, work: (sql: Sql) => Promise<T>): Promise<T>;
  /** The databases for an export, the preferred database first. */
  exportUrls(reader: Reader): Promise<readonly string[]>;
  /** Called after a request of a user with a possible write, before the response. Never rejects. */
  recordWrite(userId: string): Promise<void>;
  start(): void;
  stop(): Promise<void>;
}

/** Without DATABASE_READ_URL everything is read from the primary. */
export function primaryReads(database: Database, databaseUrl: string): Reads {
  return {
    run: (statement, _reader, work) => database.run(statement, work),
    exportUrls: async () => [databaseUrl],
    recordWrite: async () => undefined,
    start: () => undefined,
    stop: async () => undefined,
  };
}

export interface ReadReplicaDeps {
  readonly primary: Database;
  readonly primaryUrl: string;
  readonly replica: Database;
  readonly replicaUrl: string;
  readonly state: Pick<State, "mark" | "isMarked">;
  readonly clock: Clock;
  readonly log: Logger;
  readonly maxLagMs: number;
}

/** More than the loop asks for within the greatest lag. */
const POSITIONS_MAX = 2_000;
/** query_canceled: the time-out of the statement; the primary would exceed the time-out too. */
const QUERY_CANCELED = "57014";

export function readReplica(deps: ReadReplicaDeps): Reads {
  const { primary, replica, clock, log, state, maxLagMs } = deps;
  const writerKey = (userId: string) => `service:wrote:{${userId}}`;
  const writerMs = maxLagMs + READ_WRITER_MARGIN_MS;
  let positions: readonly Position[] = [];
  let covered = Number.NEGATIVE_INFINITY;
  let wasFresh: boolean | undefined;
  let loop: Loop | undefined;
  const abandon = new Set<() => void>();

  const isFresh = () => clock.monotonic() - covered <= maxLagMs;

  function logFreshness(reason?: unknown): void {
    const fresh = isFresh();
    if (fresh === wasFresh) return;
    wasFresh = fresh;
    if (fresh) {
      log.info("lists are read from the read replica");
      return;
    }
    log.warn({ err: reason }, "the read replica lags or is away: lists are read from the primary");
    for (const each of abandon) each();
  }

  async function round(): Promise<void> {
    const at = clock.monotonic();
    const position = await primary.run("read_replica.primary_position", primaryPosition);
    if (positions.at(-1)?.history !== position.history) covered = Number.NEGATIVE_INFINITY;
    positions = [...positions, { ...position, at }].slice(-POSITIONS_MAX);
    const replayed = await withinMs(maxLagMs, replica.run("read_replica.replayed", replayedPosition));
    if (!replayed) throw new Error("DATABASE_READ_URL does not lead to a standby");
    // The position can go back: the URL may lead to another standby than before.
    covered = coveredUntil(positions, replayed);
    positions = positions.filter((each) => each.at >= covered && each.history === position.history);
    logFreshness();
  }

  function onFailure(error: unknown): void {
    covered = Number.NEGATIVE_INFINITY;
    logFreshness(error);
  }

  async function mayRead(reader: Reader): Promise<boolean> {
    if (!isFresh()) return false;
    // The start of a session records no write, so a new session reads from the primary. `authTime` is of another
    // replica's clock.
    if (clock.now() - reader.authTime < writerMs + READ_WRITER_SKEW_MS) return false;
    return !(await state.isMarked(writerKey(reader.userId)));
  }

  /** Rejects once the replica is no longer fresh: a stalled replica would take 8 s to fail. */
  function untilAbandoned<T>(pending: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const give = () => reject(new Error("the read replica went away"));
      abandon.add(give);
      pending.then(resolve, reject).finally(() => abandon.delete(give));
    });
  }

  return {
    async run(statement, reader, work) {
      if (!(await mayRead(reader))) return await primary.run(statement, work);
      try {
        return await untilAbandoned(replica.run(statement, work));
      } catch (error) {
        if (errorCode(error) === QUERY_CANCELED) throw error;
        log.debug({ err: error, statement }, "the read replica failed: the primary is asked");
        return await primary.run(statement, work);
      }
    },
    exportUrls: async (reader) => ((await mayRead(reader)) ? [deps.replicaUrl, deps.primaryUrl] : [deps.primaryUrl]),
    recordWrite: (userId) => state.mark(writerKey(userId), writerMs),
    start() {
      const pauseMs = Math.min(
        Math.max(maxLagMs / READ_REPLICA_POLLS_PER_LAG, READ_REPLICA_POLL_MIN_MS),
        READ_REPLICA_POLL_MAX_MS,
      );
      loop = startLoop({ pauseMs, round, onFailure, failurePauseMaxMs: READ_REPLICA_POLL_MAX_MS });
    },
    async stop() {
      await loop?.stop();
      await replica.close();
    },
  };
}

function withinMs<T>(deadlineMs: number, pending: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`no response within ${deadlineMs} ms`)), deadlineMs);
    pending.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
