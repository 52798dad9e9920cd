import type { Clock } from "../../base/clock.ts";
import { UNIFORM_ANSWER_MS } from "../../base/limits.ts";

/** When an answer that must not tell accounts apart may go out (promise 13). In monotonic milliseconds. */
export function uniformAnswerAt(clock: Clock): number {
  return clock.monotonic() + UNIFORM_ANSWER_MS;
}

/** Waits for that moment: what was looked up, counted or written before it shows in no duration. */
export async function waitUntil(clock: Clock, moment: number): Promise<void> {
  const leftMs = moment - clock.monotonic();
  if (leftMs > 0) await clock.sleep(leftMs);
}
