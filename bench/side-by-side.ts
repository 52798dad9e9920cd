/** Measures two services alternately in a single run: rates, CPU time and memory, as rows of a table. */
import { readFileSync } from "node:fs";
import { serverCpuMs } from "./cpu.ts";
import { fixed, median, type Running, whole } from "./harness.ts";

const ROUNDS = 5;
const SECONDS = 3;
const KIB = 1024;

/** Operations per second of a service under load. */
export type Measure = (service: Running, seconds: number) => number | Promise<number>;

interface Sample {
  readonly perSecond: number;
  /** CPU time of the service per operation, including the child processes. */
  readonly cpuMs: number;
}

/** Returns two rows per kind of load: operations per second, and CPU time per operation. */
export async function loadRows(one: Running, two: Running, loads: Readonly<Record<string, Measure>>) {
  const rows: string[] = [];
  for (const [name, measure] of Object.entries(loads)) {
    for (const service of [one, two]) await measure(service, 1);
    const rounds: (readonly [one: Sample, two: Sample])[] = [];
    for (let round = 0; round < ROUNDS; round += 1)
      rounds.push([await sample(one, measure), await sample(two, measure)]);
    rows.push(row(`${name} a second`, rounds, (found) => found.perSecond));
    rows.push(row(`CPU of the service, ms for 1,000 ${name}`, rounds, (found) => found.cpuMs * 1000));
  }
  return rows;
}

async function sample(service: Running, measure: Measure): Promise<Sample> {
  const before = serverCpuMs(service.pid);
  const perSecond = await measure(service, SECONDS);
  return { perSecond, cpuMs: (serverCpuMs(service.pid) - before) / (perSecond * SECONDS) };
}

/** Formats the two medians and the median of the ratios of the rounds. */
export function row<T>(
  name: string,
  rounds: readonly (readonly [one: T, two: T])[],
  figureOf: (found: T) => number,
): string {
  const ones = rounds.map(([one]) => figureOf(one));
  const twos = rounds.map(([, two]) => figureOf(two));
  const ratios = twos.map((two, index) => two / (ones[index] ?? Number.NaN));
  const spread = rounds.length > 1 ? ` (${fixed(Math.min(...ratios))} to ${fixed(Math.max(...ratios))})` : "";
  return `| ${[name, whole(median(ones)), whole(median(twos)), fixed(median(ratios)) + spread].join(" | ")} |`;
}

export function tableOf(head: readonly string[], rows: readonly string[]): string {
  return [`| ${head.join(" | ")} |`, `|${head.map(() => "---").join("|")}|`, ...rows].join("\n");
}

/** Returns the proportional set size of a process and the descendants: shared pages count once. */
export function memoryMib(pid: number): number {
  const samples = Array.from({ length: 5 }, () => proportionalKib(pid));
  return median(samples) / KIB;
}

function proportionalKib(pid: number): number {
  const own = Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))?.[1]);
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").filter(Boolean);
  return children.reduce((sum, child) => sum + proportionalKib(Number(child)), own);
}
