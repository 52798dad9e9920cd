/**
 * Owns: what this replica knows of how far the transparency log is behind the trail, for the metric.
 * Started by: a timer, on every replica, so that it is known where the sequencer stands still.
 * Bound: one statement at a time.
 * A crash loses: nothing.
 */
import { AUDIT_LOG_WATCH_MS } from "../base/audit-limits.ts";
import type { Clock } from "../base/clock.ts";
import type { Database } from "../base/database.ts";
import type { Logger } from "../base/log.ts";
import { type Loop, startLoop } from "../base/loop.ts";
import { type WatchedAge, watchedAge } from "../base/watched-age.ts";
import { findOldestUncovered } from "../models/transparency-log/log.ts";

export interface AuditLogWatch {
  start(): void;
  stop(): Promise<void>;
  /** Seconds since the oldest record was written that no checkpoint covers, 0 if none; undefined until it was read. */
  lag(): number | undefined;
}

export interface AuditLogWatchDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
}

export function auditLogWatch(deps: AuditLogWatchDeps): AuditLogWatch {
  let loop: Loop | undefined;
  const lag = logLag(deps);
  return {
    start() {
      loop = startLoop({
        pauseMs: AUDIT_LOG_WATCH_MS,
        round: lag.read,
        onFailure: (error) => deps.log.debug({ err: error }, "audit log: its lag cannot be read"),
      });
    },
    async stop() {
      await loop?.stop();
    },
    lag: lag.age,
  };
}

/** Exported for the tests. */
export function logLag({ database, clock }: Pick<AuditLogWatchDeps, "database" | "clock">): WatchedAge {
  return watchedAge(clock, () => database.run("transparency_log.find_uncovered", findOldestUncovered));
}
