import { existsSync, readdirSync, readFileSync } from "node:fs";

// Without the file (CONFIG_PROC_CHILDREN), the processes that a replica starts would not be counted, and every bound
// would hold.
if (!existsSync("/proc/thread-self/children")) throw new Error("this kernel does not list the children of a thread");

/**
 * Returns the resident bytes of a process and of all descendants. Shared pages count once per process. A child between
 * fork and exec has the pages and the command line of the parent, and does not count.
 */
export function residentBytes(pid: number): number {
  const children = childrenOf(pid).filter((child) => commandOf(child) !== commandOf(pid));
  return processBytes(pid) + children.reduce((sum, child) => sum + residentBytes(child), 0);
}

const commandOf = (pid: number) => read(`/proc/${pid}/cmdline`);

/**
 * Reads the children of every thread (proc_pid_task_tid_children(5)), because a machine has many unrelated processes.
 */
function childrenOf(pid: number): number[] {
  return threadsOf(pid).flatMap((thread) => {
    const children = read(`/proc/${pid}/task/${thread}/children`).trim();
    return children === "" ? [] : children.split(" ").map(Number);
  });
}

function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

/** Returns the resident bytes of a process without descendants. */
export function processBytes(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(read(`/proc/${pid}/status`))?.[1] ?? 0) * 1024;
}

/** Returns an empty string for a process that has ended meanwhile. */
function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

/** Returns the growth in bytes of a process and the descendants at the peak of some work. */
export async function peakOf(pid: number, work: () => Promise<unknown>): Promise<number> {
  const before = residentBytes(pid);
  let peak = before;
  const watching = setInterval(() => {
    peak = Math.max(peak, residentBytes(pid));
  }, 5);
  await work().finally(() => clearInterval(watching));
  return peak - before;
}
