import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { admissionControl } from "../../src/pool/admission-control.ts";
import { fairQueue } from "../../src/pool/fair-queue.ts";

describe("who waits for a worker", () => {
  test("lanes take turns, and each lane is first in, first out", () => {
    const queue = fairQueue<string>(10);
    for (const item of ["a1", "a2", "a3", "b1", "c1", "b2"]) expect(queue.offer(item.charAt(0), item)).toBeUndefined();
    const next = Array.from({ length: 7 }, () => queue.next());
    expect(next).toEqual(["a1", "b1", "c1", "a2", "b2", "a3", undefined]);
  });

  test("lanes with expensive jobs wait until the other lanes have had as much", () => {
    const queue = fairQueue<string>(20);
    for (const item of ["a1", "a2", "a3", "b1", "b2", "b3", "b4"]) queue.offer(item.charAt(0), item);
    const served: (string | undefined)[] = [];
    for (let count = 0; count < 7; count += 1) {
      const item = queue.next();
      served.push(item);
      queue.charge(item?.charAt(0) ?? "", item?.startsWith("a") ? 300 : 100);
    }
    expect(served).toEqual(["a1", "b1", "b2", "b3", "a2", "b4", "a3"]);
  });

  test("a lane that arrives later has no claim on the past, and an idle time forgives all costs", () => {
    const queue = fairQueue<string>(20);
    for (const item of ["a1", "a2", "a3"]) queue.offer("a", item);
    queue.next();
    queue.charge("a", 1000);
    queue.offer("b", "b1");
    queue.offer("b", "b2");
    expect(queue.next()).toBe("b1");
    queue.charge("b", 1);
    expect([queue.next(), queue.next(), queue.next(), queue.next()]).toEqual(["b2", "a2", "a3", undefined]);
    queue.charge("a", 1000);
    for (const item of ["a4", "b3"]) queue.offer(item.charAt(0), item);
    expect([queue.next(), queue.next()]).toEqual(["a4", "b3"]);
  });

  test("when full, the caller with the most waiting jobs gives up the newest, and none for an own job", () => {
    const queue = fairQueue<string>(3);
    for (const item of ["a1", "a2", "a3"]) queue.offer("a", item);
    expect(queue.offer("a", "a4")).toBe("a4");
    expect(queue.offer("b", "b1")).toBe("a3");
    expect(queue.offer("c", "c1")).toBe("a2");
    expect(queue.offer("d", "d1")).toBe("d1");
    expect([queue.next(), queue.next(), queue.next()]).toEqual(["a1", "b1", "c1"]);
  });

  test("never exceeds the bound, loses no job, and gives no job twice", () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant("offer" as const), lane: fc.constantFrom("a", "b", "c", "d") }),
      fc.record({ kind: fc.constant("take" as const), lane: fc.constant("") }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), fc.integer({ min: 1, max: 8 }), (steps, max) => {
        const queue = fairQueue<number>(max);
        const waiting = new Set<number>();
        steps.forEach(({ kind, lane }, index) => {
          if (kind === "take") {
            const next = queue.next();
            expect(next === undefined ? waiting.size === 0 : waiting.delete(next)).toBe(true);
            return;
          }
          const turnedAway = queue.offer(lane, index);
          waiting.add(index);
          if (turnedAway !== undefined) expect(waiting.delete(turnedAway)).toBe(true);
          expect(queue.size).toBe(waiting.size);
          expect(queue.size).toBeLessThanOrEqual(max);
        });
      }),
      { seed: 1 },
    );
  });
});

describe("who may come in to wait", () => {
  test("beyond the bound only callers with few jobs, and never more than twice the bound", () => {
    const gate = admissionControl(4);
    const leaves = ["a", "a", "a", "a"].map((lane) => gate.admit(lane));
    expect(leaves.every(Boolean)).toBe(true);
    expect(gate.admit("a")).toBeUndefined();
    expect(["b", "b", "c", "d"].map((lane) => gate.admit(lane) !== undefined)).toEqual([true, true, true, true]);
    expect(gate.admit("e")).toBeUndefined();
    for (const leave of leaves) leave?.();
    expect(gate.admit("e")).toBeDefined();
  });
});
