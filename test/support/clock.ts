import type { Clock } from "../../src/base/clock.ts";

/** Start of a time step of TOTP, and of a day; later than the machine's clock, so that nothing counts as late. */
export const START = Date.parse("2030-01-01T00:00:00.000Z");

/** A clock that stands still until a test moves it. */
export interface MovableClock extends Clock {
  /** Moves both times forward. */
  advance(milliseconds: number): void;
  /**
   * Moves on to a whole multiple of a unit since the epoch: times in tokens are whole seconds (RFC 7519, section 2).
   */
  alignTo(unitMs: number): void;
  /** What was waited for, in milliseconds and order. A wait takes no time, real or moved. */
  readonly sleeps: readonly number[];
  /** Resolves at the next wait: the flow under test has got that far. */
  nextSleep(): Promise<void>;
}

export function movableClock(start = START): MovableClock {
  const sleeps: number[] = [];
  let passed = 0;
  let nextSleep = Promise.withResolvers<void>();
  return {
    now: () => start + passed,
    monotonic: () => passed,
    sleeps,
    advance(milliseconds) {
      if (milliseconds < 0) throw new Error("time goes forward");
      passed += milliseconds;
    },
    alignTo(unitMs) {
      passed += (unitMs - ((start + passed) % unitMs)) % unitMs;
    },
    nextSleep: () => nextSleep.promise,
    // A turn of the event loop: whatever the caller waits for gets its chance to happen.
    sleep(milliseconds) {
      sleeps.push(milliseconds);
      nextSleep.resolve();
      nextSleep = Promise.withResolvers<void>();
      return new Promise((resolve) => void setTimeout(resolve, 0));
    },
  };
}
