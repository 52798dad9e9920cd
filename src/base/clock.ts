/**
 * Time comes in through the dependencies, never from the air, so that a test can move it. Only this file may read the
 * clock of the machine; a lint rule watches that.
 */
export interface Clock {
  /** Wall-clock time, milliseconds since the Unix epoch. */
  now(): number;
  /** Monotonic milliseconds, for ages and deadlines: unmoved when the wall clock steps. */
  monotonic(): number;
  /** Resolves once so many milliseconds have passed. */
  sleep(milliseconds: number): Promise<void>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: (milliseconds) => Bun.sleep(milliseconds),
};

/** Whole Unix seconds, as JWT NumericDate wants them (RFC 7519, section 2). */
export function unixSeconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000);
}

/** RFC 3339 in UTC with milliseconds (decisions, section 1). */
export function rfc3339(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
