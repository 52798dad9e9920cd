/** Real PostgreSQL and Redis for the tests, started on first use and shared by all files of a run. */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { type EmbeddedPostgres, freePort, startEmbeddedPostgres } from "../../db/embedded.ts";
import { migrate } from "../../db/migrate.ts";
import { systemClock } from "../../src/base/clock.ts";
import { systemRandom } from "../../src/base/random.ts";
import { deriveKey, sealingKey } from "../../src/base/seal.ts";
import { makeSigningKey } from "../../src/models/signing-key/ring.ts";
import { insertSigningKey } from "../../src/models/signing-key/signing-key.ts";
import { dieWithParent } from "./die-with-parent.ts";
import { findProgram } from "./packages.ts";
import { TEST_SECRET } from "./replica.ts";

const TEMPLATE = "template_migrated";
const stoppers: (() => Promise<void> | void)[] = [];
let cluster: Promise<EmbeddedPostgres> | undefined;
let template: Promise<void> | undefined;
let sharedRedis: Promise<TestRedis> | undefined;
let databases = 0;

/** Registers a function that stops a service after all files have run. */
export function stopLater(stop: () => Promise<void> | void): void {
  stoppers.push(stop);
}

export async function stopServices(): Promise<void> {
  for (const stop of stoppers.splice(0).reverse()) await stop();
}

async function startCluster(): Promise<EmbeddedPostgres> {
  const directory = mkdtempSync(join(tmpdir(), "identity-test-"));
  const server = await startEmbeddedPostgres({
    directory,
    durable: false,
    maxConnections: 400,
    onLog: () => undefined,
  });
  stoppers.push(async () => {
    await server.stop();
    rmSync(directory, { recursive: true, force: true });
  });
  await withSql(server.url, delayAutovacuum);
  return server;
}

/** A part of the suite makes some hundred databases: by default autovacuum visits every database once a minute. */
async function delayAutovacuum(sql: postgres.Sql): Promise<void> {
  await sql`alter system set autovacuum_naptime = '10min'`;
  await sql`select pg_reload_conf()`;
}

async function makeTemplate(url: string): Promise<void> {
  await withSql(url, (sql) => sql.unsafe(`create database ${TEMPLATE}`));
  await migrate(databaseUrl(url, TEMPLATE));
  await withSql(databaseUrl(url, TEMPLATE), insertRing);
}

/**
 * Inserts the key ring of the tests' secret, as the first replica would: the generation of two RSA keys is a fifth of
 * the start-up time.
 */
async function insertRing(sql: postgres.Sql): Promise<void> {
  const sealing = sealingKey(deriveKey(TEST_SECRET, "seal/v1"));
  const keys = { random: systemRandom(systemClock), sealing };
  const [active, next] = await Promise.all([makeSigningKey(keys), makeSigningKey(keys)]);
  const at = new Date();
  await insertSigningKey(sql, sealing.id, active, "active", at);
  await insertSigningKey(sql, sealing.id, next, "next", at);
}

function databaseUrl(url: string, name: string): string {
  return url.replace(/\/[^/]*$/, `/${name}`);
}

async function withSql<T>(url: string, work: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined });
  try {
    return await work(sql);
  } finally {
    await sql.end();
  }
}

/** Returns the address of the PostgreSQL that all files share. The first migrated database makes the template. */
export async function sharedServerUrl(): Promise<string> {
  cluster ??= startCluster();
  return (await cluster).url;
}

/**
 * Creates a database and returns the address. Unless `kind` is `empty`, the database is migrated and has the signing
 * keys that all test databases share.
 */
export async function freshDatabase(kind: "migrated" | "empty" = "migrated"): Promise<string> {
  const url = await sharedServerUrl();
  if (kind === "migrated") {
    template ??= makeTemplate(url);
    await template;
  }
  databases += 1;
  const name = `test_${process.pid}_${databases}`;
  // Copying the files takes two thirds of the CPU of the default strategy, which logs every page.
  const source = kind === "migrated" ? ` template ${TEMPLATE} strategy file_copy` : "";
  await withSql(url, (sql) => sql.unsafe(`create database ${name}${source}`));
  return databaseUrl(url, name);
}

