/**
 * Owns: the metrics of how far the transparency log is behind the trail, and of transactions that hold the log back.
 * Started by: a timer, on every replica, so a stopped sequencer is visible too.
 * Bound: two statements at a time.
 * A crash loses: no data.
 */

import type { Clock } from "../base/clock.ts";
import { type Loop, startLoop } from "../base/loop.ts";
import type { Database } from "../database/database.ts";
import { AUDIT_LOG_WATCH_MS } from "../limits/audit-limits.ts";
import { BLOCKER_KINDS, type BlockerKind, findBlocker } from "../models/transparency-log/blocker.ts";
import { findOldestUncovered } from "../models/transparency-log/transparency-log.ts";
import type { Logger } from "../telemetry/log.ts";
import { type WatchedAge, watchedAge } from "../telemetry/watched-age.ts";

export interface AuditLogWatch {
  start(): void;
  stop(): Promise<void>;
  /**
   * Age in seconds of the oldest record without a checkpoint, 0 without such a record; undefined before the first
   * reading.
   */
  lag(): number | undefined;
  /** Seconds for which an open transaction has held back the log, by its place; empty before the first reading. */
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
    /** The time of a transaction starts at the first reading in which the transaction is open. */
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
