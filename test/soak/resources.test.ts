/** The judgement of the soak about memory (G250). */
import { expect, test } from "bun:test";
import { type Sample, trendOf } from "./resources.ts";

const SAMPLES = 60;

/** Memory between two collections of garbage: a sawtooth of 60 MiB above a floor, which rises by `leak` an hour. */
function series(minutes: number, leak: number): readonly Sample[] {
  return Array.from({ length: SAMPLES }, (_, index) => {
    const minute = (minutes * (index + 1)) / SAMPLES;
    const sawtooth = 20 * ((index * 7) % 4) + 3 * ((index * 11) % 5);
    return {
      minute,
      residentMib: 400 + sawtooth + (leak * minute) / 60,
      liveMib: 100,
      descriptors: 50,
      connections: 20,
    };
  });
}

const certain = (samples: readonly Sample[]) => trendOf(samples, ({ residentMib }) => residentMib).certainPerHour;

test("Garbage between collections is no growth; a leak is, in 15 minutes and in eight hours.", () => {
  expect(certain(series(15, 0))).toBeLessThan(1);
  expect(certain(series(480, 0))).toBeLessThan(1);
  expect(certain(series(15, 60))).toBeGreaterThan(1);
  expect(certain(series(480, 4))).toBeGreaterThan(1);
  expect(certain(series(15, -60))).toBeLessThan(0);
});

test("Memory without a direction is no growth, though neighbouring samples are alike.", () => {
  const wandering = series(15, 0).map((sample, index) => ({
    ...sample,
    residentMib: 500 + 8 * Math.sin(index / 9 + 3) + (index % 5),
  }));
  expect(certain(wandering)).toBeLessThan(1);
});

test("A series without enough samples has no trend.", () => {
  expect(trendOf(series(15, 60).slice(0, 10), ({ residentMib }) => residentMib)).toEqual({
    perHour: 0,
    certainPerHour: 0,
  });
});
