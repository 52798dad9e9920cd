/** The only file that constructs things: it wires the parts, starts the actors in order and stops them in reverse. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { LRUCache } from "lru-cache";
import postgres from "postgres";
import { type EmbeddedPostgres, runningEmbeddedPostgres, startEmbeddedPostgres } from "../db/embedded.ts";
import { migrate, pendingMigrations } from "../db/migrate.ts";
import packageJson from "../package.json" with { type: "json" };
import { keyRing } from "./actors/key-ring.ts";
import { revocations } from "./actors/revocations.ts";
import { sweeper } from "./actors/sweeper.ts";
import { systemClock } from "./base/clock.ts";
import { type Database, openDatabase } from "./base/database.ts";
import {
  DRAIN_DEADLINE_MS,
  HASH_DEADLINE_MS,
  SIGN_DEADLINE_MS,
  SIGN_QUEUE_MAX,
  SIGN_WORKERS,
  START_RETRY_PAUSE_MAX_MS,
  VERIFIED_TOKENS_MAX,
} from "./base/limits.ts";
import { createLogger, type Logger } from "./base/log.ts";
import { type Loop, startLoop } from "./base/loop.ts";
import { systemRandom } from "./base/random.ts";
import { deriveKey, type SealingKey, sealingKey } from "./base/seal.ts";
import { startTelemetry, type Telemetry } from "./base/telemetry.ts";
import type { Config } from "./config.ts";
import type { Deps } from "./deps.ts";
import { setRole } from "./flows/platform/set-role.ts";
import { startServer } from "./http/server.ts";
import { type HashPool, openHashPool, openSignPool } from "./pool/pool.ts";
import { localState } from "./state/local.ts";
import { redisState } from "./state/redis.ts";
import { type ResilientState, resilientState } from "./state/resilient.ts";

const clock = systemClock;
const random = systemRandom(clock);
const EMBEDDED_CONNECTIONS = 60;
/** How far hash workers step back behind the thread that answers (nice(2)); measured in docs/decisions/0003. */
const HASH_NICE = 19;
const SIGN_NICE = 10;

/** What commands share with the service: the database and what is needed to speak to it. */
export interface Foundation {
  readonly config: Config;
  readonly clock: Deps["clock"];
  readonly random: Deps["random"];
  readonly log: Logger;
  readonly telemetry: Telemetry;
  readonly databaseUrl: string;
  readonly database: Database;
  /** Seals what rows keep secret; its id names this deployment's key ring. */
  readonly sealing: SealingKey;
  readonly csrfKey: Buffer;
  readonly codeKey: Buffer;
  close(): Promise<void>;
}

export interface FoundationOptions {
  readonly logLevel: string;
  /** A command may use the embedded database of a service that runs; a second service may not. */
  readonly attach: boolean;
}

/** Opens the database, starting the embedded one where none is configured. */
export async function openFoundation(config: Config, options: FoundationOptions): Promise<Foundation> {
  const telemetry = await startTelemetry({
    serviceName: "identity-service",
    serviceVersion: packageJson.version,
    clock,
    traces: config.telemetry.traces,
    otlpMetrics: config.telemetry.otlpMetrics,
  });
  const pretty = !config.production && process.stdout.isTTY;
  const log = await createLogger({
    level: options.logLevel,
    pretty,
    traceIds: telemetry.tracing ? telemetry.activeIds : () => undefined,
  });
  const embedded = config.embedded ? await openEmbedded(config, log, options.attach) : undefined;
  const databaseUrl = config.database.url ?? embedded?.url ?? "";
  const rootSecret = config.jwtSecret ?? readOrMakeSecret(config.dataDirectory);
  const database = openDatabase({ url: databaseUrl, connections: config.database.connections, telemetry });
  return {
    config,
    clock,
    random,
    log,
    telemetry,
    databaseUrl,
    database,
    sealing: sealingKey(deriveKey(rootSecret, "seal/v1")),
    csrfKey: deriveKey(rootSecret, "csrf/v1"),
    codeKey: deriveKey(rootSecret, "codes/v1"),
    async close() {
      await database.close();
      await embedded?.stop();
      await telemetry.shutdown();
    },
  };
}

async function openEmbedded(
  config: Config,
  log: Logger,
  attach: boolean,
): Promise<Pick<EmbeddedPostgres, "url" | "stop">> {
  const running = attach ? runningEmbeddedPostgres(config.dataDirectory) : undefined;
  if (running) return { url: running, stop: async () => undefined };
  return await startEmbeddedPostgres({
    directory: config.dataDirectory,
    durable: true,
    maxConnections: EMBEDDED_CONNECTIONS,
    onLog: (line) => log.trace({ postgres: line }, "embedded PostgreSQL"),
  });
}

/** Embedded mode makes its root secret once and keeps it, so that sessions outlive a restart (decisions, section 2). */
function readOrMakeSecret(dataDirectory: string): string {
  const file = join(dataDirectory, "jwt-secret");
  mkdirSync(dataDirectory, { recursive: true });
  if (!existsSync(file)) writeFileSync(file, random.bytes(48).toString("base64url"), { mode: 0o600, flag: "wx" });
  return readFileSync(file, "utf8").trim();
}

export interface RunningApp {
  readonly url: string;
  readonly log: Logger;
  /** Readiness says 503, requests under way finish, then everything stops in reverse order (decisions, section 10). */
  drain(): Promise<void>;
}

