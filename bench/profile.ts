/**
 * `bun bench/profile.ts` profiles the CPU time of the main thread for a sign-in, a refresh and a session check, by the
 * package of the running code. Native functions count as the nearest JavaScript caller. Writes the table of
 * docs/performance.md.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { withCosts } from "./cpu.ts";
import { fixed, registerAccounts, SERVICE_ENV, type Servers, serve, withServers } from "./harness.ts";
import { load } from "./run-load.ts";
import { tableOf } from "./side-by-side.ts";
import { writeTable } from "./tables.ts";

const OPERATIONS = { login: "a sign-in", refresh: "a refresh", session: "a session check" } as const;
type Operation = keyof typeof OPERATIONS;
const CLIENTS = 16;
const WARM_UP_SECONDS = 3;
const SECONDS = 6;
/** The table summarises packages below this share. */
const SMALLEST_SHARE = 0.02;
const OWN = "this service";
const RUNTIME = "the runtime itself";
const OTHERS = "other packages";
const PACKAGE = /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//;
const MAIN = resolve(import.meta.dir, "../src/main.ts");

/** Microseconds by owner. */
type Shares = Map<string, number>;

const table = await withServers(async (servers) => {
  const rows: string[] = [];
  for (const operation of Object.keys(OPERATIONS) as Operation[]) rows.push(await rowOf(servers, operation));
  return tableOf(["Main thread of", "CPU", "by whose code runs"], rows);
});
writeTable("docs/performance.md", "profile", table);
console.log(table);
process.exit(0);

async function rowOf(servers: Servers, operation: Operation): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), "identity-profile-"));
  const env = { ...SERVICE_ENV, DATABASE_URL: servers.databaseUrl, REDIS_URL: servers.redisUrl };
  const service = await serve(env, [process.execPath, "--cpu-prof", `--cpu-prof-dir=${directory}`, MAIN]);
  const first = await registerAccounts(service.url, CLIENTS);
  const { accounts } = await load(operation, service.url, CLIENTS, WARM_UP_SECONDS, first);
  const work = () => load(operation, service.url, CLIENTS, SECONDS, accounts);
  const { costs } = await withCosts(servers, service, SECONDS, work);
  const loadedAt = performance.now();
  await service.stop();
  const stopMs = performance.now() - loadedAt;
  const [file = ""] = readdirSync(directory);
  const shares = sharesOf(JSON.parse(readFileSync(join(directory, file), "utf8")), stopMs * 1000);
  rmSync(directory, { recursive: true });
  return `| ${OPERATIONS[operation]} | ${fixed(costs["main thread"])} ms | ${describe(shares)} |`;
}

interface ProfileNode {
  readonly id: number;
  readonly callFrame: { readonly functionName: string; readonly url: string };
  readonly children?: readonly number[];
}

/** The file format of `--cpu-prof`: times in microseconds, a sample for each delta. */
interface Profile {
  readonly nodes: readonly ProfileNode[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

/**
 * Sums the samples of the load by owner. The load covers the `SECONDS` before the last samples, during which the
 * service stopped.
 */
function sharesOf({ nodes, samples, timeDeltas }: Profile, stopUs: number): Shares {
  const owners = ownersOf(nodes);
  const shares: Shares = new Map();
  let untilEnd = 0;
  for (let index = samples.length - 1; index >= 0 && untilEnd < stopUs + SECONDS * 1e6; index -= 1) {
    const owner = owners.get(samples[index] ?? 0) ?? RUNTIME;
    const delta = timeDeltas[index] ?? 0;
    if (untilEnd >= stopUs) shares.set(owner, (shares.get(owner) ?? 0) + delta);
    untilEnd += delta;
  }
  return shares;
}

/** Returns the owner of each node: the owner of the node's code, or of the nearest caller with an owner. */
function ownersOf(nodes: readonly ProfileNode[]): Map<number, string> {
  const parents = new Map(nodes.flatMap(({ id, children }) => (children ?? []).map((child) => [child, id] as const)));
  const own = new Map(nodes.map(({ id, callFrame }) => [id, ownerOf(callFrame.url)]));
  const find = (id: number | undefined): string =>
    id === undefined ? RUNTIME : (own.get(id) ?? find(parents.get(id)));
  return new Map(nodes.map(({ id }) => [id, find(id)]));
}

function ownerOf(url: string): string | undefined {
  const [, name] = PACKAGE.exec(url) ?? [];
  if (name !== undefined) return name;
  return /\/(src|db)\/[^:]+\.tsx?$/.test(url) ? OWN : undefined;
}

function describe(shares: Shares): string {
  const total = [...shares.values()].reduce((sum, each) => sum + each, 0);
  const grouped: Shares = new Map();
  for (const [name, time] of shares) {
    const key = time / total < SMALLEST_SHARE ? OTHERS : name;
    grouped.set(key, (grouped.get(key) ?? 0) + time);
  }
  const sorted = [...grouped].sort(([, a], [, b]) => b - a);
  return sorted.map(([name, time]) => `${name} ${Math.round((100 * time) / total)} %`).join(", ");
}
