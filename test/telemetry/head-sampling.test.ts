import { describe, expect, test } from "bun:test";
import { systemClock } from "../../src/base/clock.ts";
import { systemRandom } from "../../src/base/random.ts";
import { headSampler } from "../../src/telemetry/head-sampling.ts";

const random = systemRandom(systemClock);
const REQUESTS = 100_000;

/** Returns the indexes of the sampled requests. */
function sampledOf(ratio: number): number[] {
  const isSampled = headSampler(ratio, random);
  return Array.from({ length: REQUESTS }, (_, at) => at).filter(() => isSampled());
}

describe("head sampling", () => {
  test("a ratio of 0 samples no request, and a ratio of 1 every request", () => {
    expect(sampledOf(0)).toEqual([]);
    expect(sampledOf(1)).toHaveLength(REQUESTS);
  });

  test.each([0.5, 0.1, 0.01])("a ratio of %d samples that share, within six standard deviations", (ratio) => {
    const deviation = Math.sqrt(REQUESTS * ratio * (1 - ratio));
    expect(Math.abs(sampledOf(ratio).length - REQUESTS * ratio)).toBeLessThan(6 * deviation);
  });

  test("a sampled request does not predict the next request", () => {
    const sampled = sampledOf(0.1);
    const followed = sampled.filter((at, index) => sampled[index + 1] === at + 1).length;
    const deviation = Math.sqrt(sampled.length * 0.1 * 0.9);
    expect(Math.abs(followed - sampled.length * 0.1)).toBeLessThan(6 * deviation);
  });

  test("the ends of what is drawn are valid gaps", () => {
    for (const bytes of [Buffer.alloc(6, 0), Buffer.alloc(6, 255)]) {
      const isSampled = headSampler(0.1, { ...random, bytes: () => bytes });
      const first = Array.from({ length: 1_000 }, () => isSampled()).indexOf(true);
      expect(first).toBe(bytes[0] === 0 ? 322 : 0);
    }
  });
});
