import { afterAll, beforeAll, describe, expect, test as testOnce } from "bun:test";
import type { Clock } from "../../src/base/clock.ts";
import { systemClock } from "../../src/base/clock.ts";
import { localState } from "../../src/state/local.ts";
import { redisState } from "../../src/state/redis.ts";
import type { AttemptScope, Claim, State } from "../../src/state/state.ts";
import { race } from "../support/deployment.ts";
import { redisUrl, startRedisCluster } from "../support/services.ts";
import { silentTelemetry } from "../support/telemetry.ts";
import { attempts, stopwatch, until } from "../support/waiting.ts";

const isGranted = ({ outcome }: Claim) => outcome === "granted";

/** A suite for every implementation of the port: the guarantees that flows rely on hold for each implementation. */
const IMPLEMENTATIONS: [string, () => Promise<State>][] = [
  ["local", async () => localState(systemClock)],
  ["redis", async () => await openRedis(await redisUrl())],
  ["a cluster of three nodes", async () => await openRedis(await startRedisCluster())],
];

async function openRedis(url: string): Promise<State> {
  const clock = systemClock;
  const telemetry = await silentTelemetry();
  const state = redisState({ url, clock, telemetry, onConnectionError: () => undefined });
  const responses = async () => {
    try {
      await state.ping();
      return true;
    } catch {
      return false;
    }
  };
  await until("Redis answers", responses);
  return state;
}

/** A time-out of this process is inconclusive, and the test is repeated. */
const isTimeOut = (error: unknown) => /Command timed out|no response within|Cluster isn't ready/.test(String(error));
const test = (title: string, work: () => Promise<void>) => testOnce(title, () => attempts(work, { again: isTimeOut }));

/** Windows end by real time. A window that ended before the assertion is inconclusive, and a longer window is tried. */
async function inWindow(work: (windowMs: number) => Promise<void>): Promise<void> {
  let windowMs = 4;
  await attempts(async () => {
    windowMs *= 10;
    await work(windowMs);
  });
}

