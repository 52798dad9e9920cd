/** How much processes of this machine wait for CPU (Linux, Documentation/accounting/psi.rst). */
import { readFileSync } from "node:fs";

const LOOK_MS = 5_000;
/** The share of the time in which some process waits; a lane of faults by itself is far below. */
const CALM_BELOW = 0.5;
/** What a machine is waited for that never becomes calm. */
const PATIENCE_MS = 120_000;

/** Begins to measure; the returned function gives the share of the time since in which some process waited. */
export function watchPressure(): () => number {
  const [before, startedAt] = [waitedMs(), performance.now()];
  return () => (waitedMs() - before) / (performance.now() - startedAt);
}

/** Resolves once the machine has time, or after `PATIENCE_MS`. */
export async function machineHasTime(): Promise<void> {
  const endAt = performance.now() + PATIENCE_MS;
  while (performance.now() < endAt) {
    const waited = watchPressure();
    await Bun.sleep(LOOK_MS);
    if (waited() < CALM_BELOW) return;
  }
}

/** Since the machine started; 0 forever where the kernel does not count it. */
function waitedMs(): number {
  try {
    return Number(/^some .*total=(\d+)/m.exec(readFileSync("/proc/pressure/cpu", "utf8"))?.[1] ?? 0) / 1_000;
  } catch {
    return 0;
  }
}
