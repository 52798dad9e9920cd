import { expect, test } from "bun:test";
import { startLoop } from "../../src/base/loop.ts";
import { RESTART_PAUSE_MIN_MS } from "../../src/limits/process-limits.ts";
import { stopwatch, until } from "../support/waiting.ts";

test("a loop goes on after failures with growing pauses, and stops in the middle of one", async () => {
  const failures: number[] = [];
  const pauseAfter = (nth: number) => (failures[nth + 1] ?? 0) - (failures[nth] ?? 0);
  const loop = startLoop({
    pauseMs: 0,
    round: () => Promise.reject(new Error("down")),
    onFailure: () => void failures.push(performance.now()),
  });
  await until("it has failed three times", async () => failures.length === 3);
  const elapsed = stopwatch();
  await loop.stop();
  expect(elapsed()).toBeLessThan(4 * RESTART_PAUSE_MIN_MS);
  expect(failures).toHaveLength(3);
  // A timer may be late, and is early by at most a rounding error.
  expect(pauseAfter(0)).toBeGreaterThan(RESTART_PAUSE_MIN_MS - 2);
  expect(pauseAfter(1)).toBeGreaterThan(2 * RESTART_PAUSE_MIN_MS - 2);
});
