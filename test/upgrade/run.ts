/**
 * `npm run test:upgrade [-- --users=10000 --records=100000] [--write]` rehearses the upgrade from 0.1.0 (G249): two
 * replicas of 0.1.0 serve under load on a filled database; this version migrates, replaces one replica, gives the place
 * back to 0.1.0 without a change of the database, and replaces both. No request may fail, and no acknowledged result
 * may be lost. Then the database is restored to a point in time. `--write` writes the times of the migrations into
 * docs/upgrading.md. The rehearsal of a large deployment: `-- --users=1000000 --records=10000000`.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import postgres from "postgres";
import { startEmbeddedPostgres } from "../../db/embedded.ts";
import { Ledger } from "../faults/ledger.ts";
import { killReplicas } from "../support/replica.ts";
import { endWithNpm, watchRun } from "../support/run-watcher.ts";
import { redisUrl, stopServices } from "../support/services.ts";
import { migrateBy010 } from "../support/version-0.1.0.ts";
import { fillDatabase } from "./fill.ts";
import { type Release, Releases } from "./releases.ts";
import { archiveWal, rehearseRestore } from "./restore.ts";
import { type LockedTable, migrateTimed, type TimedMigration, type TimedRun } from "./timed-migrations.ts";

const DOCUMENT = join(import.meta.dir, "../../docs/upgrading.md");
const PEOPLE = 6;
const PAUSE_MS = 20;
/** The load between two steps. */
const STEP_MS = 5_000;
/** Migrations below this time are summed up in one line of the table. */
const LISTED_FROM_MS = 20;

watchRun();
endWithNpm();
const { values } = parseArgs({
  args: process.argv.slice(2),
  options: {
    users: { type: "string", default: "10000" },
    records: { type: "string", default: "100000" },
    write: { type: "boolean", default: false },
  },
});
const [users, records] = [Number(values.users), Number(values.records)];
const directory = mkdtempSync(join(tmpdir(), "identity-upgrade-"));
const start = () => startEmbeddedPostgres({ directory, durable: true, maxConnections: 100, onLog: () => undefined });
const first = await start();
await archiveWal(directory, first.url);
await first.stop();
const server = await start();
const sql = postgres(server.url, { max: 2, onnotice: () => undefined });
await step("migrations of 0.1.0", async () => migrateBy010(server.url));
await step(`${users} users, ${records} audit records`, () => fillDatabase(sql, users, records));

const releases = await Releases.start({ DATABASE_URL: server.url, REDIS_URL: await redisUrl() });
const ledger = new Ledger();
ledger.start({ url: releases.balancer.url, replicas: [], people: PEOPLE, pauseMs: PAUSE_MS, seed: 1 });
await Bun.sleep(STEP_MS);
const timed = await step("migrations of this version, under load of 0.1.0", () => migrateTimed(server.url));
const order: readonly (readonly [number, Release])[] = [
  [0, "this version"],
  [0, "0.1.0"],
  [0, "this version"],
  [1, "this version"],
];
for (const [index, release] of order) {
  await step(`replica ${index}: ${release}`, () => releases.replace(index, release));
  await Bun.sleep(STEP_MS);
}
await ledger.stop();
const { ok, refused, failed, unknown } = ledger.sent;
console.log(
  `ledger: ${ok} ok, ${refused} refused, ${failed} failed, ${unknown} unknown; slowest ${ms(ledger.slowestMs)}`,
);
const findings = [
  ...(await ledger.missing(sql)).map((lost) => `lost: ${lost}`),
  ...ledger.violations,
  ...ledger.failures,
  ...(await step("base backup and restore to a point in time", () =>
    rehearseRestore(directory, server.url, releases.balancer.url),
  )),
];
await releases.stop();
await sql.end();
await server.stop();
killReplicas();
await stopServices();
rmSync(directory, { recursive: true, force: true });
const table = tableOf(timed);
console.log(table);
if (values.write) writeTable(table);
for (const finding of findings) console.error(`  ${finding}`);
process.exit(findings.length > 0 ? 1 : 0);

async function step<T>(what: string, work: () => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  const result = await work();
  console.log(`${what}: ${ms(performance.now() - startedAt)} (at ${new Date().toISOString()})`);
  return result;
}

function ms(milliseconds: number): string {
  return milliseconds < 1_000 ? `${milliseconds.toFixed(0)} ms` : `${(milliseconds / 1_000).toFixed(1)} s`;
}

function tableOf({ migrations, repetitions }: TimedRun): string {
  const isListed = ({ milliseconds, blocksReaders, blocksWriters }: TimedMigration) =>
    milliseconds >= LISTED_FROM_MS || longestOf([...blocksReaders, ...blocksWriters]) >= LISTED_FROM_MS;
  const rest = migrations.filter((migration) => !isListed(migration));
  const total = (list: readonly TimedMigration[]) => list.reduce((sum, { milliseconds }) => sum + milliseconds, 0);
  const locked = (tables: readonly LockedTable[]) =>
    tables.map(({ table, milliseconds }) => `${table} ${ms(milliseconds)}`).join(", ") || "–";
  const rows = migrations.filter(isListed).map(({ name, milliseconds, blocksWriters, blocksReaders }) => {
    return `| ${[`\`${name}\``, ms(milliseconds), locked(blocksReaders), locked(blocksWriters)].join(" | ")} |`;
  });
  const all = migrations.flatMap(({ blocksReaders, blocksWriters }) => [...blocksReaders, ...blocksWriters]);
  const brief = `below ${LISTED_FROM_MS} ms`;
  const load = `${ledger.sent.ok} requests meanwhile and during the replacement of replicas, ${failures()} failed`;
  return [
    `${users} users, ${records} audit records, two cores shared with the load; in all ${ms(total(migrations))}, the ` +
      `longest lock ${ms(longestOf(all))}, ${repetitions} repetitions behind a lock; ${load}, the slowest ` +
      `${ms(ledger.slowestMs)}.`,
    "",
    "| Migration | Time | Locked against readers and writers | Locked against writers |",
    "| --- | --- | --- | --- |",
    ...rows,
    `| ${[`${rest.length} further migrations`, ms(total(rest)), brief, brief].join(" | ")} |`,
  ].join("\n");
}

function longestOf(tables: readonly LockedTable[]): number {
  return Math.max(0, ...tables.map(({ milliseconds }) => milliseconds));
}

function failures(): number {
  return ledger.sent.failed + ledger.sent.unknown;
}

function writeTable(table: string): void {
  const marked = /<!-- migrations -->[\s\S]*<!-- \/migrations -->/;
  const text = readFileSync(DOCUMENT, "utf8");
  writeFileSync(
    DOCUMENT,
    text.replace(marked, () => `<!-- migrations -->\n${table}\n<!-- /migrations -->`),
  );
}
