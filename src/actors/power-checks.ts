/**
 * Owns: the end of bound sessions of members above the person behind a connection, after a change of power.
 * Started by: a timer on every replica; triggers of PostgreSQL queue the organizations (`power_checks`).
 * Bound: `POWER_CHECKS_RUNNING` organizations at a time, whose pages of members take turns in `POWER_CHECK_LANES`
 * lanes, so that an organization waits for a page of each other organization, and not for the last; batches of
 * `POWER_CHECK_BATCH` sessions; one replica at a time for each organization, by a lease. A failure for one organization
 * delays no other.
 * A crash loses: no data; the next replica to look after the end of the lease continues.
 */
import { type Loop, startLoop } from "../base/loop.ts";
import type { Database } from "../database/database.ts";
import { POWER_CHECK_LANES, POWER_CHECK_LOOK_MS, POWER_CHECKS_RUNNING } from "../limits/power-limits.ts";
import { listPowerChecks, type PowerCheck } from "../models/channel/power-check.ts";
import type { Logger } from "../telemetry/log.ts";

export interface PowerChecks {
  start(): void;
  stop(): Promise<void>;
}

/** Runs the work of a page in its turn: pages wait in the order of their requests. */
export type PageTurn = <T>(work: () => Promise<T>) => Promise<T>;

export interface PowerChecksDeps {
  readonly database: Database;
  readonly log: Logger;
  /** Ends the sessions of an organization, and the check. Each page takes a turn. */
  readonly check: (check: PowerCheck, isStopped: () => boolean, turn: PageTurn) => Promise<void>;
}

export function powerChecks({ database, log, check }: PowerChecksDeps): PowerChecks {
  const running = new Map<string, Promise<void>>();
  const turn = pageTurns(POWER_CHECK_LANES);
  let failures: unknown[] = [];
  let loop: Loop | undefined;

  function begin(each: PowerCheck, isStopped: () => boolean): void {
    const ended = check(each, isStopped, turn)
      .catch((error) => void failures.push(error))
      .finally(() => running.delete(each.organizationId));
    running.set(each.organizationId, ended);
  }

  async function round(isStopped: () => boolean): Promise<void> {
    const free = POWER_CHECKS_RUNNING - running.size;
    const busy = [...running.keys()];
    const due = free <= 0 ? [] : await database.run("power_check.list", (sql) => listPowerChecks(sql, free, busy));
    for (const each of due) begin(each, isStopped);
    const [failure] = failures;
    failures = [];
    if (failure !== undefined) throw failure;
  }

  return {
    start() {
      loop = startLoop({
        pauseMs: POWER_CHECK_LOOK_MS,
        round,
        onFailure: (error) => log.warn({ err: error }, "power: sessions could not be ended; the next round will"),
      });
    },
    async stop() {
      await loop?.stop();
      await Promise.all(running.values());
    },
  };
}

/** At most `lanes` pages at a time, first come, first served. */
export function pageTurns(lanes: number): PageTurn {
  const waiting: (() => void)[] = [];
  let free = lanes;
  return async (work) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  };
}
