/**
 * Constructs the objects shared by the service and its commands: database, keys, clock, randomness, log and telemetry.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type EmbeddedPostgres, runningEmbeddedPostgres, startEmbeddedPostgres } from "../db/embedded.ts";
import packageJson from "../package.json" with { type: "json" };
import { systemClock } from "./base/clock.ts";
import { causeOfFolder } from "./base/folder-cause.ts";
import { systemRandom } from "./base/random.ts";
import { type ConfigKeys, deriveKey, type SealingKey, sealingKey } from "./base/seal.ts";
import { readOrMakeSecret } from "./base/secret-file.ts";
import type { Config } from "./config/config.ts";
import { base64Key } from "./config/parsers.ts";
import { SECRET_MIN_BYTES } from "./config/variables.ts";
import { sessionSettingMismatches } from "./database/connection-report.ts";
import { type Database, openDatabase } from "./database/database.ts";
import type { Deps } from "./deps.ts";
import { type WebhookSigner, webhookSigner } from "./models/webhook/webhook-signature.ts";
import { type TxtResolver, txtResolver } from "./providers/dns/txt-resolver.ts";
import { createLogger, type Logger } from "./telemetry/log.ts";
import { startTelemetry, type Telemetry } from "./telemetry/telemetry.ts";

const clock = systemClock;
const random = systemRandom(clock);
const EMBEDDED_CONNECTIONS = 60;

export interface Foundation {
  readonly config: Config;
  readonly clock: Deps["clock"];
  readonly random: Deps["random"];
  readonly log: Logger;
  readonly telemetry: Telemetry;
  readonly databaseUrl: string;
  readonly database: Database;
  /** Seals secrets in rows; the id names the key ring of this deployment. */
  readonly sealing: SealingKey;
  /** Seal the secrets of providers. */
  readonly configKeys: ConfigKeys;
  readonly csrfKey: Buffer;
  readonly codeKey: Buffer;
  readonly addressKey: Buffer;
  readonly webhookSigner: WebhookSigner;
  readonly txtResolver: TxtResolver;
  close(): Promise<void>;
}

export interface FoundationOptions {
  readonly logLevel: string;
  /** Whether the embedded database of a running service may be used: true for commands, false for a second service. */
  readonly attach: boolean;
}

/** Opens the database; starts the embedded database if no URL is configured. */
export async function openFoundation(config: Config, options: FoundationOptions): Promise<Foundation> {
  const telemetry = await startTelemetry({
    serviceName: "identity-service",
    serviceVersion: packageJson.version,
    publicBaseUrl: config.urls.publicBaseUrl,
    clock,
    random,
    ...config.telemetry,
  });
  const pretty = !config.production && process.stdout.isTTY;
  const log = await createLogger({
    level: options.logLevel,
    pretty,
    traceIds: telemetry.tracing ? telemetry.activeIds : () => undefined,
  });
  const rootSecret = rootSecretOf(config);
  const embedded = config.embedded ? await openEmbedded(config, log, options.attach) : undefined;
  const databaseUrl = config.database.url ?? embedded?.url ?? "";
  const { connections, pooler } = config.database;
  const database = openDatabase({ url: databaseUrl, connections, pooler, telemetry });
  return {
    config,
    clock,
    random,
    log,
    telemetry,
    databaseUrl,
    database,
    sealing: sealingKey(deriveKey(rootSecret, "seal/v1")),
    configKeys: configKeysOf(config),
    csrfKey: deriveKey(rootSecret, "csrf/v1"),
    codeKey: deriveKey(rootSecret, "codes/v1"),
    addressKey: deriveKey(rootSecret, "addresses/v1"),
    webhookSigner: webhookSigner(deriveKey(rootSecret, "webhooks/v1")),
    txtResolver: txtResolver({ random, servers: config.sso.dnsServers }),
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
    restarts: {
      onEnded: (how) => log.error({ how }, "embedded PostgreSQL ended and is started again"),
      onLost(error) {
        log.fatal({ err: error }, "embedded PostgreSQL cannot be started again: see the data directory");
        process.exit(1);
      },
    },
  });
}

/** Bytes of `SERVICE_CONFIG_KEY`. */
const CONFIG_KEY_BYTES = 32;

/**
 * Only embedded mode may omit the secret: replicas of one deployment with different secrets cannot read one another's
 * data.
 */
function rootSecretOf({ jwtSecret, embedded, dataDirectory }: Config): string {
  if (jwtSecret !== undefined) return jwtSecret;
  if (!embedded) throw new Error("no SERVICE_JWT_SECRET beside DATABASE_URL");
  // Generated once and stored, so sessions survive a restart.
  const make = () => random.bytes(48).toString("base64url");
  try {
    mkdirSync(dataDirectory, { recursive: true });
    return readOrMakeSecret(join(dataDirectory, "jwt-secret"), SECRET_MIN_BYTES, make);
  } catch (error) {
    throw unusableDataDirectory(dataDirectory, error);
  }
}

/** The first write of a start: its failure tells whether the data directory is usable. */
function unusableDataDirectory(directory: string, error: unknown): unknown {
  const known = causeOfFolder(error);
  return known ? new Error(`SERVICE_DATA_DIRECTORY: ${directory} ${known.cause}: ${known.remedy}`) : error;
}

/** Embedded mode generates the configuration key beside the root secret, so secrets of providers can be stored. */
function configKeysOf({ configKeys: { current, previous }, embedded, dataDirectory }: Config): ConfigKeys {
  const make = () => random.bytes(CONFIG_KEY_BYTES).toString("base64");
  const key =
    current ??
    (embedded ? base64Key(readOrMakeSecret(join(dataDirectory, "config-key"), CONFIG_KEY_BYTES, make)) : undefined);
  return { current: key && sealingKey(key), previous: previous.map(sealingKey) };
}

/** Warns unless the session settings are in force: behind a pooler, they depend on settings of the role. */
export async function warnWithoutSettings({ config, databaseUrl, log }: Foundation): Promise<void> {
  if (config.database.pooler === "none") return;
  const mismatches = await sessionSettingMismatches(databaseUrl, config.database.pooler);
  if (mismatches.length === 0) return;
  const settings = mismatches.map(({ name }) => name);
  log.warn({ settings }, "settings of the role are not in force behind the pooler: run migrate, then doctor");
}
