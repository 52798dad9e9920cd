/**
 * Owns: the deletion of expired rows (session events, API keys, deliveries, codes, sign-ups, challenges, states,
 * emails, requests for addresses, reserved addresses, counts of failed attempts, exports, requests, messages, tests
 * and attempts of single sign-on, refused requests of directories, records of erased users; sessions, trusted
 * browsers, deleted passkeys, tombstones of erasures and decisions about requests past their retention), the end of
 * deliveries past their deadline, and the maintenance of the audit trail (partitions of coming months, hourly counts,
 * partitions past their retention).
 * Started by: a timer, and at once while rows remain after a round.
 * Bound: `SWEEP_BATCHES_MAX` batches of `SWEEP_BATCH` rows of each kind a round, so a backlog holds no lock for long
 * and delays no further kind. One replica at a time, by a lease.
 * A crash loses: no data; the next round continues, on any replica.
 */
import type { Clock } from "../base/clock.ts";
import { type Loop, startLoop } from "../base/loop.ts";
import type { Random } from "../base/random.ts";
import type { Database } from "../database/database.ts";
import { DECISION_ROWS_MAX, DECISION_SWEEP_BATCH } from "../limits/decision-limits.ts";
import {
  AUDIT_PARTITIONS_AHEAD_MONTHS,
  SWEEP_BATCH,
  SWEEP_BATCHES_MAX,
  SWEEP_INTERVAL_MS,
  SWEEP_LEASE_MS,
} from "../limits/process-limits.ts";
import { countAuditHours, dropAuditPartitions, ensureAuditPartitions } from "../models/audit/audit.ts";
import { deleteOldDecisions, deleteOldestDecisions, deleteSurplusDecisions } from "../models/decision/decision.ts";
import { acquireLease } from "../models/lease/lease.ts";
import { failExpiredDeliveries } from "../models/webhook/delivery.ts";
import type { Logger } from "../telemetry/log.ts";
import type { Telemetry } from "../telemetry/telemetry.ts";
import { SWEEPS } from "./sweeper/sweeps.ts";

export interface Sweeper {
  start(): void;
  stop(): Promise<void>;
}

export interface SweeperDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly telemetry: Telemetry;
  /** How long audit records are kept; `undefined`: without limit. */
  readonly auditRetentionMs: number | undefined;
  /** How long decisions about requests are kept. */
  readonly decisionRetentionMs: number;
}

export function sweeper(deps: SweeperDeps): Sweeper {
  const holder = deps.random.uuid();
  let loop: Loop | undefined;
  return {
    start() {
      loop = startLoop({
        pauseMs: SWEEP_INTERVAL_MS,
        round: async (isStopped) => {
          const leasedAt = await acquireSweepLease(deps, holder);
          if (!leasedAt) return;
          // A replica whose clock is ahead deletes no row early.
          const now = Math.min(deps.clock.now(), leasedAt.getTime());
          const sweeping = { ...deps, clock: { ...deps.clock, now: () => now } };
          if (await sweep(sweeping, (count) => recordGivenUp(deps, count), isStopped)) loop?.wake();
        },
        onFailure: (error) => deps.log.warn({ err: error }, "sweeper: a round failed; the next one continues"),
      });
    },
    async stop() {
      await loop?.stop();
    },
  };
}

/** One replica holds the lease; another replica acquires the lease after expiry. Returns PostgreSQL's time. */
function acquireSweepLease({ database }: SweeperDeps, holder: string): Promise<Date | undefined> {
  return database.run("lease.take", (sql) => acquireLease(sql, { name: "sweeper", holder, ms: SWEEP_LEASE_MS }));
}

/**
 * Counts deliveries whose three days ended between attempts or without an attempt: no attempt has recorded their end.
 */
function recordGivenUp({ telemetry, log }: SweeperDeps, count: number): void {
  telemetry.metrics.webhook("given_up", count);
  log.warn({ deliveries: count }, "webhooks: deliveries were given up, their time has ended");
}

