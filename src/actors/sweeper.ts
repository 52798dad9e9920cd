/**
 * Owns: the removal of what has ended: expired session events, codes, challenges and letters, sessions, trusted browsers and
 * deleted passkeys past their retention; and the coming months of the audit trail. Told by: its own timer. Bound: `SWEEP_BATCHES_MAX` batches of `SWEEP_BATCH` rows a round, so that a backlog never
 * holds a lock for long; replicas skip rows that another one has locked. A crash loses: nothing, the next round goes on.
 */
import type { Clock } from "../base/clock.ts";
import type { Database, Sql } from "../base/database.ts";
import {
  AUDIT_PARTITIONS_AHEAD_MONTHS,
  AVATAR_ORPHAN_RETENTION_MS,
  SESSION_RETENTION_MS,
  SWEEP_BATCH,
  SWEEP_BATCHES_MAX,
  SWEEP_INTERVAL_MS,
  TOMBSTONE_RETENTION_MS,
} from "../base/limits.ts";
import type { Logger } from "../base/log.ts";
import { type Loop, startLoop } from "../base/loop.ts";
import { ensureAuditPartitions } from "../models/audit/audit.ts";
import { deleteOrphanedAvatars } from "../models/avatar/avatar.ts";
import { deleteExpiredEmailCodes } from "../models/email-code/email-code.ts";
import { deleteExpiredLetters } from "../models/letter/letter.ts";
import { deleteEndedMailedTokens } from "../models/mailed-token/mailed-token.ts";
import { deleteExpiredChallenges, deletePasskeyTombstones } from "../models/passkey/passkey.ts";
import { deleteExpiredEvents } from "../models/session/revocation.ts";
import { deleteEndedSessions } from "../models/session/session.ts";
import { deleteEndedTrustedBrowsers } from "../models/trusted-browser/trusted-browser.ts";

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
  for (const [statement, remove, retentionMs] of SWEEPS) {
    const before = new Date(now - retentionMs);
    await inBatches(database, statement, (sql) => remove(sql, before, SWEEP_BATCH));
  }
  await database.run("audit.ensure_partitions", (sql) =>
    ensureAuditPartitions(sql, new Date(now), AUDIT_PARTITIONS_AHEAD_MONTHS),
  );
}

type Remove = (sql: Sql, before: Date, batch: number) => Promise<number>;

/** What is removed, and how long after its end. */
const SWEEPS: readonly (readonly [statement: string, remove: Remove, retentionMs: number])[] = [
  ["session_event.sweep", deleteExpiredEvents, 0],
  ["session.sweep", deleteEndedSessions, SESSION_RETENTION_MS],
  ["email_code.sweep", deleteExpiredEmailCodes, 0],
  ["passkey_challenge.sweep", deleteExpiredChallenges, 0],
  ["passkey.sweep", deletePasskeyTombstones, TOMBSTONE_RETENTION_MS],
  ["trusted_browser.sweep", deleteEndedTrustedBrowsers, TOMBSTONE_RETENTION_MS],
  ["letter.sweep", deleteExpiredLetters, 0],
  ["mailed_token.sweep", deleteEndedMailedTokens, 0],
  ["avatar.sweep", deleteOrphanedAvatars, AVATAR_ORPHAN_RETENTION_MS],
];

async function inBatches(database: Database, statement: string, work: (sql: Sql) => Promise<number>): Promise<void> {
  for (let batch = 0; batch < SWEEP_BATCHES_MAX; batch += 1) {
    if ((await database.run(statement, work)) < SWEEP_BATCH) return;
  }
}
