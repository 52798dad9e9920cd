import { readdirSync, readFileSync } from "node:fs";

/** Resident bytes of a process and all that it started, pages that they share counted for each of them. */
export function residentBytes(pid: number): number {
  const parents = new Map<number, number>();
  for (const name of readdirSync("/proc")) {
    // The fourth field, after the name in brackets (proc_pid_stat(5)).
    if (/^\d+$/.test(name)) parents.set(Number(name), Number(read(`/proc/${name}/stat`).split(") ")[1]?.split(" ")[1]));
  }
  const belongs = (each: number): boolean => each === pid || (parents.has(each) && belongs(parents.get(each) ?? 0));
  return [...parents.keys()].filter(belongs).reduce((sum, each) => sum + residentBytesOf(each), 0);
}

function residentBytesOf(pid: number): number {
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
