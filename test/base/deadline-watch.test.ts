import { describe, expect, test } from "bun:test";
import { systemClock } from "../../src/base/clock.ts";
import { deadlineWatch } from "../../src/base/deadline-watch.ts";
import { until } from "../support/waiting.ts";

interface Item {
  readonly name: string;
  readonly deadlineAt: number;
}

function watched() {
  const expired: string[] = [];
  const watch = deadlineWatch<Item>(systemClock, ({ name, deadlineAt }) => {
    expect(systemClock.monotonic()).toBeGreaterThanOrEqual(deadlineAt);
    expired.push(name);
  });
  const add = (name: string, afterMs: number) => {
    const item = { name, deadlineAt: systemClock.monotonic() + afterMs };
    watch.add(item);
    return item;
  };
  return { watch, expired, add };
}

describe("a deadline watch", () => {
  test("calls back for each item once, in order, not before its deadline", async () => {
    const { expired, add } = watched();
    add("one", 5);
    add("two", 5);
    add("three", 30);
    await until("all are expired", async () => expired.length === 3);
    await Bun.sleep(20);
    expect(expired).toEqual(["one", "two", "three"]);
  });

  test("calls back for no deleted item, and goes on with later items", async () => {
    const { watch, expired, add } = watched();
    const gone = add("gone", 5);
    watch.delete(gone);
    add("late", 25);
    await until("the other is expired", async () => expired.length > 0);
    expect(expired).toEqual(["late"]);
  });

  test("takes items added after the expiry of all earlier items", async () => {
    const { expired, add } = watched();
    add("first", 1);
    await until("the first is expired", async () => expired.length === 1);
    add("second", 1);
    await until("the second is expired", async () => expired.length === 2);
    expect(expired).toEqual(["first", "second"]);
  });
});