/** Opens a connection for direct access to the database. The end of the run closes the connection. */
export function openSql(url: string): postgres.Sql {
  // Behind a pooler the role has time-outs, which are meant for the service. The driver leaves the number 0 out.
  const connection: Record<string, string> = { statement_timeout: "0", idle_in_transaction_session_timeout: "0" };
  const sql = postgres(url, { max: 2, onnotice: () => undefined, connection });
  stoppers.push(() => sql.end({ timeout: 1 }));
  return sql;
}

export interface TestRedis {
  readonly url: string;
  readonly port: number;
  /** Deletes all data; the server keeps running. */
  empty(): void;
  /** Runs a command of Redis. */
  command(...words: readonly string[]): void;
  /** Sends SIGKILL: all data is lost. */
  kill(): Promise<void>;
  /** Starts the server again on the same port, empty. */
  restart(): Promise<void>;
}

/** Returns the Redis of files that neither kill nor empty Redis: `REDIS_URL`, or a Redis that the run starts. */
export async function redisUrl(): Promise<string> {
  if (process.env.REDIS_URL) return process.env.REDIS_URL;
  sharedRedis ??= startRedis();
  return (await sharedRedis).url;
}

/** Starts a separate Redis for tests that kill or empty Redis. `settings`: additional arguments of the command line. */
export async function startRedis(settings: readonly string[] = []): Promise<TestRedis> {
  const binary = findProgram("redis");
  const port = await freePort();
  const directory = mkdtempSync(join(tmpdir(), "identity-redis-"));
  const basics = [
    "--port",
    String(port),
    "--bind",
    "127.0.0.1",
    "--save",
    "",
    "--appendonly",
    "no",
    "--dir",
    directory,
  ];
  const args = [...basics, ...settings];
  let child = await launch(binary, args);
  const gone = () =>
    new Promise((exited) => ((child.exitCode ?? child.signalCode) ? exited(0) : child.once("exit", exited)));
  stoppers.push(async () => {
    child.kill("SIGKILL");
    await gone();
    rmSync(directory, { recursive: true, force: true });
  });
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    empty: () => void Bun.spawnSync([clientOf(binary), "-p", String(port), "flushall"]),
    command: (...words) => void Bun.spawnSync([clientOf(binary), "-p", String(port), ...words]),
    async kill() {
      child.kill("SIGKILL");
      await gone();
    },
    async restart() {
      child = await launch(binary, args);
    },
  };
}

/** Returns the command-line client beside a server: redis-cli, or valkey-cli. */
function clientOf(server: string): string {
  return server.replace(/-server$/, "-cli");
}

/** Starts three nodes that share the slots of a cluster; returns the address of the first node. */
export async function startRedisCluster(): Promise<string> {
  const binary = findProgram("redis");
  const nodes = await Promise.all([0, 1, 2].map(() => startNode(binary)));
  const addresses = nodes.map((port) => `127.0.0.1:${port}`);
  const made = Bun.spawnSync([clientOf(binary), "--cluster", "create", ...addresses, "--cluster-yes"]);
  if (made.exitCode !== 0) throw new Error(`the cluster was not made: ${made.stdout}${made.stderr}`);
  return `redis://${addresses[0]}?cluster=true`;
}

async function startNode(binary: string): Promise<number> {
  const port = await freePort();
  const directory = mkdtempSync(join(tmpdir(), "identity-redis-"));
  const args = ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--dir", directory];
  // The nodes communicate on a separate port; the default (10,000 above the port) may exceed the range.
  const clustered = ["--cluster-enabled", "yes", "--cluster-port", String(await freePort())];
  const child = await launch(binary, [...args, ...clustered]);
  stoppers.push(() => {
    child.kill("SIGKILL");
    rmSync(directory, { recursive: true, force: true });
  });
  return port;
}

/** Starts a program and waits for the line `ready`. */
export function launch(binary: string, args: readonly string[], ready = "Ready to accept connections") {
  const child = spawn(...dieWithParent(binary, args), { stdio: ["ignore", "pipe", "inherit"] });
  return new Promise<typeof child>((started, failed) => {
    child.once("exit", (code) => failed(new Error(`${binary} stopped with ${code}`)));
    child.stdout.on("data", (text) => String(text).includes(ready) && started(child));
  });
}

process.on("exit", () => {
  for (const stop of stoppers) void stop();
});
