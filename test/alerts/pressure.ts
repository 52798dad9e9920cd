/** Measures how long processes of this machine wait for CPU (Linux, Documentation/accounting/psi.rst). */
import { readFileSync } from "node:fs";

const LOOK_MS = 5_000;
/** The share of the time in which some process waits. A lane of faults alone stays far below this bound. */
const CALM_BELOW = 0.5;
/** The longest wait for a machine that never becomes calm. */
const PATIENCE_MS = 120_000;

/**
 * Starts a measurement; the returned function returns the share of the time since the start in which some process
 * waited.
 */
export function watchPressure(): () => number {
  const [before, startedAt] = [waitedMs(), performance.now()];
  return () => (waitedMs() - before) / (performance.now() - startedAt);
}

/** Resolves when the machine is calm, or after `PATIENCE_MS`. */
export async function machineHasTime(): Promise<void> {
  const endAt = performance.now() + PATIENCE_MS;
  while (performance.now() < endAt) {
    const waited = watchPressure();
    await Bun.sleep(LOOK_MS);
    if (waited() < CALM_BELOW) return;
  }
}

/** Returns the wait since the start of the machine; always 0 if the kernel does not count the wait. */
function waitedMs(): number {
  try {
    return Number(/^some .*total=(\d+)/m.exec(readFileSync("/proc/pressure/cpu", "utf8"))?.[1] ?? 0) / 1_000;
  } catch {
    return 0;
  }
}
