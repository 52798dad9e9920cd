/** Servers, processes and medians for all lines of the benchmark. All servers listen on loopback. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import postgresJs from "postgres";
import { freePort, startEmbeddedPostgres } from "../db/embedded.ts";
import { migrate } from "../db/migrate.ts";

const ROOT = join(import.meta.dir, "..");
export const PASSWORD = "correct horse battery staple";
/** Default cost of Argon2id, rate limits off (docs/performance.md). */
export const SERVICE_ENV = {
  NODE_ENV: "production",
  HOST: "127.0.0.1",
  SERVICE_PUBLIC_BASE_URL: "http://localhost:3000",
  SERVICE_JWT_SECRET: "a root secret for the bench that is long enough",
  SERVICE_RATE_LIMITS: "off",
};

/** A row of the table. */
export interface Row {
  readonly line: string;
  readonly work: string;
  readonly measured: string;
  readonly compared: string;
  readonly ratio: string;
  readonly goal: string;
  readonly reached: boolean;
  /** The number that is compared with the goal. The table displays the run with the median score. */
  readonly score: number;
  /** CPU time per operation, if measured. */
  readonly cpu?: string;
}

/** Sizes of the seeded data sets. */
export interface Scale {
  readonly users: number;
  readonly auditRows: number;
  readonly exportRows: number;
  readonly exportRowsMany: number;
  readonly importUsers: number;
}

export interface Bench {
  readonly databaseUrl: string;
  /** An empty database on the same server, for the peer. */
  readonly peerDatabaseUrl: string;
  readonly redisUrl: string;
  readonly postgresPid: number;
  readonly redisPid: number;
  readonly rounds: number;
  /** Divisor of the duration of each load. */
  readonly hurry: number;
  readonly scale: Scale;
}

const children = new Set<ChildProcess>();
process.on("exit", () => {
  for (const child of children) child.kill("SIGKILL");
});

export function spawnBun(
  script: string,
  args: readonly string[],
  env: Record<string, string | undefined> = {},
): ChildProcess {
  return spawnProgram([process.execPath, resolve(ROOT, script), ...args], env);
}

function spawnProgram([program = "", ...args]: readonly string[], env: Record<string, string | undefined>) {
  const child = spawn(program, args, {
    cwd: ROOT,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env } as NodeJS.ProcessEnv,
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.add(child);
  child.once("exit", () => children.delete(child));
  return child;
}

/** Runs a script to the end and returns the JSON of the last output line. */
export async function runJson<T>(script: string, args: readonly (string | number)[]): Promise<T> {
  // By default Bun's fetch queues requests beyond 256 inside the client, which would count as latency of the server.
  const child = spawnBun(script, args.map(String), { BUN_CONFIG_MAX_HTTP_REQUESTS: "4000" });
  let output = "";
  for await (const text of child.stdout ?? []) output += text;
  return JSON.parse(output.trim().split("\n").at(-1) ?? "") as T;
}

export interface Running {
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
}

/** Starts a script and waits for the output line with the address. */
export async function startProcess(
  script: string,
  args: readonly string[],
  env: Record<string, string | undefined>,
): Promise<Running> {
  const child = spawnBun(script, args, env);
  const url = await new Promise<string>((found, failed) => {
    let output = "";
    child.stdout?.on("data", (text) => {
      output += text;
      const address = /"url":"([^"]+)"/.exec(output)?.[1];
      if (address) found(address);
    });
    child.once("exit", (code) => failed(new Error(`${script} stopped with ${code}: ${output}`)));
  });
  return running(child, url);
}

function running(child: ChildProcess, url: string): Running {
  return {
    url,
    pid: child.pid ?? 0,
    stop() {
      const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
      child.kill("SIGTERM");
      return ended;
    },
  };
}

/** Starts a replica and waits until it is ready. */
export function startService(
  bench: Pick<Bench, "databaseUrl" | "redisUrl">,
  env: Record<string, string> = {},
): Promise<Running> {
  return serve({ ...SERVICE_ENV, DATABASE_URL: bench.databaseUrl, REDIS_URL: bench.redisUrl, ...env });
}

export interface RunningBesideEmptyRoute extends Running {
  /** Address of an empty route for GET and POST in the process of the replica. */
  readonly emptyUrl: string;
}

/** Starts a replica whose process serves an empty route too (`empty-route.ts`). */
export async function startServiceWithEmptyRoute(
  bench: Pick<Bench, "databaseUrl" | "redisUrl">,
  more: Record<string, string> = {},
): Promise<RunningBesideEmptyRoute> {
  const port = await freePort();
  const env = {
    ...more,
    DATABASE_URL: bench.databaseUrl,
    REDIS_URL: bench.redisUrl,
    BENCH_EMPTY_ROUTE_PORT: String(port),
  };
  const [program = "", main = ""] = BUN_SERVICE;
  const command = [program, "--preload", join(ROOT, "bench/empty-route.ts"), main];
  return { ...(await serve({ ...SERVICE_ENV, ...env }, command)), emptyUrl: `http://127.0.0.1:${port}/` };
}

/** Starts a replica with an embedded database and no Redis. */
export function startEmbeddedService(dataDirectory: string): Promise<Running> {
  return serve({ NODE_ENV: "production", SERVICE_DATA_DIRECTORY: dataDirectory });
}

