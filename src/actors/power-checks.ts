/**
 * Owns: the end of bound sessions of members above the person behind a connection, after a change of power.
 * Started by: a timer on every replica; triggers of PostgreSQL queue the organizations (`power_checks`).
 * Bound: one organization at a time; `POWER_CHECKS_READ` organizations in a round, and batches of `POWER_CHECK_BATCH`
 * sessions; one replica at a time for each organization, by a lease. A failure for one organization delays no other.
 * A crash loses: no data; the next replica to look after the end of the lease continues.
 */
import { type Loop, startLoop } from "../base/loop.ts";
import type { Database } from "../database/database.ts";
import { POWER_CHECK_LOOK_MS, POWER_CHECKS_READ } from "../limits/power-limits.ts";
import { listPowerChecks, type PowerCheck } from "../models/channel/power-check.ts";
import type { Logger } from "../telemetry/log.ts";

export interface PowerChecks {
  start(): void;
  stop(): Promise<void>;
}

export interface PowerChecksDeps {
  readonly database: Database;
  readonly log: Logger;
  /** Ends the sessions of an organization, and the check. */
  readonly check: (check: PowerCheck, isStopped: () => boolean) => Promise<void>;
}

export function powerChecks({ database, log, check }: PowerChecksDeps): PowerChecks {
  let loop: Loop | undefined;

  async function round(isStopped: () => boolean): Promise<void> {
    const due = await database.run("power_check.list", (sql) => listPowerChecks(sql, POWER_CHECKS_READ));
    const failures: unknown[] = [];
    for (const each of due) {
      if (isStopped()) return;
      await check(each, isStopped).catch((error) => failures.push(error));
    }
    if (failures.length > 0) throw failures[0];
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
    },
  };
}
