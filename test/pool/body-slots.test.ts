import { describe, expect, test } from "bun:test";
import { systemClock } from "../../src/base/clock.ts";
import { ANONYMOUS_BODIES_MAX, WAITING_BODIES_MAX } from "../../src/limits/body-limits.ts";
import { type BodySlot, type BodySlots, bodySlots } from "../../src/pool/body-slots.ts";

interface Opened {
  readonly slot: BodySlot;
  readonly admitted: Promise<boolean>;
}

function open(slots: BodySlots, network: string): Opened {
  const slot = slots.acquire(network);
  if (!slot) throw new Error("no slot for a body of an unknown caller");
  return { slot, admitted: slot.assignInTurn() };
}

const openMany = (slots: BodySlots, network: string, count: number) =>
  Array.from({ length: count }, () => open(slots, network));

describe("large bodies of anonymous clients", () => {
  test("beyond the share wait, and a flood of one network delays a further network by one turn", async () => {
    const slots = bodySlots(systemClock);
    const flood = openMany(slots, "flood", ANONYMOUS_BODIES_MAX);
    expect(await Promise.all(flood.map(({ admitted }) => admitted))).not.toContain(false);
    const order: string[] = [];
    const wait = (network: string) => {
      const opened = open(slots, network);
      opened.admitted.then(() => order.push(network));
      return opened;
    };
    const waiting = [wait("flood"), wait("flood"), wait("flood")];
    expect(slots.acquire("flood")?.assign(undefined)).toBe(false);
    for (const { slot } of flood.slice(0, 2)) slot.release();
    await Promise.all(waiting.slice(0, 2).map(({ admitted }) => admitted));
    expect(order).toEqual(["flood", "flood"]);
    // The network without a body is admitted beside the share.
    expect(await open(slots, "other").admitted).toBe(true);
  });

  test("beyond the places of waiting bodies are refused, the newest of the network with the most first", async () => {
    const slots = bodySlots(systemClock);
    openMany(slots, "flood", ANONYMOUS_BODIES_MAX);
    const waiting = openMany(slots, "flood", WAITING_BODIES_MAX);
    expect(await open(slots, "flood").admitted).toBe(false);
    for (let count = 0; count < 2 * ANONYMOUS_BODIES_MAX; count += 1) open(slots, `network ${count}`);
    expect(await waiting.at(-1)?.admitted).toBe(false);
  });

  test("are refused after a second without a turn, and leave no place behind", async () => {
    let time = 0;
    const slots = bodySlots({ ...systemClock, monotonic: () => (time += 10_000) });
    const [first] = openMany(slots, "a", ANONYMOUS_BODIES_MAX);
    expect(await open(slots, "a").admitted).toBe(false);
    first?.slot.release();
    expect(await open(slots, "a").admitted).toBe(true);
  });
});
