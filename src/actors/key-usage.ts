/**
 * Owns: the times of the last use of API keys and trusts, until the next write.
 * Updated by: the check of a key (`record`).
 * Bound: `KEY_USES_MAX` keys between two writes; uses of further keys are not recorded. One statement a minute.
 * A crash loses: the uses since the last write, at most one minute.
 */
import type { Clock } from "../base/clock.ts";
import { type Loop, startLoop } from "../base/loop.ts";
import type { Database } from "../database/database.ts";
import { KEY_USE_RESOLUTION_MS, KEY_USES_MAX, KEY_USES_WRITE_MS } from "../limits/machine-limits.ts";
import { type KeyView, recordKeyUse } from "../models/service-account/api-key.ts";
import { recordTrustUse } from "../models/service-account/trust.ts";
import type { Logger } from "../telemetry/log.ts";

export interface KeyUsage {
  start(): void;
  /** Writes the remaining uses. */
  stop(): Promise<void>;
  /** Records the use of a key or trust now. Costs no network call. */
  record(credential: Pick<KeyView, "id" | "kind">): void;
}

export interface KeyUsageDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
}

export function keyUsage({ database, clock, log }: KeyUsageDeps): KeyUsage {
  let uses = new Map<string, number>();
  let trusts = new Map<string, number>();
  let loop: Loop | undefined;

  async function write(): Promise<void> {
    const [ofKeys, ofTrusts] = [uses, trusts];
    if (ofKeys.size + ofTrusts.size === 0) return;
    [uses, trusts] = [new Map(), new Map()];
    if (ofKeys.size > 0) await database.run("api_key.record_use", (sql) => recordKeyUse(sql, ofKeys));
    if (ofTrusts.size > 0)
      await database.run("service_account_trust.record_use", (sql) => recordTrustUse(sql, ofTrusts));
  }

  const onFailure = (error: unknown) => log.warn({ err: error }, "the last use of API keys could not be written");
  return {
    start() {
      loop ??= startLoop({ pauseMs: KEY_USES_WRITE_MS, round: write, onFailure });
    },
    async stop() {
      await loop?.stop();
      await write().catch(onFailure);
    },
    record({ id, kind }) {
      const used = kind === "trust" ? trusts : uses;
      if (used.size < KEY_USES_MAX || used.has(id)) used.set(id, clock.now() - (clock.now() % KEY_USE_RESOLUTION_MS));
    },
  };
}
