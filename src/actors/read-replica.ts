/**
 * Owns: how far the read replica (DATABASE_READ_URL) is known to have replayed, and hence which database a list is read
 * from. A replica is fresh while it holds all that the primary had committed SERVICE_READ_MAX_LAG_MS ago.
 * Updated by: a loop that compares a position of the primary's log with what the replica has replayed.
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
} from "../limits/limits.ts";
import type { State } from "../state/state.ts";
import type { Logger } from "../telemetry/log.ts";

/** The caller that a list is for. */
export interface Reader {
  readonly userId: string;
  /** When the session began, in milliseconds. */
  readonly authTime: number;
}

/** Reads that may lag: lists, searches, totals and exports. Never for a decision (docs/decisions/0012). */
export interface Reads {
  /** Runs one statement on the replica while it is fresh and has what this caller wrote, else on the primary. */
  run<T>(statement: string, reader: Reader, work: (sql: Sql) => Promise<T>): Promise<T>;
  /** The databases that an export may read, the preferred one first. */
  exportUrls(reader: Reader): Promise<readonly string[]>;
  /** To be called after a request of a user that may have written, before it is answered. Never rejects. */
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
/** query_canceled: the time-out of the statement, which the primary would not meet either. */
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

  function noteFreshness(reason?: unknown): void {
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
    // It can go back: the URL may lead to another standby than before.
    covered = coveredUntil(positions, replayed);
    positions = positions.filter((each) => each.at >= covered && each.history === position.history);
    noteFreshness();
  }

  function onFailure(error: unknown): void {
    covered = Number.NEGATIVE_INFINITY;
    noteFreshness(error);
  }

  async function mayRead(reader: Reader): Promise<boolean> {
    if (!isFresh()) return false;
    // Sessions record no write at their beginning. Their time is of another replica's clock.
    if (clock.now() - reader.authTime < writerMs + READ_WRITER_SKEW_MS) return false;
    return !(await state.isMarked(writerKey(reader.userId)));
  }

  /** Rejects once the replica is no longer fresh: one that stands still would take 8 s to fail. */
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
