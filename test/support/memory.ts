import { existsSync, readdirSync, readFileSync } from "node:fs";

// Without it (CONFIG_PROC_CHILDREN) what a replica starts would not be counted, and every bound would hold.
if (!existsSync("/proc/thread-self/children")) throw new Error("this kernel does not list the children of a thread");

/** Resident bytes of a process and all that it started, pages that they share counted for each of them. */
export function residentBytes(pid: number): number {
  return processBytes(pid) + childrenOf(pid).reduce((sum, child) => sum + residentBytes(child), 0);
}

/** What any of its threads started (proc_pid_task_tid_children(5)): a machine has many processes that are not ours. */
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

/** Resident bytes of a process without what it started. */
export function processBytes(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(read(`/proc/${pid}/status`))?.[1] ?? 0) * 1024;
}

/** Empty for a process that ended meanwhile. */
function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

/** How many bytes more than before a process and its children hold at the worst moment of some work. */
export async function peakOf(pid: number, work: () => Promise<unknown>): Promise<number> {
  const before = residentBytes(pid);
  let peak = before;
  const watching = setInterval(() => {
    peak = Math.max(peak, residentBytes(pid));
  }, 5);
  await work().finally(() => clearInterval(watching));
  return peak - before;
}
