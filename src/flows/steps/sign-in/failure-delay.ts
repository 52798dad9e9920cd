import { setTimeout as sleep } from "node:timers/promises";
import type { Deps } from "../../../deps.ts";
import type { PasswordComparison } from "./verify-password.ts";

/** Delays the refusal of a password until a comparison at the slowest stored cost would have ended (G13). */
export interface FailureDelay {
  compared(comparison: PasswordComparison): void;
  /** Only sleeps. The caller must not hold a slot of the hash pool meanwhile. */
  wait(): Promise<void>;
}

/**
 * Extends every comparison to the duration of the slowest comparison. The time in the queue does not count: the queue
 * is equal for every account, and would consume the delay while the pool is busy.
 */
export function failureDelay({ passwordCosts }: Pick<Deps, "passwordCosts">): FailureDelay {
  let count = 0;
  let tookMs = 0;
  return {
    compared(comparison) {
      count += comparison.count;
      tookMs += comparison.tookMs;
    },
    async wait() {
      const leftMs = count * passwordCosts.slowestMs() - tookMs;
      if (leftMs > 0) await sleep(Math.ceil(leftMs));
    },
  };
}
