/**
 * Owns: the removal of what has ended: expired session events, sessions past their retention; and the coming months of the
 * audit trail. Told by: its own timer. Bound: `SWEEP_BATCHES_MAX` batches of `SWEEP_BATCH` rows a round, so that a backlog never
 * holds a lock for long; replicas skip rows that another one has locked. A crash loses: nothing, the next round goes on.
 */
import type { Clock } from "../base/clock.ts";
import type { Database, Sql } from "../base/database.ts";
import {
  AUDIT_PARTITIONS_AHEAD_MONTHS,
  SESSION_RETENTION_MS,
  SWEEP_BATCH,
  SWEEP_BATCHES_MAX,
  SWEEP_INTERVAL_MS,
} from "../base/limits.ts";
import type { Logger } from "../base/log.ts";
import { type Loop, startLoop } from "../base/loop.ts";
import { ensureAuditPartitions } from "../models/audit/audit.ts";
import { deleteExpiredEvents } from "../models/session/revocation.ts";
import { deleteEndedSessions } from "../models/session/session.ts";

export interface Sweeper {
  start(): void;
  stop(): Promise<void>;
}

export interface SweeperNeeds {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
}

export function sweeper(needs: SweeperNeeds): Sweeper {
  let loop: Loop | undefined;
  return {
    start() {
      loop = startLoop({
        pauseMs: SWEEP_INTERVAL_MS,
        round: () => sweep(needs),
        onFailure: (error) => needs.log.warn({ err: error }, "sweeper: a round failed, the next one goes on"),
      });
    },
    async stop() {
      await loop?.stop();
    },
  };
}

/** One round. Exported for the tests, which call it instead of waiting. */
export async function sweep({ database, clock }: Pick<SweeperNeeds, "database" | "clock">): Promise<void> {
  const now = clock.now();
  await inBatches(database, "session_event.sweep", (sql) => deleteExpiredEvents(sql, new Date(now), SWEEP_BATCH));
  const before = new Date(now - SESSION_RETENTION_MS);
  await inBatches(database, "session.sweep", (sql) => deleteEndedSessions(sql, before, SWEEP_BATCH));
  await database.run("audit.ensure_partitions", (sql) =>
    ensureAuditPartitions(sql, new Date(now), AUDIT_PARTITIONS_AHEAD_MONTHS),
  );
}

async function inBatches(database: Database, statement: string, work: (sql: Sql) => Promise<number>): Promise<void> {
  for (let batch = 0; batch < SWEEP_BATCHES_MAX; batch += 1) {
    if ((await database.run(statement, work)) < SWEEP_BATCH) return;
  }
}
