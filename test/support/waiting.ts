/**
 * Waits for conditions instead of times, with bounds that depend on the service and not on the machine. A busy machine
 * lets runnable threads wait. Linux counts the wait for each thread of a replica; this process detects late timers,
 * whatever the cause: a busy program, a quota or a hypervisor. Waits of replicas and of this process are subtracted
 * from the clock.
 */
import { readdirSync, readFileSync } from "node:fs";
import { replicaPids } from "./replica.ts";

/** The bound for conditions without a documented bound: half of the time that a test may take. */
const PATIENCE_MS = 150_000;
/** A bound grows at most by this factor, however busy the machine is. */
const STRETCH_MAX = 10;
const ATTEMPTS = 3;
/**
 * After this pause, a replica that stood still has read the feed again, and the machine has finished competing work.
 */
const PAUSE_AFTER_STALL_MS = 1_000;
const TICK_MS = 20;
/** The pause between two checks: a twentieth of the time waited so far, within these bounds. */
const PAUSES = 20;
const PAUSE_MIN_MS = 5;
const PAUSE_MAX_MS = 50;

/** Total delay of this process's timers (ms). */
let lateMs = 0;
let tickAt = performance.now() + TICK_MS;
setInterval(() => {
  const now = performance.now();
  lateMs += Math.max(0, now - tickAt);
  tickAt = now + TICK_MS;
}, TICK_MS).unref();

/**
 * Checks until the condition holds, for conditions that no guarantee bounds; `eventually` is for conditions that a
 * guarantee bounds.
 */
export async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  await eventually(what, PATIENCE_MS, holds);
}

/**
 * Checks until the condition holds and returns the elapsed milliseconds; fails after the deadline. Time during which
 * this process or a replica was runnable without a core does not count.
 */
export async function eventually(what: string, deadlineMs: number, holds: () => Promise<boolean>): Promise<number> {
  const elapsed = stopwatch();
  const startedAt = performance.now();
  while (!(await holds())) {
    const waitedMs = performance.now() - startedAt;
    // The wall clock is never behind the stopwatch. The stopwatch reads a file for each thread of each replica, so the
    // wall clock is compared first.
    if (waitedMs > deadlineMs && elapsed() > deadlineMs) throw new Error(`not within ${deadlineMs} ms: ${what}`);
    await Bun.sleep(pauseAfter(waitedMs, deadlineMs));
  }
  return elapsed();
}

/** The pause grows with the wait, since each check costs the replica time; the pause never exceeds the deadline. */
function pauseAfter(waitedMs: number, deadlineMs: number): number {
  const leftMs = Math.max(PAUSE_MIN_MS, deadlineMs - waitedMs);
  return Math.min(PAUSE_MAX_MS, Math.max(PAUSE_MIN_MS, waitedMs / PAUSES), leftMs);
}

/**
 * Starts a clock; each call returns the milliseconds since the start, without the time for which the machine was busy
 * with unrelated work.
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
 * Makes up to three attempts, a second apart, at work that a stall of the machine can spoil without a fault of the
 * service: a replica that got no core for longer than the replica's deadlines falls back, as designed. A real fault
 * fails every attempt. `again` decides whether a failure may come from a stall.
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

/** Returns the total milliseconds for which threads waited for a core since `before`. */
function delaySince(before: ReadonlyMap<string, number>): number {
  let delayMs = 0;
  for (const [thread, total] of threadDelays()) delayMs += total - (before.get(thread) ?? 0);
  return delayMs;
}

/** Returns for each thread of the replicas the total wait for a core (ms). */
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

/** Returns the total run time of the main thread of a process (ms). */
export function mainThreadMs(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, "utf8").split(" ")[0]) / 1e6;
}

/**
 * The second number is nanoseconds on a run queue (Documentation/scheduler/sched-stats). Only Linux counts this wait.
 */
function delayOf(thread: string): number {
  try {
    return Number(readFileSync(`${thread}/schedstat`, "utf8").split(" ")[1]) / 1e6;
  } catch {
    return 0;
  }
}