/** The command line of the service before its arguments. */
export const BUN_SERVICE: readonly string[] = [process.execPath, join(ROOT, "src/main.ts")];

/** Starts a replica and waits until it is ready. */
export async function serve(env: Record<string, string>, command = BUN_SERVICE): Promise<Running> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  // At `warn`, as under load in production. The line with the address is logged at `info`, so the port is chosen here.
  const child = spawnProgram([...command, "serve"], { SERVICE_LOG_LEVEL: "warn", PORT: String(port), ...env });
  while (
    !(await fetch(`${url}/readyz`).then(
      (response) => response.ok,
      () => false,
    ))
  ) {
    if (child.exitCode !== null) throw new Error(`the service stopped with ${child.exitCode}`);
    await Bun.sleep(2);
  }
  return running(child, url);
}

export type Servers = Omit<Bench, "rounds" | "hurry" | "scale">;

/** Runs PostgreSQL (fsync on) and Redis during `work`. */
export async function withServers<T>(work: (servers: Servers) => Promise<T>): Promise<T> {
  const directory = mkdtempSync(join(tmpdir(), "identity-bench-"));
  const postgres = await startEmbeddedPostgres({
    directory,
    durable: true,
    maxConnections: 100,
    onLog: () => undefined,
  });
  const port = await freePort();
  const redis = spawn("redis-server", ["--port", String(port), "--bind", "127.0.0.1", "--save", ""], {
    stdio: "ignore",
  });
  children.add(redis);
  try {
    await migrate(postgres.url);
    await Bun.sleep(300);
    const peerDatabaseUrl = await createDatabase(postgres.url, "peer");
    return await work({
      databaseUrl: postgres.url,
      peerDatabaseUrl,
      redisUrl: `redis://127.0.0.1:${port}`,
      postgresPid: postgres.pid,
      redisPid: redis.pid ?? 0,
    });
  } finally {
    redis.kill("SIGKILL");
    await postgres.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Creates an empty database on the server of `url` and replaces one of the same name. */
export async function createDatabase(url: string, name: string): Promise<string> {
  const sql = postgresJs(url, { max: 1, onnotice: () => undefined });
  await sql.unsafe(`drop database if exists ${name} with (force)`);
  await sql.unsafe(`create database ${name}`);
  await sql.end();
  return url.replace(/\/[^/]*$/, `/${name}`);
}

/** GET requests per second of one route, measured by wrk. */
export function requestsPerSecond(url: string, seconds: number, connections: number, bearer?: string): number {
  const header = bearer ? ["-H", `Authorization: Bearer ${bearer}`] : [];
  const output = execFileSync("wrk", ["-t1", `-c${connections}`, `-d${seconds}s`, ...header, url], {
    encoding: "utf8",
  });
  if (/Non-2xx/.test(output)) throw new Error(`wrk saw refusals at ${url}:\n${output}`);
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(output)?.[1]);
}

export interface Account {
  readonly email: string;
  readonly accessToken: string;
  readonly refreshToken: string;
}

/** Registers accounts at the service. */
export async function registerAccounts(url: string, count: number): Promise<Account[]> {
  const run = Math.random().toString(36).slice(2);
  const accounts: Account[] = [];
  // A few at a time: on a busy machine the last of many hashes would miss its deadline.
  for (let first = 0; first < count; first += 8) {
    const batch = Array.from({ length: Math.min(8, count - first) }, (_, index) => `${run} ${first + index}`);
    accounts.push(...(await Promise.all(batch.map((name) => registerAccount(url, name)))));
  }
  return accounts;
}

async function registerAccount(url: string, name: string): Promise<Account> {
  const email = `bench-${name.replace(" ", "-")}@example.test`;
  const response = await fetch(`${url}/v1/auth/register`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ organization_name: `Bench ${name}`, email, password: PASSWORD }),
  });
  if (response.status !== 201) throw new Error(`registration returned ${response.status}`);
  const body = (await response.json()) as { access_token: string };
  const refreshToken = /service_rt=([^;]+)/.exec(response.headers.getSetCookie().join(";"))?.[1] ?? "";
  return { email, accessToken: body.access_token, refreshToken };
}

/** Registers accounts at the peer. */
export async function registerPeerAccounts(url: string, count: number): Promise<Account[]> {
  const run = Math.random().toString(36).slice(2);
  return await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const email = `peer-${run}-${index}@example.test`;
      const response = await fetch(`${url}/api/auth/sign-up/email`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ name: "Peer", email, password: PASSWORD }),
      });
      const { token } = (await response.json()) as { token: string };
      return { email, accessToken: token, refreshToken: "" };
    }),
  );
}

/** Returns the middle value, or the mean of two middle values: the larger value of two rounds is no median. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const [upper, lower] = [sorted.length >> 1, (sorted.length - 1) >> 1];
  return ((sorted[lower] ?? Number.NaN) + (sorted[upper] ?? Number.NaN)) / 2;
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Alternates two measurements (A B A B …), so that a slow phase of the machine affects both. */
export async function alternate(rounds: number, a: () => Promise<number>, b: () => Promise<number>) {
  const as: number[] = [];
  const bs: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    as.push(await a());
    bs.push(await b());
  }
  return { a: median(as), b: median(bs), ratio: median(as.map((value, index) => value / (bs[index] ?? Number.NaN))) };
}

export const whole = (value: number) => Math.round(value).toLocaleString("en");
export const fixed = (value: number) => value.toFixed(2);
