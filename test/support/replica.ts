import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { allowsReceivers } from "./certificate.ts";
import { denoCommand } from "./deno.ts";
import { dieWithParent, leashIsPresent } from "./die-with-parent.ts";
import { runVariable } from "./run-watcher.ts";
import { BUILD_VARIABLE } from "./service-build.ts";

const ROOT = join(import.meta.dir, "../..");
const START_DEADLINE_MS = 150_000;

export const TEST_SECRET = "a root secret for tests that is long enough";
export const ISSUER = "http://localhost:3000";
/**
 * Each replica may also call the webhook receivers of this machine (`allowsReceivers`): any replica on a database
 * leases deliveries, and a replica without the permission would fail the deliveries of the other replicas.
 */
const DEFAULTS = { PORT: "0", SERVICE_RATE_LIMITS: "off", SERVICE_DATABASE_POOL: "5" };
/** Cheap hashes, because most tests concern other code than the hash. Tests of the cost set the cost. */
export const CHEAP = { SERVICE_ARGON2_MEMORY_KIB: "1024", SERVICE_ARGON2_TIME: "1", SERVICE_HASH_WORKERS: "1" };

/**
 * Settings of JavaScriptCore: no optimizing compiler, and the baseline compiler waits for four times as many calls,
 * since most test processes end after seconds, before compiled code pays off. An idle replica collects no garbage by
 * the timer, a sixth of its CPU.
 */
const LEAN_RUNTIME = {
  BUN_JSC_useDFGJIT: "0",
  BUN_JSC_thresholdForJITAfterWarmUp: "2000",
  BUN_JSC_thresholdForJITSoon: "1000",
  BUN_GC_TIMER_DISABLE: "1",
};

/** A replica in a separate process, as operators run the service. */
export interface Replica {
  readonly url: string;
  readonly pid: number;
  /** The complete output of the process. */
  output(): string;
  /** Resolves with the exit code; -1 after the end by a signal. */
  readonly exited: Promise<number>;
  /** Sends SIGTERM; resolves with the exit code. */
  stop(): Promise<number>;
  kill(): Promise<void>;
  signal(name: NodeJS.Signals): void;
}

/** The owner of a process of the service: a test, the hooks of a file, or the whole run. */
interface Scope {
  readonly file: string;
  readonly test: boolean;
  readonly run: boolean;
}

/** The number of output characters that the report of an unexpected end includes. */
const LAST_WORDS_CHARACTERS = 4_000;

const running = new Map<ChildProcess, Scope>();
let testIsRunning = false;
let startsForTheRun = 0;

/** Ends the processes that tests left running. The suite calls this function after all files. */
export function killReplicas(): void {
  for (const child of running.keys()) child.kill("SIGKILL");
}

/**
 * The suite calls this function before each test. Replicas of earlier files end: thirty idle replicas would use a whole
 * core.
 */
export function enterTest(): void {
  for (const [child, scope] of running) if (!scope.run && scope.file !== Bun.main) child.kill("SIGKILL");
  testIsRunning = true;
}

/** The suite calls this function after each test: replicas that the test started end with the test. */
export function leaveTest(): void {
  testIsRunning = false;
  for (const [child, scope] of running) if (!scope.run && scope.test) child.kill("SIGKILL");
}

/**
 * Replicas that `start` starts run until the end of the last file. All remaining replicas end with the test that
 * started the replica, or with the file of the starting hook.
 */
export async function forTheRun<T>(start: () => Promise<T>): Promise<T> {
  startsForTheRun += 1;
  try {
    return await start();
  } finally {
    startsForTheRun -= 1;
  }
}

/** Returns the ids of the running processes of the service. */
export function replicaPids(): number[] {
  return [...running.keys()].flatMap(({ pid }) => pid ?? []);
}

export type Runtime = "bun" | "deno";

/**
 * With TEST_RUNTIME=deno, services run on Deno, except where a test names the runtime and except for the second replica
 * of a deployment. The variable works for any file of the suite: `TEST_RUNTIME=deno npm test -- <files>`.
 */
const RUNTIME: Runtime = process.env.TEST_RUNTIME === "deno" ? "deno" : "bun";

export interface StartOptions {
  /** The runtime. Default: the value of TEST_RUNTIME, else Bun. */
  readonly runtime?: Runtime;
  /** The size limit of each file of the replica in KiB; a write beyond the limit fails like a write to a full disk. */
  readonly fileKib?: number;
  /** The command that starts the service as the head of a process group. Default: `serve` without a wrapper. */
  readonly command?: readonly string[];
}

export async function startReplica(env: Record<string, string>, options: StartOptions = {}): Promise<Replica> {
  const settings = { ...DEFAULTS, ...CHEAP, ...allowsReceivers(), ...(await behindPooler(await asLeastRole(env))) };
  const child = spawnService(["serve"], settings, options);
  const { output, exited } = follow(child);
  child.once("close", (code, signal) => {
    if (child.killed || code === 0) return;
    const lastWords = output().slice(-LAST_WORDS_CHARACTERS);
    console.error(`replica ${child.pid} ended by itself with ${signal ?? code}:\n${lastWords}`);
  });
  const deadline = Date.now() + START_DEADLINE_MS;
  for (;;) {
    const url = /"url":"([^"]+)","msg":"listening"/.exec(output())?.[1];
    if (url) return replica(child, url, output, exited);
    if (child.exitCode !== null || Date.now() > deadline) throw new Error(`the replica did not start:\n${output()}`);
    await Bun.sleep(10);
  }
}

