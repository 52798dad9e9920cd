/**
 * Measures CPU time per operation. The kernel counts CPU time per thread and process, so the result hardly depends on
 * competing load.
 */
import { readdirSync, readFileSync } from "node:fs";
import type { Bench, Running } from "./harness.ts";

/** The kernel counts in clock ticks of 10 ms. */
const TICK_MS = 10;

export const PARTS = ["main thread", "hash workers", "sign workers", "PostgreSQL", "Redis"] as const;
/** Milliseconds per component. The main thread includes the threads of the runtime (compiler, garbage collector). */
export type Costs = Record<(typeof PARTS)[number], number>;

/** Runs a load and returns the cost of an operation. `seconds` is the duration of the load. */
export async function withCosts<Load extends { readonly perSecond: number }>(
  { postgresPid, redisPid }: Pick<Bench, "postgresPid" | "redisPid">,
  service: Pick<Running, "pid">,
  seconds: number,
  work: () => Promise<Load>,
): Promise<{ readonly load: Load; readonly costs: Costs }> {
  const read = () => cpuTime(service.pid, postgresPid, redisPid);
  const before = read();
  const load = await work();
  const after = read();
  const operations = load.perSecond * seconds;
  const each = PARTS.map((part) => [part, ((after[part] - before[part]) * TICK_MS) / operations]);
  return { load, costs: Object.fromEntries(each) as Costs };
}

export function totalOf(costs: Costs): number {
  return PARTS.reduce((sum, part) => sum + costs[part], 0);
}

/** Returns the mean of the rounds. */
export function meanCosts(rounds: readonly Costs[]): Costs {
  const mean = (part: keyof Costs) => rounds.reduce((sum, costs) => sum + costs[part], 0) / rounds.length;
  return Object.fromEntries(PARTS.map((part) => [part, mean(part)])) as Costs;
}

/** Formats costs as `12.9 ms (main thread 1.1, hash workers 9.9, …)` without components of zero cost. */
export function describeCosts(costs: Costs): string {
  const parts = PARTS.filter((part) => costs[part] >= 0.005).map((part) => `${part} ${costs[part].toFixed(2)}`);
  return `${totalOf(costs).toFixed(2)} ms (${parts.join(", ")})`;
}

/**
 * Returns the ticks of each component so far. A niceness above the niceness of the main thread identifies workers
 * (src/app.ts).
 */
function cpuTime(pid: number, postgresPid: number, redisPid: number): Costs {
  const threads = readdirSync(`/proc/${pid}/task`).map((thread) => readStat(`/proc/${pid}/task/${thread}/stat`));
  const { nice: niceOfMain } = readStat(`/proc/${pid}/stat`);
  const ofThreads = (belongs: (nicer: number) => boolean) =>
    threads.filter(({ nice }) => belongs(nice - niceOfMain)).reduce((sum, { ticks }) => sum + ticks, 0);
  return {
    "main thread": ofThreads((nicer) => nicer < 10),
    "hash workers": ofThreads((nicer) => nicer > 10),
    "sign workers": ofThreads((nicer) => nicer === 10),
    PostgreSQL: familyTicks(postgresPid),
    Redis: readStat(`/proc/${redisPid}/stat`).ticks,
  };
}

/** Returns the CPU time so far of a server and of the child processes, in milliseconds. */
export function serverCpuMs(pid: number): number {
  return familyTicks(pid) * TICK_MS;
}

/** Returns the ticks of a server and of the child processes, including ended child processes. */
function familyTicks(pid: number): number {
  const own = readStat(`/proc/${pid}/stat`);
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").filter(Boolean);
  return children.reduce((sum, child) => sum + ticksIfAlive(Number(child)), own.ticks + own.endedChildrenTicks);
}

function ticksIfAlive(pid: number): number {
  try {
    return readStat(`/proc/${pid}/stat`).ticks;
  } catch {
    return 0;
  }
}

/**
 * Reads proc_pid_stat(5): fields 14 to 17 are times, field 19 is the niceness. Parsing starts after the name, which may
 * contain spaces.
 */
function readStat(path: string): { ticks: number; endedChildrenTicks: number; nice: number } {
  const stat = readFileSync(path, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const field = (number: number) => Number(fields[number - 3]);
  return { ticks: field(14) + field(15), endedChildrenTicks: field(16) + field(17), nice: field(19) };
}
