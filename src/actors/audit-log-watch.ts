/**
 * Owns: what this replica knows of how far the transparency log is behind the trail, and what holds the log back, for
 * the metrics.
 * Started by: a timer, on every replica, so that it is known where the sequencer stands still.
 * Bound: two statements at a time.
 * A crash loses: nothing.
 */

import type { Clock } from "../base/clock.ts";
import { type Loop, startLoop } from "../base/loop.ts";
import type { Database } from "../database/database.ts";
import { AUDIT_LOG_WATCH_MS } from "../limits/audit-limits.ts";
import { BLOCKER_KINDS, type BlockerKind, findBlocker } from "../models/transparency-log/blocker.ts";
import { findOldestUncovered } from "../models/transparency-log/log.ts";
import type { Logger } from "../telemetry/log.ts";
import { type WatchedAge, watchedAge } from "../telemetry/watched-age.ts";

export interface AuditLogWatch {
  start(): void;
  stop(): Promise<void>;
  /** Seconds since the oldest record was written that no checkpoint covers, 0 if none; undefined until it was read. */
  lag(): number | undefined;
  /** For how many seconds an open transaction has held back the log, by where it is open; empty until it was read. */
  blockers(): readonly HeldBack[];
}

export interface HeldBack {
  readonly kind: BlockerKind;
  readonly seconds: number;
}

export interface AuditLogWatchDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
}

export function auditLogWatch(deps: AuditLogWatchDeps): AuditLogWatch {
  let loop: Loop | undefined;
  const lag = logLag(deps);
  const held = heldBack(deps);
  return {
    start() {
      loop = startLoop({
        pauseMs: AUDIT_LOG_WATCH_MS,
        async round() {
          await Promise.all([lag.read(), held.read()]);
        },
        onFailure: (error) => deps.log.debug({ err: error }, "audit log: its lag cannot be read"),
      });
    },
    async stop() {
      await loop?.stop();
    },
    lag: lag.age,
    blockers: held.blockers,
  };
}

/** Exported for the tests. */
export function heldBack({ database, clock }: Pick<AuditLogWatchDeps, "database" | "clock">) {
  let known: { readonly transactionId: string; readonly kind: BlockerKind; readonly since: number } | undefined;
  let wasRead = false;
  return {
    /** A transaction counts from the first reading that finds it on. */
    async read(): Promise<void> {
      const found = await database.run("transparency_log.find_blocker", findBlocker);
      wasRead = true;
      if (found?.transactionId === known?.transactionId) return;
      known = found && { ...found, since: clock.monotonic() };
    },
    blockers(): readonly HeldBack[] {
      if (!wasRead) return [];
      const seconds = known === undefined ? 0 : (clock.monotonic() - known.since) / 1000;
      return BLOCKER_KINDS.map((kind) => ({ kind, seconds: kind === known?.kind ? seconds : 0 }));
    },
  };
}

/** Exported for the tests. */
export function logLag({ database, clock }: Pick<AuditLogWatchDeps, "database" | "clock">): WatchedAge {
  return watchedAge(clock, () => database.run("transparency_log.find_uncovered", findOldestUncovered));
}
