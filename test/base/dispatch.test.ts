/** Slots for slow or failing receivers: simulated time, no database (docs/decisions/0023). */
import { describe, expect, test } from "bun:test";
import { type DispatchLease, type DispatchOptions, dispatch } from "../../src/base/dispatch.ts";
import { movableClock } from "../support/clock.ts";

interface Due {
  readonly receiverId: string;
  readonly ownerId: string;
}

const LIMITS = { slotsMax: 128, receiverSlotsMax: 16, slowAfterMs: 1_000, slowReceiverSlotsMax: 4, historyMax: 256 };

/** Simulates receivers with endless backlogs; requests end at the simulated time. */
function simulation(receivers: Readonly<Record<string, { readonly ownerId: string; readonly ms: number }>>) {
  const clock = movableClock();
  const started: (Due & { readonly at: number })[] = [];
  const inProgress = new Set<Due & { readonly endsAt: number; readonly end: (isWell: boolean) => void }>();
  const waiting = new Set(Object.keys(receivers));

  /** Implements the lease in the same order as the database. */
  async function lease({ limit, slowLimit, ownerLimit, receiverLimit, ...known }: DispatchLease): Promise<Due[]> {
    const loads = new Map(known.owners.map(({ id, inProgress: load }) => [id, load]));
    const free = new Map(known.receivers.map((each) => [each.id, each.free]));
    const slow = new Set(known.receivers.filter(({ isSlow }) => isSlow).map(({ id }) => id));
    const leased: Due[] = [];
    // The owner with the fewest requests comes first; the receivers of an owner take turns.
    const placeOf = ({ receiverId }: Due) => leased.filter((each) => each.receiverId === receiverId).length;
    const order = (due: Due) => 1_000 * (loads.get(due.ownerId) ?? 0) + placeOf(due);
    for (let slowLeased = 0; leased.length < limit; ) {
      const next = [...waiting]
        .map((receiverId) => ({ receiverId, ownerId: receivers[receiverId]?.ownerId ?? "" }))
        .filter(({ receiverId }) => (free.get(receiverId) ?? receiverLimit) > 0)
        .filter(({ receiverId }) => !slow.has(receiverId) || slowLeased < slowLimit)
        .filter(({ ownerId }) => (loads.get(ownerId) ?? 0) < ownerLimit)
        .sort((a, b) => order(a) - order(b))[0];
      if (!next) break;
      leased.push(next);
      free.set(next.receiverId, (free.get(next.receiverId) ?? receiverLimit) - 1);
      loads.set(next.ownerId, (loads.get(next.ownerId) ?? 0) + 1);
      if (slow.has(next.receiverId)) slowLeased += 1;
    }
    return leased;
  }

  const options: DispatchOptions<Due> = {
    ...LIMITS,
    clock,
    leaseMs: 10_000,
    lease,
    userOf: (due) => due,
    send(due) {
      started.push({ ...due, at: clock.monotonic() });
      const { promise, resolve } = Promise.withResolvers<{ isWell: boolean }>();
      const endsAt = clock.monotonic() + (receivers[due.receiverId]?.ms ?? 0);
      inProgress.add({ ...due, endsAt, end: (isWell) => resolve({ isWell }) });
      return promise;
    },
    onUnwell: () => Promise.resolve(),
    onFailure: (error) => {
      throw error;
    },
    onEnd: () => undefined,
  };
  const sending = dispatch(options);

  /** Moves the time in steps of 50 ms. */
  async function run(ms: number): Promise<void> {
    for (let elapsed = 0; elapsed < ms; elapsed += 50) {
      await sending.begin();
      clock.advance(50);
      for (const request of inProgress) {
        if (request.endsAt > clock.monotonic()) continue;
        inProgress.delete(request);
        request.end(true);
      }
      // Requests end in promises, which resolve within these turns.
      for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
    }
  }
  return { run, waiting, started, clock, count: () => inProgress.size };
}

/**
 * Builds `tenants` tenants with 20 receivers per tenant, which respond after 4.8 s, and a single receiver of a further
 * tenant.
 */
function slowTenants(tenants: number) {
  const slow = Array.from({ length: tenants * 20 }, (_, index) => [
    `slow ${index}`,
    { ownerId: `tenant ${index % tenants}`, ms: 4_800 },
  ]);
  return simulation({ ...Object.fromEntries(slow), fast: { ownerId: "other", ms: 20 } });
}

describe("a tenant with slow endpoints", () => {
  test.each([1, 10, 60])("(%d of them) never delays the delivery of a further tenant (G95)", async (tenants) => {
    const { run, waiting, started, clock } = slowTenants(tenants);
    waiting.delete("fast");
    for (let delivery = 0; delivery < 8; delivery += 1) {
      await run(1_700);
      waiting.add("fast");
      const dueAt = clock.monotonic();
      const before = started.length;
      await run(100);
      const first = started.slice(before).find(({ receiverId }) => receiverId === "fast");
      expect(first ? first.at - dueAt : undefined).toBeLessThanOrEqual(50);
      waiting.delete("fast");
    }
  });

  test("has fewer slots once the endpoints are known to be slow, half of all at most (G95)", async () => {
    const { run, waiting, count } = slowTenants(10);
    waiting.delete("fast");
    await run(30_000);
    expect(count()).toBeGreaterThan(16);
    expect(count()).toBeLessThanOrEqual(LIMITS.slotsMax / 2);
  });
});

describe("slots", () => {
  test("are refilled one by one: a slow request keeps no further request waiting", async () => {
    const receivers = { even: { ownerId: "one", ms: 50 }, slow: { ownerId: "one", ms: 4_800 } };
    const { run, started } = simulation(receivers);
    await run(5_000);
    // 16 slots need a step of 50 ms per request; a batch with the slow receiver would take 4.8 s.
    expect(started.filter(({ receiverId }) => receiverId === "even").length).toBeGreaterThan(1_000);
  });

  test("of one receiver are at most 16, and 4 for a slow receiver; fast requests restore the number", async () => {
    const receiver = { ownerId: "one", ms: 3_000 };
    const { run, count } = simulation({ receiver });
    await run(100);
    expect(count()).toBe(16);
    await run(12_000);
    expect(count()).toBe(4);
    receiver.ms = 40;
    await run(5_000);
    await run(50);
    expect(count()).toBe(0);
  });
});
