/**
 * `bun bench/processes.ts`: SERVICE_PROCESSES=1 against 2 in the same run, alternately: session checks and sign-ins
 * per second, their CPU time, and memory. Writes the table of docs/capacity.md.
 */
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { serverCpuMs } from "./cpu.ts";
import {
  fixed,
  median,
  type Running,
  registerAccounts,
  requestsPerSecond,
  type Servers,
  startService,
  whole,
  withServers,
} from "./harness.ts";
import { load } from "./run-load.ts";
import { writeTable } from "./tables.ts";

const ROUNDS = 5;
const SECONDS = 3;
const CONNECTIONS = 32;
/** More would exceed the hash queue of a busy machine. */
const CLIENTS = 16;
const KIB = 1024;

const table = await withServers(compare);
writeTable("docs/capacity.md", "processes", table);
console.log(table);
process.exit(0);

async function compare(servers: Servers): Promise<string> {
  const one = await startService(servers, { SERVICE_PROCESSES: "1" });
  const two = await startService(servers, { SERVICE_PROCESSES: "2" });
  await bothServe(two);
  const accounts = await registerAccounts(one.url, 64);
  const bearer = accounts[0]?.accessToken ?? "";
  const checks = (service: Running, seconds: number) =>
    requestsPerSecond(`${service.url}/v1/auth/session`, seconds, CONNECTIONS, bearer);
  const signIns = async (service: Running, seconds: number) =>
    (await load("login", service.url, CLIENTS, seconds, accounts)).perSecond;
  const rest = [memoryMib(one.pid), memoryMib(two.pid)] as const;
  const rows: string[] = [];
  for (const [name, measure] of [
    ["session checks", async (service: Running, seconds: number) => checks(service, seconds)],
    ["sign-ins", signIns],
  ] as const) {
    for (const service of [one, two]) await measure(service, 1);
    const rounds: (readonly [one: Sample, two: Sample])[] = [];
    for (let round = 0; round < ROUNDS; round += 1)
      rounds.push([await sample(one, measure), await sample(two, measure)]);
    rows.push(row(`${name} a second`, rounds, (found) => found.perSecond));
    rows.push(row(`CPU of the service, ms for 1,000 ${name}`, rounds, (found) => found.cpuMs * 1000));
  }
  const loaded = [memoryMib(one.pid), memoryMib(two.pid)] as const;
  rows.push(row("memory at rest, MiB", [rest], Number), row("memory after the load, MiB", [loaded], Number));
  await one.stop();
  await two.stop();
  const head = [`On ${availableParallelism()} cores`, "1 process", "2 processes", "2 against 1 (least to most)"];
  return [`| ${head.join(" | ")} |`, `|${head.map(() => "---").join("|")}|`, ...rows].join("\n");
}

interface Sample {
  readonly perSecond: number;
  /** Of the service for one operation, its supervisor included. */
  readonly cpuMs: number;
}

async function sample(
  service: Running,
  measure: (service: Running, seconds: number) => Promise<number>,
): Promise<Sample> {
  const before = serverCpuMs(service.pid);
  const perSecond = await measure(service, SECONDS);
  return { perSecond, cpuMs: (serverCpuMs(service.pid) - before) / (perSecond * SECONDS) };
}

/** Medians of both, and of the ratio in each round. */
function row<T>(name: string, rounds: readonly (readonly [one: T, two: T])[], figureOf: (found: T) => number): string {
  const ones = rounds.map(([one]) => figureOf(one));
  const twos = rounds.map(([, two]) => figureOf(two));
  const ratios = twos.map((two, index) => two / (ones[index] ?? Number.NaN));
  const spread = rounds.length > 1 ? ` (${fixed(Math.min(...ratios))} to ${fixed(Math.max(...ratios))})` : "";
  return `| ${[name, whole(median(ones)), whole(median(twos)), fixed(median(ratios)) + spread].join(" | ")} |`;
}

/** A process that started later would miss the first round. */
async function bothServe({ url }: Running): Promise<void> {
  const up = async () => (await (await fetch(`${url}/metrics`)).text()).match(/^service_process_up\S+ 1$/gm)?.length;
  while ((await up()) !== 2) await Bun.sleep(100);
}

/** The proportional set size of a process and its descendants: pages that they share count once. */
function memoryMib(pid: number): number {
  const samples = Array.from({ length: 5 }, () => proportionalKib(pid));
  return median(samples) / KIB;
}

function proportionalKib(pid: number): number {
  const own = Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))?.[1]);
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").filter(Boolean);
  return children.reduce((sum, child) => sum + proportionalKib(Number(child)), own);
}
