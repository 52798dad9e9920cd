import type { Clock } from "../../../base/clock.ts";
import { UNIFORM_RESPONSE_MS } from "../../../limits/credential-limits.ts";

/**
 * Delays a response that must not reveal whether an account exists (G13), so that the duration does not depend on
 * found, counted or written rows.
 */
export interface UniformResponseTime {
  /**
   * Called after the look-up, which is equal for every address. `statements`: the total cost of the slowest kind of
   * account, in durations of the look-up. So the delay also suffices for a slow PostgreSQL, and has no other input.
   */
  lookedUp(statements: number): void;
  wait(): Promise<void>;
}

export function uniformResponseTime(clock: Clock): UniformResponseTime {
  const startedAt = clock.monotonic();
  let respondAt = startedAt + UNIFORM_RESPONSE_MS;
  return {
    lookedUp(statements) {
      respondAt = Math.max(respondAt, startedAt + statements * (clock.monotonic() - startedAt));
    },
    async wait() {
      const leftMs = respondAt - clock.monotonic();
      if (leftMs > 0) await clock.sleep(leftMs);
    },
  };
}
