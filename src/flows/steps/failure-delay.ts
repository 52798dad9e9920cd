import type { Deps } from "../../deps.ts";
import type { PasswordComparison } from "./verify-password.ts";

/** What a refused password answer still has to wait for, so that it takes as long as one at the slowest stored cost. */
export interface FailureDelay {
  compared(comparison: PasswordComparison): void;
  /** A timer, no work, and no slot of the hash pool is held meanwhile. */
  wait(): Promise<void>;
}

/**
 * Each comparison that the password asked for is stretched to the length of the slowest one. From its own beginning, not from that of
 * the request: what a job waited in the queue is waited by all alike, and would otherwise use the delay up when the pool is busy.
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
      if (leftMs > 0) await Bun.sleep(leftMs);
    },
  };
}
