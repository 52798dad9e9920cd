import { setTimeout as sleep } from "node:timers/promises";
/**
 * Time is a dependency, so that a test can move the clock (docs/architecture.md, rule 1). Only this file reads the
 * system clock; a test enforces the rule.
 */
export interface Clock {
  /** Wall-clock time, milliseconds since the Unix epoch. */
  now(): number;
  /** Monotonic milliseconds, for ages and deadlines: unaffected when the wall clock is set. */
  monotonic(): number;
  /** Resolves after so many milliseconds. */
  sleep(milliseconds: number): Promise<void>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep,
};

/** Whole Unix seconds, for JWT NumericDate (RFC 7519, section 2). */
export function unixSeconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000);
}

/** RFC 3339 in UTC with milliseconds (docs/contract.md, section 2.4). */
export function rfc3339(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
