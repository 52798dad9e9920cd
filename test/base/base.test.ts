import { describe, expect, test } from "bun:test";
import { systemClock } from "../../src/base/clock.ts";
import { RESTART_PAUSE_MIN_MS } from "../../src/base/limits.ts";
import { createLogger } from "../../src/base/log.ts";
import { startLoop } from "../../src/base/loop.ts";
import { openMailbox } from "../../src/base/mailbox.ts";
import { systemRandom } from "../../src/base/random.ts";
import { deriveKey, open, seal, sealingKey } from "../../src/base/seal.ts";
import { stopwatch, until } from "../support/waiting.ts";

describe("seal (promise 22)", () => {
  const random = systemRandom(systemClock);
  const key = sealingKey(deriveKey("a root secret", "test"));
  const sealed = seal(key, random, "row/1", Buffer.from("secret"));

  test("opens under the same key and identity alone: a row copied to another does not open", () => {
    expect(open(key, "row/1", sealed)?.toString()).toBe("secret");
    expect(open(key, "row/2", sealed)).toBeUndefined();
    expect(open(sealingKey(deriveKey("another secret", "test")), "row/1", sealed)).toBeUndefined();
    expect(open(sealingKey(deriveKey("a root secret", "other purpose")), "row/1", sealed)).toBeUndefined();
  });

  test("does not open when a single bit differs, or when it is cut off", () => {
    for (let position = 0; position < sealed.length; position += 1) {
      const spoiled = Buffer.from(sealed);
      spoiled[position] = (spoiled[position] ?? 0) ^ 1;
      expect(open(key, "row/1", spoiled)).toBeUndefined();
    }
    expect(open(key, "row/1", sealed.subarray(0, 10))).toBeUndefined();
  });

  test("never seals alike twice", () => {
    expect(seal(key, random, "row/1", Buffer.from("secret")).equals(sealed)).toBe(false);
  });
});

describe("mailbox", () => {
  test("handles one message at a time, in order, and drains at stop", async () => {
    const handled: number[] = [];
    let inside = 0;
    const mailbox = openMailbox<number>({
      bound: 100,
      async handle(message) {
        inside += 1;
        expect(inside).toBe(1);
        await Bun.sleep(1);
        handled.push(message);
        inside -= 1;
      },
      whenFull: () => undefined,
      onError: () => undefined,
    });
    for (let message = 0; message < 20; message += 1) mailbox.post(message);
    await mailbox.stop();
    expect(handled).toEqual(Array.from({ length: 20 }, (_, index) => index));
    expect(mailbox.post(99)).toBe(false);
  });

  test("applies its policy when full, and outlives a message that fails", async () => {
    const events: string[] = [];
    const mailbox = openMailbox<string>({
      bound: 1,
      async handle(message) {
        await Bun.sleep(1);
        if (message === "bad") throw new Error("bad message");
        events.push(message);
      },
      whenFull: (message) => events.push(`full: ${message}`),
      onError: (error) => events.push(String(error)),
    });
    expect([mailbox.post("bad"), mailbox.post("waits"), mailbox.post("too many")]).toEqual([true, true, false]);
    await mailbox.stop();
    expect(events).toEqual(["full: too many", "Error: bad message", "waits"]);
  });

  test("starts again after it ran empty", async () => {
    const handled: number[] = [];
    const mailbox = openMailbox<number>({
      bound: 9,
      handle: (message) => void handled.push(message),
      whenFull: () => undefined,
      onError: () => undefined,
    });
    mailbox.post(1);
    await Bun.sleep(1);
    mailbox.post(2);
    expect(handled).toEqual([1, 2]);
  });
});

describe("loop", () => {
  test("goes on after failures with growing pauses, and stops in the middle of one", async () => {
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
    // A timer may be late, and is never early by more than a rounding.
    expect(pauseAfter(0)).toBeGreaterThan(RESTART_PAUSE_MIN_MS - 2);
    expect(pauseAfter(1)).toBeGreaterThan(2 * RESTART_PAUSE_MIN_MS - 2);
  });
});

describe("log", () => {
  async function logged(write: (log: Awaited<ReturnType<typeof createLogger>>) => void) {
    const lines: string[] = [];
    const destination = { write: (line: string) => void lines.push(line) };
    write(await createLogger({ level: "info", pretty: false, traceIds: () => ({ trace_id: "t" }), destination }));
    return lines;
  }

  test("writes one JSON line with RFC 3339 time, level and trace id, whatever control characters come in", async () => {
    const [line, ...rest] = await logged((log) => log.info({ route: 'a\n{"level":"fatal"}' }, "hello\r\nworld"));
    expect(rest).toEqual([]);
    expect(line?.trimEnd().includes("\n")).toBe(false);
    expect(JSON.parse(line ?? "")).toMatchObject({
      level: "info",
      msg: "hello\r\nworld",
      trace_id: "t",
      time: expect.stringMatching(/Z$/),
    });
  });

  test("censors secrets by name, and keeps values of a database error out (promise 24)", async () => {
    const error = Object.assign(new Error("duplicate key"), {
      code: "23505",
      detail: "Key (email)=(a@b.c)",
      parameters: ["a@b.c"],
    });
    const text = (
      await logged((log) =>
        log.error({ err: error, password: "hunter2", body: { token: "hunter2" }, headers: { cookie: "hunter2" } }, "x"),
      )
    ).join();
    expect(text).not.toContain("hunter2");
    expect(text).not.toContain("a@b.c");
    expect(JSON.parse(text).err).toMatchObject({ message: "duplicate key", sqlstate: "23505" });
  });
});
