import type { Clock } from "../../base/clock.ts";
import { UNIFORM_ANSWER_MS } from "../../base/limits.ts";

/** When an answer that must not tell accounts apart goes out (promise 13): what was found, counted or written shows in no duration. */
export interface UniformAnswer {
  /**
   * Called once the look-up is done, which is the same for every address. `statements`: how many of its length the slowest kind of account
   * takes in all. So the answer keeps its distance where PostgreSQL is slow, and depends on nothing but the look-up.
   */
  lookedUp(statements: number): void;
  wait(): Promise<void>;
}

export function uniformAnswer(clock: Clock): UniformAnswer {
  const startedAt = clock.monotonic();
  let answerAt = startedAt + UNIFORM_ANSWER_MS;
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
