/** Steps of work, one in a turn of the event loop. */
import { expect, test } from "bun:test";
import { loopTurns } from "../../src/base/loop-turns.ts";

test("Between two steps of a burst, the event loop serves further work.", async () => {
  const turns = loopTurns();
  const order: string[] = [];
  let isOver = false;
  const serveOthers = () => {
    order.push("other");
    if (!isOver) setImmediate(serveOthers);
  };
  setImmediate(serveOthers);
  const burst = Array.from({ length: 5 }, (_, index) => turns.next().then(() => order.push(`step ${index}`)));
  await Promise.all(burst);
  isOver = true;
  const steps = order.flatMap((each, index) => (each === "other" ? [] : [index]));
  expect(steps.map((index) => order[index])).toEqual(["step 0", "step 1", "step 2", "step 3", "step 4"]);
  const served = steps.slice(1).map((until, index) => order.slice(steps[index], until).includes("other"));
  expect(served).toEqual([true, true, true, true]);
});
