import type { Clock } from "../base/clock.ts";

/** Maximum difference between the two clocks before a new comparison: rounding loses a whole millisecond. */
const DRIFT_MAX_MS = 2;

/**
 * Wall-clock time in fractions of milliseconds, for spans. The wall clock counts whole milliseconds, which is longer
 * than a statement takes. The time is therefore the monotonic clock plus an offset, renewed when the wall clock was set
 * or the two clocks have drifted apart.
 */
export function spanClock(clock: Clock): () => number {
  let offsetMs = clock.now() - clock.monotonic();
  return () => {
    const [now, monotonic] = [clock.now(), clock.monotonic()];
    if (Math.abs(now - (offsetMs + monotonic)) > DRIFT_MAX_MS) offsetMs = now - monotonic;
    return offsetMs + monotonic;
  };
}
