import type { Clock } from "../../../base/clock.ts";
import { UNIFORM_RESPONSE_MS } from "../../../limits/limits.ts";

/**
 * Delays a response that must not reveal whether an account exists (G13), so that its duration does not depend on what
 * was found, counted or written.
 */
export interface UniformResponseTime {
  /**
   * Called after the look-up, which is the same for every address. `statements`: what the slowest kind of account costs
   * in all, in durations of the look-up. So the delay also suffices where PostgreSQL is slow, and depends on nothing
   * else.
   */
  lookedUp(statements: number): void;
  wait(): Promise<void>;
}

export function uniformResponseTime(clock: Clock): UniformResponseTime {
  const startedAt = clock.monotonic();
  let answerAt = startedAt + UNIFORM_RESPONSE_MS;
  return {
    lookedUp(statements) {
      answerAt = Math.max(answerAt, startedAt + statements * (clock.monotonic() - startedAt));
    },
    async wait() {
      const leftMs = answerAt - clock.monotonic();
      if (leftMs > 0) await clock.sleep(leftMs);
    },
  };
}
