import type { Clock } from "../base/clock.ts";

/** By how much the two clocks may differ before they are compared anew: a whole millisecond is lost by rounding. */
const DRIFT_MAX_MS = 2;

/**
 * Wall-clock time in fractions of milliseconds, for spans. The wall clock counts whole milliseconds, which is more than
 * a statement takes. So the monotonic clock is read, at an offset that is renewed when the wall clock was set or the
 * two have drifted apart.
 */
export function spanClock(clock: Clock): () => number {
  let offsetMs = clock.now() - clock.monotonic();
  return () => {
    const [now, monotonic] = [clock.now(), clock.monotonic()];
    if (Math.abs(now - (offsetMs + monotonic)) > DRIFT_MAX_MS) offsetMs = now - monotonic;
    return offsetMs + monotonic;
  };
}
