import type { Clock } from "../../src/base/clock.ts";

/**
 * The start of a TOTP time step and of a day. The value lies after the time of the machine, so that no deadline has
 * passed.
 */
export const START = Date.parse("2030-01-01T00:00:00.000Z");

/** A clock that stands still until a test moves the time. */
export interface MovableClock extends Clock {
  /** Moves the wall clock and the monotonic clock forward. */
  advance(milliseconds: number): void;
  /**
   * Moves to the next whole multiple of a unit since the epoch, because times in tokens are whole seconds (RFC 7519,
   * section 2).
   */
  alignTo(unitMs: number): void;
  /** The durations of all waits in milliseconds, in order. A wait consumes neither real nor simulated time. */
  readonly sleeps: readonly number[];
  /** Resolves at the next wait, when the flow under test has reached that wait. */
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
    // Yields for a turn of the event loop, so that the awaited event of the caller can happen.
    sleep(milliseconds) {
      sleeps.push(milliseconds);
      nextSleep.resolve();
      nextSleep = Promise.withResolvers<void>();
      return new Promise((resolve) => void setTimeout(resolve, 0));
    },
  };
}
