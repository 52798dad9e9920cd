/**
 * Waiting for conditions instead of times, and bounds that say something about the service and not about the machine. A
 * machine that has other work lets a thread wait that could run. Linux counts that time for each thread of a replica;
 * this process notices its own by a timer that fires late, whoever held it up: another program, a quota or a
 * hypervisor. Both are taken off the clock.
 */
import { readdirSync, readFileSync } from "node:fs";
import { replicaPids } from "./replica.ts";

/** For what has no bound of its own: half of what a test may take. */
const PATIENCE_MS = 150_000;
/** However busy the machine says it was, a bound grows to no more than this many times itself. */
const STRETCH_MAX = 10;
const ATTEMPTS = 3;
/** After it, a replica that stood still has read the feed again, and the machine has had time for its other work. */
const PAUSE_AFTER_STALL_MS = 1_000;
const TICK_MS = 20;
/** Between two questions: a twentieth of the time waited so far, within these bounds. */
const PAUSES = 20;
const PAUSE_MIN_MS = 5;
const PAUSE_MAX_MS = 50;

/** For how long the timers of this process were late, in all (ms). */
let lateMs = 0;
let tickAt = performance.now() + TICK_MS;
setInterval(() => {
  const now = performance.now();
  lateMs += Math.max(0, now - tickAt);
  tickAt = now + TICK_MS;
}, TICK_MS).unref();

/** Asks again until it holds. For conditions that no promise bounds; `eventually` is for those that one does. */
export async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  await eventually(what, PATIENCE_MS, holds);
}

/**
 * Asks again until it holds, and returns how many milliseconds that took; fails after the deadline. Time for which this
 * process or a replica was ready to run and had no core does not count.
 */
export async function eventually(what: string, deadlineMs: number, holds: () => Promise<boolean>): Promise<number> {
  const elapsed = stopwatch();
  const startedAt = performance.now();
  while (!(await holds())) {
    const waitedMs = performance.now() - startedAt;
    // The wall clock is never behind the stopwatch, which reads a file for each thread of each replica.
    if (waitedMs > deadlineMs && elapsed() > deadlineMs) throw new Error(`not within ${deadlineMs} ms: ${what}`);
    await Bun.sleep(pauseAfter(waitedMs, deadlineMs));
  }
  return elapsed();
}

/** Longer while it lasts, since each question costs the replica that is asked; never past the deadline. */
function pauseAfter(waitedMs: number, deadlineMs: number): number {
  const leftMs = Math.max(PAUSE_MIN_MS, deadlineMs - waitedMs);
  return Math.min(PAUSE_MAX_MS, Math.max(PAUSE_MIN_MS, waitedMs / PAUSES), leftMs);
}

/**
 * Starts a clock; each call returns the milliseconds since then, without those for which the machine was busy with
 * other work.
 */
export function stopwatch(): () => number {
  const startedAt = performance.now();
  const [lateBefore, before] = [lateMs, threadDelays()];
  return () => {
    const wallMs = performance.now() - startedAt;
    return Math.max(wallMs - (lateMs - lateBefore) - delaySince(before), wallMs / STRETCH_MAX);
  };
}

/**
 * Up to three attempts, a second apart, at what a stall of the machine can spoil without the service being wrong: a
 * replica that was kept from running beyond its own deadlines is right to fall back. What is broken fails every time.
 * `again`: whether a failure may be such a one.
 */
export async function attempts<T>(
  work: () => Promise<T>,
  { again = () => true, count = ATTEMPTS }: { again?: (error: unknown) => boolean; count?: number } = {},
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (count <= 1 || !again(error)) throw error;
    await Bun.sleep(PAUSE_AFTER_STALL_MS);
    return await attempts(work, { again, count: count - 1 });
  }
}

/** Milliseconds for which threads waited for a core since `before`, all of them together. */
function delaySince(before: ReadonlyMap<string, number>): number {
  let delayMs = 0;
  for (const [thread, total] of threadDelays()) delayMs += total - (before.get(thread) ?? 0);
  return delayMs;
}

/** For each thread of the replicas: for how long it waited for a core, in all (ms). */
function threadDelays(): Map<string, number> {
  const delays = new Map<string, number>();
  for (const pid of replicaPids()) {
    for (const thread of threadsOf(pid))
      delays.set(`/proc/${pid}/task/${thread}`, delayOf(`/proc/${pid}/task/${thread}`));
  }
  return delays;
}

function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

/** For how long the main thread of a process has run, in all (ms). */
export function mainThreadMs(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, "utf8").split(" ")[0]) / 1e6;
}

/**
 * The second number is nanoseconds on a run queue (Documentation/scheduler/sched-stats). Other systems do not count it.
 */
function delayOf(thread: string): number {
  try {
    return Number(readFileSync(`${thread}/schedstat`, "utf8").split(" ")[1]) / 1e6;
  } catch {
    return 0;
  }
}