describe.each(IMPLEMENTATIONS)("the state port, %s", (_, open) => {
  let state: State;
  beforeAll(async () => {
    state = await open();
  });
  afterAll(() => state.close());

  let keys = 0;
  const newKey = () => {
    keys += 1;
    return `test:{${process.pid}-${Date.now()}-${keys}}`;
  };
  const scopes = (limit: number, windowMs = 60_000): AttemptScope[] => {
    const key = newKey();
    return [
      { key: `${key}:pair`, limit, windowMs },
      { key: `${key}:all`, limit: limit * 2, windowMs },
    ];
  };

  test("a mark ends after its time, and a repetition prolongs the mark", async () => {
    const key = newKey();
    expect(await state.isMarked(key)).toBe(false);
    await state.mark(key, 20);
    await until("it has ended", async () => !(await state.isMarked(key)));
    await state.mark(key, 1);
    await state.mark(key, 60_000);
    expect(await state.isMarked(key)).toBe(true);
  });

  test("sets a mark for one of 50 parallel calls, and for a later call once the mark has ended", async () => {
    const key = newKey();
    expect((await race(() => state.markFirst(key, 60_000), 50)).filter(Boolean)).toEqual([true]);
    expect(await state.isMarked(key)).toBe(true);
    const short = newKey();
    await state.markFirst(short, 20);
    await until("a mark that has ended is set again", async () => (await state.markFirst(short, 20)) === true);
  });

  test("sets an ended mark again at once, also after two ends", async () => {
    const key = newKey();
    for (let count = 0; count < 20; count += 1) {
      expect(await state.markFirst(key, 60_000)).toBe(true);
      expect(await state.markFirst(key, 60_000)).toBe(false);
      await state.unmark(key);
      await state.unmark(key);
    }
    expect(await state.isMarked(key)).toBe(false);
  });

  test("counts every event of 50 parallel events once, within one window", async () => {
    const key = newKey();
    const counts = await race(() => state.count(key, 60_000), 50);
    expect(counts.map(({ count }) => count).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 50 }, (_, index) => index + 1),
    );
    expect(counts.every(({ resetMs }) => resetMs > 0 && resetMs <= 60_000)).toBe(true);
  });

  test("counts a batch of events as a whole, or not at all beyond the limit", async () => {
    const [key, batch] = [newKey(), { events: 30, limit: 100 }];
    expect((await state.count(key, 60_000)).count).toBe(1);
    const counts = await race(() => state.count(key, 60_000, batch), 10);
    expect(counts.map(({ count }) => count).toSorted((a, b) => a - b)).toEqual([31, 61, 91, ...Array(7).fill(121)]);
    expect((await state.count(key, 60_000)).count).toBe(92);
  });

  test("starts anew when the window has ended", async () => {
    const key = newKey();
    await state.count(key, 30);
    await until("a new window", async () => (await state.count(key, 30)).count === 1);
  });

  test("grants no more claims than the limit, of 50 at once", async () => {
    const attempt = scopes(5);
    const claims = await race(() => state.claim(attempt), 50);
    expect(claims.filter(isGranted)).toHaveLength(5);
    expect(claims.find((claim) => !isGranted(claim))).toMatchObject({ outcome: "pending" });
  });

  test("gives back a claim without a failure, and keeps a claim with a failure", async () => {
    const attempt = scopes(2);
    await state.claim(attempt);
    await state.claim(attempt);
    await state.endClaim(attempt, false);
    expect(await state.claim(attempt)).toEqual({ outcome: "granted" });
    await state.endClaim(attempt, true);
    await state.endClaim(attempt, true);
    const refused = await state.claim(attempt);
    expect(refused.outcome).toBe("exhausted");
    expect("retryAfterMs" in refused && refused.retryAfterMs).toBeGreaterThan(0);
  });

  test("claims in all scopes or in none", async () => {
    const [pair, all] = scopes(1);
    if (!pair || !all) throw new Error("two scopes");
    await state.claim([pair]);
    expect(isGranted(await state.claim([pair, all]))).toBe(false);
    expect((await race(() => state.claim([all]), 3)).filter(isGranted)).toHaveLength(2);
  });

  test("counts the request with the claim, and claims nothing beyond the request's limit", async () => {
    const attempt = scopes(3);
    const admission = { key: newKey(), limit: 2, windowMs: 60_000 };
    const claims = [];
    for (let round = 0; round < 3; round += 1) claims.push(await state.claim(attempt, admission));
    expect(claims.map(({ outcome }) => outcome)).toEqual(["granted", "granted", "not_admitted"]);
    expect(claims.map((claim) => claim.admission?.count)).toEqual([1, 2, 3]);
    expect(claims.every((claim) => Number(claim.admission?.resetMs) > 0)).toBe(true);
    expect((await state.claim(attempt)).outcome).toBe("granted");
    const refused = await state.claim(attempt, { ...admission, limit: 10 });
    expect(refused).toMatchObject({ outcome: "pending", admission: { count: 4 } });
  });

  test("forgets failures when their window has ended, and a late settle revives nothing", async () => {
    await inWindow(async (windowMs) => {
      const attempt = scopes(1, windowMs);
      await state.claim(attempt);
      await state.endClaim(attempt, true);
      expect(isGranted(await state.claim(attempt))).toBe(false);
      await Bun.sleep(windowMs * 2);
      await state.endClaim(attempt, true);
      expect(isGranted(await state.claim(attempt))).toBe(true);
    });
  });

  describe("the record of a comparison", () => {
    const comparison = (matched: boolean, key: string, consumes = true) => ({
      matched,
      failedAttempts: [
        { key: `${key}:one`, limit: 5, windowMs: 60_000 },
        { key: `${key}:all`, limit: 30, windowMs: 60_000 },
      ],
      ...(consumes ? { consumption: { key: `${key}:burned`, ttlMs: 60_000 } } : {}),
    });

    test("reveals 5 of 40 parallel failures, and no outcome to the rest, a right code included (G3)", async () => {
      const key = newKey();
      const verdicts = await race(() => state.recordAttempt(comparison(false, key)), 40);
      expect(verdicts.filter(({ outcome }) => outcome === "failed")).toHaveLength(5);
      expect(verdicts.filter(({ outcome }) => outcome === "locked")).toHaveLength(35);
      const late = await state.recordAttempt(comparison(true, key));
      expect(late.outcome === "locked" && late.retryAfterMs > 0).toBe(true);
    });

    test("lets a single one of 20 parallel matches through and returns `consumed` to the rest (G2)", async () => {
      const key = newKey();
      const verdicts = await race(() => state.recordAttempt(comparison(true, key)));
      expect(verdicts.filter(({ outcome }) => outcome === "matched")).toHaveLength(1);
      expect(verdicts.filter(({ outcome }) => outcome === "consumed")).toHaveLength(19);
      expect(await state.recordAttempt(comparison(false, key))).toEqual({ outcome: "consumed" });
    });

    test("consumes no key without `consumption`, and does not count matches", async () => {
      const key = newKey();
      const verdicts = await race(() => state.recordAttempt(comparison(true, key, false)));
      expect(verdicts.every(({ outcome }) => outcome === "matched")).toBe(true);
      expect(await state.recordAttempt(comparison(false, key, false))).toEqual({ outcome: "failed" });
    });

    test("counts the request in the same call, and reveals no outcome beyond the limit of requests", async () => {
      const key = newKey();
      const admission = { key: `${key}:admission`, limit: 2, windowMs: 60_000 };
      const outcomes = [];
      for (let turn = 0; turn < 3; turn += 1)
        outcomes.push(await state.recordAttempt({ ...comparison(false, key), admission }));
      expect(outcomes.map(({ outcome }) => outcome)).toEqual(["failed", "failed", "not_admitted"]);
      expect(outcomes.map(({ admission: window }) => window?.count)).toEqual([1, 2, 3]);
      expect(outcomes[2]?.admission?.resetMs).toBeWithin(1, 60_001);
      expect((await state.recordAttempt(comparison(true, key))).outcome).toBe("matched");
    });

    test("counts failed attempts in every scope, and starts anew when the window has ended", async () => {
      await inWindow(async (windowMs) => {
        const short = { matched: false, failedAttempts: [{ key: newKey(), limit: 1, windowMs }] };
        expect((await state.recordAttempt(short)).outcome).toBe("failed");
        expect((await state.recordAttempt(short)).outcome).toBe("locked");
        await Bun.sleep(windowMs * 2);
        expect((await state.recordAttempt(short)).outcome).toBe("failed");
      });
    });
  });

  test("follows a stream from a position: all messages after it, in order, none twice", async () => {
    const stream = newKey();
    await state.append(stream, "before", 100);
    const start = await state.position(stream);
    for (const message of ["a", "b", "c"]) await state.append(stream, message, 100);
    const first = await state.read(stream, start, 10, 2);
    const rest = await state.read(stream, first.position, 10, 10);
    expect([first.messages, rest.messages]).toEqual([["a", "b"], ["c"]]);
    expect((await state.read(stream, rest.position, 10, 10)).messages).toEqual([]);
  });

  test("wakes a waiting reader, and releases a reader without news", async () => {
    const stream = newKey();
    const start = await state.position(stream);
    const waiting = state.read(stream, start, 10_000, 10);
    await Bun.sleep(20);
    await state.append(stream, "news", 100);
    expect((await waiting).messages).toEqual(["news"]);
    const [startedAt, elapsed] = [performance.now(), stopwatch()];
    expect((await state.read(stream, (await waiting).position, 50, 10)).messages).toEqual([]);
    expect(performance.now() - startedAt).toBeGreaterThan(30);
    expect(elapsed()).toBeLessThan(400);
  });
});

describe("local state", () => {
  test("keeps a bounded number of counters", async () => {
    const clock: Clock = { now: () => 0, monotonic: () => 0, sleep: async () => undefined };
    const state = localState(clock);
    await state.count("first", 1000);
    for (let index = 0; index < 100_001; index += 1) await state.count(`flood-${index}`, 1000);
    expect((await state.count("first", 1000)).count).toBe(1);
  });
});
