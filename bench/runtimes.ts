/**
 * `npm run bench:runtimes` compares a replica on Deno with a replica on Bun in a single run, alternately: session
 * checks, refreshes and sign-ins per second, CPU time, start and memory. Writes the table of docs/performance.md.
 */
import { availableParallelism } from "node:os";
import { denoCommand } from "../test/support/deno.ts";
import {
  BUN_SERVICE,
  registerAccounts,
  requestsPerSecond,
  SERVICE_ENV,
  type Servers,
  serve,
  withServers,
} from "./harness.ts";
import { load } from "./run-load.ts";
import { loadRows, memoryMib, row, tableOf } from "./side-by-side.ts";
import { writeTable } from "./tables.ts";

const CONNECTIONS = 32;
const CLIENTS = 16;
const STARTS = 5;

const table = await withServers(compare);
writeTable("docs/performance.md", "runtimes", table);
console.log(table);
process.exit(0);

async function compare({ databaseUrl, redisUrl }: Servers): Promise<string> {
  const env = { ...SERVICE_ENV, DATABASE_URL: databaseUrl, REDIS_URL: redisUrl, SERVICE_HASH_WORKERS: "2" };
  const start = (command: readonly string[]) => serve(env, command);
  const startMs = async (command: readonly string[]) => {
    const startedAt = performance.now();
    const service = await start(command);
    const elapsed = performance.now() - startedAt;
    await service.stop();
    return elapsed;
  };
  // The first start on Deno fills the cache of transpiled modules.
  await startMs(denoCommand());
  const starts: (readonly [bun: number, deno: number])[] = [];
  for (let round = 0; round < STARTS; round += 1)
    starts.push([await startMs(BUN_SERVICE), await startMs(denoCommand())]);
  const bun = await start(BUN_SERVICE);
  const deno = await start(denoCommand());
  let accounts = await registerAccounts(bun.url, 64);
  const rest = [memoryMib(bun.pid), memoryMib(deno.pid)] as const;
  const rows = await loadRows(bun, deno, {
    "session checks": ({ url }, seconds) =>
      requestsPerSecond(`${url}/v1/auth/session`, seconds, CONNECTIONS, accounts[0]?.accessToken),
    refreshes: async ({ url }, seconds) => {
      const { perSecond, accounts: refreshed } = await load("refresh", url, CLIENTS, seconds, accounts);
      accounts = refreshed;
      return perSecond;
    },
    "sign-ins": async ({ url }, seconds) => (await load("login", url, CLIENTS, seconds, accounts)).perSecond,
  });
  const loaded = [memoryMib(bun.pid), memoryMib(deno.pid)] as const;
  await bun.stop();
  await deno.stop();
  rows.push(
    row("ready after start, ms", starts, Number),
    row("memory at rest, MiB", [rest], Number),
    row("memory after the load, MiB", [loaded], Number),
  );
  return tableOf([`On ${availableParallelism()} cores`, "Bun", "Deno", "Deno against Bun (least to most)"], rows);
}
