/**
 * Owns: the start of warnings about keys of directories, the start of the erasure of departed users, and the metric of
 * directories by state.
 * Started by: a timer, every minute on every replica; one replica at a time warns and erases, by a lease.
 * Bound: `KEY_WARNINGS_BATCH` warnings and `MANAGED_USERS_BATCH` erasures of a round.
 * A crash loses: no data; another replica continues after the end of the lease.
 */
import type { Clock } from "../base/clock.ts";
import { type Loop, startLoop } from "../base/loop.ts";
import type { Random } from "../base/random.ts";
import type { Database } from "../database/database.ts";
import {
  DIRECTORY_REFUSED_REQUESTS,
  DIRECTORY_REFUSED_WINDOW_MS,
  DIRECTORY_SILENT_AFTER_MS,
  DIRECTORY_WATCH_LEASE_MS,
  DIRECTORY_WATCH_MS,
} from "../limits/directory-limits.ts";
import { countDirectoriesByState, DIRECTORY_STATES, type DirectoryState } from "../models/directory/directory.ts";
import { acquireLease, releaseLease } from "../models/lease/lease.ts";
import type { DirectoryGauge } from "../telemetry/gauges.ts";
import type { Logger } from "../telemetry/log.ts";

export interface DirectoryWatch {
  start(): void;
  stop(): Promise<void>;
  /** One gauge for each state; empty before the first reading. */
  gauges(): readonly DirectoryGauge[];
}

export interface DirectoryWatchDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  /** Writes the warnings that are due; returns how many. */
  readonly warnOwners: () => Promise<number>;
  /** To be called after warnings were written. */
  readonly wakeOutbox: () => void;
  readonly eraseDeparted: (isStopped: () => boolean) => Promise<number>;
}

const LEASE = "directories";

export function directoryWatch(deps: DirectoryWatchDeps): DirectoryWatch {
  const { database, clock, random, log } = deps;
  const lease = { name: LEASE, holder: random.uuid(), ms: DIRECTORY_WATCH_LEASE_MS };
  let counts: Partial<Record<DirectoryState, number>> | undefined;
  let loop: Loop | undefined;

  async function actAsHolder(isStopped: () => boolean): Promise<void> {
    if (!(await database.run("lease.take", (sql) => acquireLease(sql, lease)))) return;
    try {
      if ((await deps.warnOwners()) > 0) deps.wakeOutbox();
      await deps.eraseDeparted(isStopped);
    } finally {
      await database.run("lease.release", (sql) => releaseLease(sql, lease));
    }
  }

  return {
    start() {
      loop = startLoop({
        pauseMs: DIRECTORY_WATCH_MS,
        async round(isStopped) {
          await actAsHolder(isStopped);
          const thresholds = {
            silentBefore: new Date(clock.now() - DIRECTORY_SILENT_AFTER_MS),
            refusedSince: new Date(clock.now() - DIRECTORY_REFUSED_WINDOW_MS),
            refusedRequests: DIRECTORY_REFUSED_REQUESTS,
          };
          counts = await database.run("directory.count", (sql) => countDirectoriesByState(sql, thresholds));
        },
        onFailure: (error) =>
          log.warn({ err: error }, "directories: a round of the watch failed; the next one continues"),
      });
    },
    async stop() {
      await loop?.stop();
    },
    gauges: () => (counts ? DIRECTORY_STATES.map((state) => ({ state, directories: counts?.[state] ?? 0 })) : []),
  };
}