type SweepDeps = Pick<SweeperDeps, "database" | "clock" | "auditRetentionMs" | "decisionRetentionMs">;
type Work = () => Promise<boolean>;

/**
 * One round; returns whether rows remain. A failure stops no other kind and is thrown at the end. `onGivenUp`: called
 * with the deliveries that were not delivered in time. Once `isStopped` returns true, no further kind begins. Exported
 * for the tests.
 */
export async function sweep(
  deps: SweepDeps,
  onGivenUp: (deliveries: number) => void = () => undefined,
  isStopped = () => false,
): Promise<boolean> {
  const now = deps.clock.now();
  let left = false;
  const failures: unknown[] = [];
  for (const work of [...worksOfTrail(deps, now), ...worksOfRows(deps, now, onGivenUp)]) {
    if (isStopped()) break;
    try {
      left = (await work()) || left;
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) {
    throw new AggregateError(failures, `sweeps failed: ${failures.length}`, { cause: failures[0] });
  }
  return left;
}

/** Partitions come first: without the partition of its month no record can be written. */
function worksOfTrail({ database, auditRetentionMs }: SweepDeps, now: number): Work[] {
  const ensure: Work = async () => {
    await database.run("audit.ensure_partitions", (sql) =>
      ensureAuditPartitions(sql, new Date(now), AUDIT_PARTITIONS_AHEAD_MONTHS),
    );
    return false;
  };
  const count: Work = () =>
    inBatches(
      async () => ((await database.run("audit.count", (sql) => countAuditHours(sql, new Date(now)))) ? 1 : 0),
      1,
    );
  if (auditRetentionMs === undefined) return [ensure, count];
  const drop: Work = async () => {
    await database.run("audit.drop", (sql) => dropAuditPartitions(sql, new Date(now), auditRetentionMs));
    return false;
  };
  return [ensure, count, drop];
}

function worksOfRows(
  { database, decisionRetentionMs }: SweepDeps,
  now: number,
  onGivenUp: (deliveries: number) => void,
): Work[] {
  const sweeps = SWEEPS.map(([statement, remove, retentionMs]): Work => {
    const before = new Date(now - retentionMs);
    return () => inBatches(() => database.run(statement, (sql) => remove(sql, before, SWEEP_BATCH)), SWEEP_BATCH);
  });
  const giveUp: Work = async () => {
    let givenUp = 0;
    const batch = async () => {
      const failed = await database.run("webhook_delivery.fail_expired", (sql) =>
        failExpiredDeliveries(sql, new Date(now), SWEEP_BATCH),
      );
      givenUp += failed;
      return failed;
    };
    try {
      return await inBatches(batch, SWEEP_BATCH);
    } finally {
      if (givenUp > 0) onGivenUp(givenUp);
    }
  };
  const oldDecisions = new Date(now - decisionRetentionMs);
  const decisions: Work[] = [
    () =>
      inBatches(
        () => database.run("decision.sweep", (sql) => deleteOldDecisions(sql, oldDecisions, DECISION_SWEEP_BATCH)),
        DECISION_SWEEP_BATCH,
      ),
    () => inBatches(() => trimDecisions(database), DECISION_SWEEP_BATCH),
  ];
  return [giveUp, ...sweeps, ...decisions];
}

/** The count by network takes too long where hundreds of thousands of networks are stored; the bound still holds. */
async function trimDecisions(database: Database): Promise<number> {
  return await database
    .run("decision.trim", (sql) => deleteSurplusDecisions(sql, DECISION_ROWS_MAX, DECISION_SWEEP_BATCH))
    .catch(() =>
      database.run("decision.trim_oldest", (sql) =>
        deleteOldestDecisions(sql, DECISION_ROWS_MAX, DECISION_SWEEP_BATCH),
      ),
    );
}

/** Repeats while a batch was full, up to the bound of a round; returns whether the bound ended the repetition. */
async function inBatches(work: () => Promise<number>, full: number): Promise<boolean> {
  for (let batch = 0; batch < SWEEP_BATCHES_MAX; batch += 1) {
    if ((await work()) < full) return false;
  }
  return true;
}
