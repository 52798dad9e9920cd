import { describe, expect, test } from "bun:test";
import { systemRandom } from "../../src/base/random.ts";
import { movableClock } from "../support/clock.ts";

describe("a UUID of version 7 (RFC 9562, section 5.7)", () => {
  test("has the time, the version and the variant in place, and differs from all further ids", () => {
    const clock = movableClock(Date.parse("2026-01-02T03:04:05.678Z"));
    const made = Array.from({ length: 10_000 }, systemRandom(clock).uuid);
    for (const uuid of made) {
      expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(Number.parseInt(uuid.replace("-", "").slice(0, 12), 16)).toBe(clock.now());
    }
    expect(new Set(made).size).toBe(made.length);
  });

  test("is greater than earlier ids of the process, within a millisecond too", () => {
    const clock = movableClock();
    const { uuid } = systemRandom(clock);
    const made = Array.from({ length: 50 }, () => {
      clock.advance(1);
      return Array.from({ length: 1_000 }, uuid);
    }).flat();
    expect(made).toEqual([...made].sort());
  });
});
