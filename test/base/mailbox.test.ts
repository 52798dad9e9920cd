import { describe, expect, test } from "bun:test";
import { openMailbox } from "../../src/base/mailbox.ts";

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

  test("applies the policy when full, and outlives a failing message", async () => {
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

  test("starts again after an empty queue", async () => {
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
