/**
 * `bun bench/processes.ts` compares SERVICE_PROCESSES=1 with 2 in a single run, alternately: session checks and
 * sign-ins per second, CPU time, and memory. Writes the table of docs/capacity.md.
 */
import { availableParallelism } from "node:os";
import {
  type Running,
  registerAccounts,
  requestsPerSecond,
  type Servers,
  startService,
  withServers,
} from "./harness.ts";
import { load } from "./run-load.ts";
import { loadRows, memoryMib, row, tableOf } from "./side-by-side.ts";
import { writeTable } from "./tables.ts";

const CONNECTIONS = 32;
/** More clients would exceed the hash queue of a busy machine. */
const CLIENTS = 16;

const table = await withServers(compare);
writeTable("docs/capacity.md", "processes", table);
console.log(table);
process.exit(0);

async function compare(servers: Servers): Promise<string> {
  const one = await startService(servers, { SERVICE_PROCESSES: "1" });
  const two = await startService(servers, { SERVICE_PROCESSES: "2" });
  await bothServe(two);
  const accounts = await registerAccounts(one.url, 64);
  const rest = [memoryMib(one.pid), memoryMib(two.pid)] as const;
  const rows = await loadRows(one, two, {
    "session checks": ({ url }, seconds) =>
      requestsPerSecond(`${url}/v1/auth/session`, seconds, CONNECTIONS, accounts[0]?.accessToken),
    "sign-ins": async ({ url }, seconds) => (await load("login", url, CLIENTS, seconds, accounts)).perSecond,
  });
  const loaded = [memoryMib(one.pid), memoryMib(two.pid)] as const;
  rows.push(row("memory at rest, MiB", [rest], Number), row("memory after the load, MiB", [loaded], Number));
  await one.stop();
  await two.stop();
  const head = [`On ${availableParallelism()} cores`, "1 process", "2 processes", "2 against 1 (least to most)"];
  return tableOf(head, rows);
}

/** Waits for the second process: a late process would miss the first round. */
async function bothServe({ url }: Running): Promise<void> {
  const up = async () => (await (await fetch(`${url}/metrics`)).text()).match(/^service_process_up\S+ 1$/gm)?.length;
  while ((await up()) !== 2) await Bun.sleep(100);
}
