import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { allowsReceivers } from "./certificate.ts";
import { denoCommand } from "./deno.ts";
import { dieWithParent, leashIsPresent } from "./die-with-parent.ts";
import { runVariable } from "./run-watcher.ts";

const ROOT = join(import.meta.dir, "../..");
const START_DEADLINE_MS = 150_000;

export const TEST_SECRET = "a root secret for tests that is long enough";
export const ISSUER = "http://localhost:3000";
/**
 * Each replica may also call the webhook receivers of this machine (`allowsReceivers`): any replica on a database
 * leases deliveries, and a replica without the permission would fail the deliveries of the other replicas.
 */
const DEFAULTS = { PORT: "0", SERVICE_RATE_LIMITS: "off" };
/** Cheap hashes: tests are about what surrounds them. Tests of the cost itself set their own. */
export const CHEAP = { SERVICE_ARGON2_MEMORY_KIB: "1024", SERVICE_ARGON2_TIME: "1", SERVICE_HASH_WORKERS: "1" };

/**
 * Of JavaScriptCore, for functions that run often: the optimizing compiler waits twenty times as long. Most processes
 * of the tests end after seconds, before its work has paid: a seventh of what a start costs.
 */
const OPTIMIZED_LATER = {
  BUN_JSC_thresholdForOptimizeAfterWarmUp: "20000",
  BUN_JSC_thresholdForOptimizeAfterLongWarmUp: "20000",
};

/** A replica as operators run it: a process of its own. */
export interface Replica {
  readonly url: string;
  readonly pid: number;
  /** All that it printed. */
  output(): string;
  /** Resolves with the exit code; -1 when a signal ended it. */
  readonly exited: Promise<number>;
  /** SIGTERM; resolves with the exit code. */
  stop(): Promise<number>;
  kill(): Promise<void>;
  signal(name: NodeJS.Signals): void;
}

/** What a process of the service was started for: a test, the hooks of a file, or the whole run. */
interface Scope {
  readonly file: string;
  readonly test: boolean;
  readonly run: boolean;
}

/** How much of its output is shown of a replica that ended by itself. */
const LAST_WORDS_CHARACTERS = 4_000;

const running = new Map<ChildProcess, Scope>();
let testIsRunning = false;
let startsForTheRun = 0;

/** Ends what tests left running. Called once all files have run. */
export function killReplicas(): void {
  for (const child of running.keys()) child.kill("SIGKILL");
}

/** To be called before each test. Replicas of earlier files end: thirty idle ones would use up a core. */
export function enterTest(): void {
  for (const [child, scope] of running) if (!scope.run && scope.file !== Bun.main) child.kill("SIGKILL");
  testIsRunning = true;
}

/** To be called after each test: the replicas that it started end with it. */
export function leaveTest(): void {
  testIsRunning = false;
  for (const [child, scope] of running) if (!scope.run && scope.test) child.kill("SIGKILL");
}

/**
 * The replicas that `start` starts run until all files have run. All others end with the test that started them, or
 * with the file whose hook did.
 */
export async function forTheRun<T>(start: () => Promise<T>): Promise<T> {
  startsForTheRun += 1;
  try {
    return await start();
  } finally {
    startsForTheRun -= 1;
  }
}

/** The processes of the service that run now. */
export function replicaPids(): number[] {
  return [...running.keys()].flatMap(({ pid }) => pid ?? []);
}

export type Runtime = "bun" | "deno";

/**
 * With TEST_RUNTIME=deno, services run on Deno, except where a test names the runtime and the second replica of a
 * deployment. For any file of the suite: `TEST_RUNTIME=deno npm test -- <files>`.
 */
const RUNTIME: Runtime = process.env.TEST_RUNTIME === "deno" ? "deno" : "bun";

export interface StartOptions {
  /** Default: Bun, or what TEST_RUNTIME says. */
  readonly runtime?: Runtime;
  /** No file of the replica grows beyond this, as on a disk that is full. */
  readonly fileKib?: number;
  /** The command that starts it, as the head of its process group. Default: `serve`, without anything in between. */
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

/** Runs one command of the service to its end. */
export async function runService(args: readonly string[], env: Record<string, string>): Promise<CommandResult> {
  const { output, exited } = follow(spawnService(args, await behindPooler(env)));
  return { code: await exited, output: output() };
}

/**
 * With TEST_DATABASE_POOLER=session or transaction, services reach the PostgreSQL of the tests through PgBouncer; the
 * tests themselves do not. For any file of the suite: `TEST_DATABASE_POOLER=transaction npm test -- <files>`.
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
 * For files whose database is migrated: `TEST_DATABASE_ROLE=replica npm test -- test/http`.
 */
async function asLeastRole(env: Record<string, string>): Promise<Record<string, string>> {
  if (process.env.TEST_DATABASE_ROLE !== "replica" || !env.DATABASE_URL?.includes("//service:")) return env;
  const { asReplicaRole } = await import("./database-roles.ts");
  return { ...env, DATABASE_URL: await asReplicaRole(env.DATABASE_URL) };
}

/** Starts one command, for a test that ends it. */
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
  const service = runtime === "deno" ? denoCommand() : [process.execPath, join(ROOT, "src/main.ts")];
  const command = options.command ?? [...service, ...args];
  const [program = "", ...rest] = options.fileKib === undefined ? command : withFileLimit(options.fileKib, command);
  const child = spawn(...dieWithParent(program, rest), {
    cwd: ROOT,
    env: { PATH, HOME, ...runVariable(), ...OPTIMIZED_LATER, ...base, ...env },
    stdio: ["ignore", "pipe", "pipe"],
    // A session of its own, as in a container: the low priority of its workers then counts among its own threads
    // (sched(7), autogroup), and other programs of the machine do not keep them from running at all.
    detached: leashIsPresent || options.command !== undefined,
  });
  running.set(child, { file: Bun.main, test: testIsRunning, run: startsForTheRun > 0 });
  return child;
}

/** Bash counts in KiB. The signal is ignored, so that a write beyond the limit fails like one to a full disk. */
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
