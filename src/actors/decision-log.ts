/**
 * Owns: decisions of this replica waiting for storage, for `explain` (docs/decisions/0019).
 * Updated by: the HTTP layer, once for each refused request, for a sample of all further requests, and for requests
 * with a failed or cut claim within a bound of each minute.
 * Bound: `DECISIONS_WAITING_MAX`; at the bound the client network with most waiting decisions loses its newest
 * decision, and the loss is counted. Each `DECISION_FLUSH_MS` writes `DECISION_BATCH` rows, the networks in turn, so a
 * flood of refused requests costs requests and PostgreSQL no more than this batch, and displaces no decision about
 * another network.
 * A crash loses: the decisions of the last interval. No request and no rule depends on these decisions.
 */

import { type Loop, startLoop } from "../base/loop.ts";
import { type Database, errorCode } from "../database/database.ts";
import {
  DECISION_BATCH,
  DECISION_CLAIMS_PER_MINUTE,
  DECISION_CLAIMS_TOTAL_PER_MINUTE,
  DECISION_FLUSH_MS,
  DECISION_SAMPLE,
  DECISION_SAMPLES_PER_FLUSH,
  DECISIONS_WAITING_MAX,
} from "../limits/decision-limits.ts";
import { type Decision, insertDecisions } from "../models/decision/decision.ts";
import { fairQueue } from "../pool/fair-queue.ts";
import type { Logger } from "../telemetry/log.ts";
import type { Telemetry } from "../telemetry/telemetry.ts";

export interface DecisionLog {
  start(): void;
  /** Writes one more batch; the remaining decisions are lost. */
  stop(): Promise<void>;
  /** Never waits and never fails. */
  record(decision: Decision): void;
  /**
   * Whether an accepted request belongs to the sample: every `DECISION_SAMPLE`-th request, and at most
   * `DECISION_SAMPLES_PER_FLUSH` in each interval.
   */
  samples(): boolean;
  /**
   * Whether a request with failed or cut claims is recorded: at most `DECISION_CLAIMS_PER_MINUTE` of a key in a minute,
   * and at most `DECISION_CLAIMS_TOTAL_PER_MINUTE` of all keys. `at`: milliseconds.
   */
  admitsClaims(key: string, at: number): boolean;
  /** Writes one batch. Exported for the tests; the loop calls it. */
  flush(): Promise<void>;
}

export interface DecisionLogDeps {
  readonly database: Database;
  readonly log: Logger;
  readonly telemetry: Telemetry;
  readonly enabled: boolean;
}

/** Class of SQLSTATE (PostgreSQL manual, appendix A). */
const DATA_EXCEPTION = "22";

const SILENT: DecisionLog = {
  start: () => undefined,
  stop: async () => undefined,
  record: () => undefined,
  samples: () => false,
  admitsClaims: () => false,
  flush: async () => undefined,
};

export function decisionLog({ database, log, telemetry, enabled }: DecisionLogDeps): DecisionLog {
  if (!enabled) return SILENT;
  const waiting = fairQueue<Decision>(DECISIONS_WAITING_MAX);
  /** The batch in progress, or the batch whose write failed. */
  let batch: readonly Decision[] = [];
  let unrefused = 0;
  let sampled = 0;
  const claims = claimsOfMinute();
  let loop: Loop | undefined;

  async function flush(): Promise<void> {
    sampled = 0;
    if (batch.length === 0) batch = nextBatch();
    if (batch.length === 0) return;
    await database
      .run("decision.insert", (sql) => insertDecisions(sql, batch))
      .catch((error) => {
        // Rows that PostgreSQL cannot store would block all later rows permanently.
        if (!errorCode(error)?.startsWith(DATA_EXCEPTION)) throw error;
        log.error({ err: error }, "decisions that PostgreSQL refuses are dropped");
      });
    batch = [];
  }

  function nextBatch(): Decision[] {
    const next: Decision[] = [];
    while (next.length < DECISION_BATCH) {
      const decision = waiting.next();
      if (!decision) break;
      next.push(decision);
    }
    return next;
  }

  return {
    start() {
      loop = startLoop({
        pauseMs: DECISION_FLUSH_MS,
        round: flush,
        onFailure: (error) => log.warn({ err: error }, "decisions could not be recorded; they are tried again"),
      });
    },
    async stop() {
      await loop?.stop();
      await flush().catch((error) => log.warn({ err: error }, "the last decisions could not be recorded"));
    },
    record(decision) {
      const dropped = waiting.offer(decision.network, decision);
      if (dropped) telemetry.metrics.boundRefused("decision_log");
    },
    samples() {
      unrefused += 1;
      if (unrefused % DECISION_SAMPLE !== 0 || sampled >= DECISION_SAMPLES_PER_FLUSH) return false;
      sampled += 1;
      return true;
    },
    admitsClaims: claims.admits,
    flush,
  };
}

/** The records of failed and cut claims in the present minute, at most as many keys as records. */
function claimsOfMinute() {
  const admitted = new Map<string, number>();
  let minute = 0;
  let total = 0;
  return {
    admits(key: string, at: number): boolean {
      const now = Math.floor(at / 60_000);
      if (now !== minute) {
        admitted.clear();
        [minute, total] = [now, 0];
      }
      const count = admitted.get(key) ?? 0;
      if (total >= DECISION_CLAIMS_TOTAL_PER_MINUTE || count >= DECISION_CLAIMS_PER_MINUTE) return false;
      admitted.set(key, count + 1);
      total += 1;
      return true;
    },
  };
}