function replica(child: ChildProcess, url: string, output: () => string, exited: Promise<number>): Replica {
  return {
    url,
    pid: child.pid ?? 0,
    output,
    exited,
    async stop() {
      child.kill("SIGTERM");
      return await exited;
    },
    async kill() {
      child.kill("SIGKILL");
      await exited;
    },
    signal: (name) => void child.kill(name),
  };
}

export interface CommandResult {
  readonly code: number;
  readonly output: string;
}

/** Runs a command of the service to the end. */
export async function runService(args: readonly string[], env: Record<string, string>): Promise<CommandResult> {
  const { output, exited } = follow(spawnService(args, await behindPooler(env)));
  return { code: await exited, output: output() };
}

/**
 * With TEST_DATABASE_POOLER=session or transaction, services reach the PostgreSQL of the tests through PgBouncer; the
 * tests themselves do not. The variable works for any file of the suite: `TEST_DATABASE_POOLER=transaction npm test --
 * <files>`.
 */
async function behindPooler(env: Record<string, string>): Promise<Record<string, string>> {
  const mode = process.env.TEST_DATABASE_POOLER;
  if ((mode !== "session" && mode !== "transaction") || env.SERVICE_DATABASE_POOLER || !env.DATABASE_URL) return env;
  const { throughSharedPooler } = await import("./pgbouncer.ts");
  const url = await throughSharedPooler(env.DATABASE_URL, mode);
  return url === undefined ? env : { ...env, DATABASE_URL: url, SERVICE_DATABASE_POOLER: mode };
}

/**
 * With TEST_DATABASE_ROLE=replica, replicas connect as the role of ops/postgres/roles.sql; the tests themselves do not.
 * The variable works for files with a migrated database: `TEST_DATABASE_ROLE=replica npm test -- test/http`.
 */
async function asLeastRole(env: Record<string, string>): Promise<Record<string, string>> {
  if (process.env.TEST_DATABASE_ROLE !== "replica" || !env.DATABASE_URL?.includes("//service:")) return env;
  const { asReplicaRole } = await import("./database-roles.ts");
  return { ...env, DATABASE_URL: await asReplicaRole(env.DATABASE_URL) };
}

/** Starts a command that the test ends. */
export function startService(args: readonly string[], env: Record<string, string>): Pick<Replica, "stop" | "kill"> {
  const child = spawnService(args, env);
  const { exited } = follow(child);
  return {
    async stop() {
      child.kill("SIGTERM");
      return await exited;
    },
    async kill() {
      child.kill("SIGKILL");
      await exited;
    },
  };
}

function spawnService(args: readonly string[], env: Record<string, string>, options: StartOptions = {}): ChildProcess {
  const { PATH = "", HOME = "", TESTS_WITHOUT_REPLICAS } = process.env;
  if (TESTS_WITHOUT_REPLICAS) throw new Error("a test that starts the service belongs in test/http or test/replicas");
  const base = { NODE_ENV: "production", SERVICE_JWT_SECRET: TEST_SECRET, SERVICE_PUBLIC_BASE_URL: ISSUER };
  const { runtime = RUNTIME } = options;
  const entryPoint = process.env[BUILD_VARIABLE] ?? join(ROOT, "src/main.ts");
  const service = runtime === "deno" ? denoCommand() : [process.execPath, entryPoint];
  const command = options.command ?? [...service, ...args];
  const [program = "", ...rest] = options.fileKib === undefined ? command : withFileLimit(options.fileKib, command);
  const child = spawn(...dieWithParent(program, rest), {
    cwd: ROOT,
    env: { PATH, HOME, ...runVariable(), ...LEAN_RUNTIME, ...base, ...env },
    stdio: ["ignore", "pipe", "pipe"],
    // The process gets a new session, as in a container. The low priority of the workers then counts among the threads
    // of the session only (sched(7), autogroup), and unrelated programs of the machine cannot starve the workers.
    detached: leashIsPresent || options.command !== undefined,
  });
  running.set(child, { file: Bun.main, test: testIsRunning, run: startsForTheRun > 0 });
  return child;
}

/**
 * Bash counts in KiB. The shell ignores the signal, so that a write beyond the limit fails like a write to a full disk.
 */
function withFileLimit(kib: number, command: readonly string[]): string[] {
  return ["bash", "-c", `trap "" XFSZ; ulimit -f ${kib}; exec "$@"`, "-", ...command];
}

function follow(child: ChildProcess): { output: () => string; exited: Promise<number> } {
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
  }
  const exited = new Promise<number>((ended) => {
    child.once("close", (code) => {
      running.delete(child);
      ended(code ?? -1);
    });
  });
  return { output: () => said, exited };
}