/** Starts the service: migrations in embedded mode, actors, pools, then the listener. */
export async function startApp(config: Config): Promise<RunningApp> {
  const foundation = await openFoundation(config, { logLevel: config.logLevel, attach: false });
  const { database, log, telemetry, sealing } = foundation;
  if (config.embedded) await migrate(foundation.databaseUrl);
  const { state, shared } = openState(config, telemetry, log);
  const pools = openPools(config, telemetry);
  const tokenMaxAgeMs = Math.max(config.tokens.refreshMaxAgeSeconds, config.tokens.accessExpirySeconds) * 1000;
  const ring = keyRing({ database, random, clock, log, sealing, tokenMaxAgeMs });
  const revoked = revocations({ database, state, clock, log });
  const sweeping = sweeper({ database, clock, log });
  const [dummyHash] = await Promise.all([makeDummyHash(config, pools.hashing), shared?.connect()]);
  let started = false;
  let draining = false;
  const deps: Deps = {
    ...foundation,
    state,
    ...pools,
    keyRing: ring,
    revocations: revoked,
    verifiedTokens: new LRUCache({ max: VERIFIED_TOKENS_MAX }),
    dummyHash,
    health: {
      started: () => started,
      draining: () => draining,
      pendingMigrations: () => database.run("migrations.pending", (sql) => pendingMigrations(sql)),
      stateShared: () => shared?.shared,
    },
  };
  telemetry.metrics.observe({
    hashQueue: () => pools.hashing.queued,
    signQueue: () => pools.signing.queued,
    revocationEntries: () => revoked.size,
    revocationsCurrent: revoked.current,
    stateShared: () => shared?.shared ?? true,
  });
  const startActors = async (): Promise<void> => {
    await ring.start();
    await revoked.start();
    await grantInitialOwner(foundation);
    sweeping.start();
    started = true;
  };
  const waiting = await startActors().then(
    () => undefined,
    (error) => startLater(startActors, error, log),
  );
  const server = startServer(deps);
  for (const warning of config.warnings) log.warn(warning);
  return {
    url: server.url,
    log,
    async drain() {
      draining = true;
      await Promise.race([server.stop(), Bun.sleep(DRAIN_DEADLINE_MS)]);
      await waiting?.stop();
      await Promise.all([sweeping.stop(), revoked.stop(), ring.stop()]);
      await Promise.all([pools.hashing.close(), pools.signing.close(), state.close()]);
      await foundation.close();
    },
  };
}

/** A replica may be up before its database, or before `migrate` has run: it then waits, alive and not ready. */
function startLater(startActors: () => Promise<void>, firstFailure: unknown, log: Logger): Loop {
  const onFailure = (error: unknown) => log.warn({ err: error }, "waiting for the database and its migrations");
  onFailure(firstFailure);
  const loop = startLoop({
    pauseMs: 0,
    failurePauseMaxMs: START_RETRY_PAUSE_MAX_MS,
    onFailure,
    async round() {
      await startActors();
      log.info("started");
      void loop.stop();
    },
  });
  return loop;
}

/** Redis in front of this replica's own counters; those alone where no Redis is configured. */
function openState(
  config: Config,
  telemetry: Telemetry,
  log: Logger,
): { state: Deps["state"]; shared?: ResilientState } {
  const own = localState(clock);
  if (!config.redisUrl) return { state: own };
  const redis = redisState({
    url: config.redisUrl,
    clock,
    telemetry,
    onConnectionError: (error) => log.debug({ err: error }, "Redis connection failed"),
  });
  const shared = resilientState({ primary: redis, fallback: own, clock, log });
  return { state: shared, shared };
}

function openPools(config: Config, telemetry: Telemetry): Pick<Deps, "hashing" | "signing"> {
  const common = { clock, telemetry };
  return {
    hashing: openHashPool({
      ...common,
      workers: config.hashing.workers,
      queueMax: config.hashing.queueMax,
      deadlineMs: HASH_DEADLINE_MS,
      niceIncrement: HASH_NICE,
    }),
    signing: openSignPool({
      ...common,
      workers: SIGN_WORKERS,
      queueMax: SIGN_QUEUE_MAX,
      deadlineMs: SIGN_DEADLINE_MS,
      niceIncrement: SIGN_NICE,
    }),
  };
}

async function makeDummyHash(config: Config, hashing: HashPool): Promise<string> {
  const password = random.bytes(24).toString("base64url");
  const answer = await hashing.run({ kind: "hash", password, cost: config.hashing.cost });
  if (answer.ok && answer.kind === "hash") return answer.hash;
  throw new Error("the hashing workers do not answer");
}

/** `SERVICE_INITIAL_OWNER_EMAIL`, for an address that is verified already; one that is not waits for its verification. */
async function grantInitialOwner(foundation: Foundation): Promise<void> {
  const email = foundation.config.initialOwnerEmail;
  if (!email) return;
  const granted = await setRole(foundation, { email, role: "owner", verifiedOnly: true, source: "initial_owner" });
  if (granted.ok && granted.value) foundation.log.info("the initial owner was granted the platform role owner");
}

/** Whether the database that a configuration names answers, and which migrations it lacks. For the doctor. */
export async function probeDatabase(databaseUrl: string): Promise<readonly string[]> {
  const sql = postgres(databaseUrl, { max: 1, connect_timeout: 5, onnotice: () => undefined });
  try {
    return await pendingMigrations(sql);
  } finally {
    await sql.end({ timeout: 1 });
  }
}
