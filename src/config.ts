/**
 * The only reader of the environment. `loadConfig` is pure: it takes the variables and answers the whole configuration, or
 * everything that is wrong with it at once (decisions, section 2).
 */
import { availableParallelism } from "node:os";
import ipaddr from "ipaddr.js";
import { ok, type Result, refuse } from "./base/result.ts";
import {
  type AddressRange,
  addressRange,
  base64Key,
  baseUrl,
  exactOrigin,
  flag,
  limitSetting,
  listOf,
  oneOf,
  type Parse,
  plainText,
  routePrefix,
  secretOfAtLeast,
  urlOf,
  wholeNumber,
} from "./config-parsers.ts";

export type Environment = Readonly<Record<string, string | undefined>>;
export type Config = NonNullable<ReturnType<typeof assemble>>;

/** One variable: how it is read, and what the README and `--help` say of it. A default of undefined means "unset". */
interface Variable<T> {
  readonly parse: Parse<T>;
  readonly fallback: T;
  /** The default as people read it. */
  readonly shown: string;
  readonly meaning: string;
}

function variable<T>(parse: Parse<T>, fallback: NoInfer<T>, shown: string, meaning: string): Variable<T> {
  return { parse, fallback, shown, meaning };
}

function optional<T>(parse: Parse<T>, meaning: string): Variable<T | undefined> {
  return { parse, fallback: undefined, shown: "unset", meaning };
}

const SECRET_MIN_BYTES = 32;
const DEFAULT_EXPORT_KEY = "insecure-audit-export-key";
const cores = availableParallelism();
const NO_RANGES: readonly AddressRange[] = [];
const NO_TEXTS: readonly string[] = [];

/** Every variable that is read today, by name. */
export const VARIABLES = {
  DATABASE_URL: optional(urlOf("postgres", "postgresql"), "Postgres; unset: an embedded one under the data directory"),
  REDIS_URL: optional(
    urlOf("redis", "rediss"),
    "state that replicas share; unset: held in this process, one replica only",
  ),
  PORT: variable(wholeNumber(0, 65_535), 3000, "3000", "port to listen at; 0 lets the system choose"),
  HOST: variable(plainText, "127.0.0.1", "127.0.0.1", "address to listen at"),
  SERVICE_PUBLIC_BASE_URL: optional(baseUrl, "issuer and base of links; `http://localhost:$PORT` only when embedded"),
  SERVICE_JWT_SECRET: optional(
    secretOfAtLeast(SECRET_MIN_BYTES),
    "root secret, at least 32 bytes; made and kept in the data directory only when embedded",
  ),
  SERVICE_ROUTE_PREFIX: variable(routePrefix, "/v1", "/v1", "prefix of the API's paths"),
  SERVICE_ACCESS_EXPIRY_SECS: variable(wholeNumber(10, 86_400), 900, "900", "life of an access token"),
  SERVICE_REFRESH_COOKIE_MAX_AGE_SECS: variable(
    wholeNumber(60, 31_536_000),
    2_592_000,
    "2592000",
    "life of a refresh token and its cookie",
  ),
  SERVICE_SESSION_MAX_AGE_SECS: variable(
    wholeNumber(60, 315_360_000),
    7_776_000,
    "7776000",
    "end of a session, however often it is refreshed",
  ),
  SERVICE_COOKIES_SECURE: optional(flag, "`Secure` on cookies; default: true when the public base URL is https"),
  SERVICE_ARGON2_MEMORY_KIB: variable(wholeNumber(1_024, 1_048_576), 19_456, "19456", "Argon2id memory"),
  SERVICE_ARGON2_TIME: variable(wholeNumber(1, 20), 2, "2", "Argon2id passes"),
  SERVICE_ARGON2_PARALLELISM: variable(wholeNumber(1, 16), 1, "1", "Argon2id lanes"),
  SERVICE_HASH_WORKERS: variable(wholeNumber(1, 256), cores, "number of cores", "threads that hash"),
  SERVICE_HASH_QUEUE: optional(wholeNumber(1, 100_000), "hashing jobs that may wait; default: 64 per worker"),
  SERVICE_RATE_LIMITS: variable(oneOf("on", "off"), "on", "on", "`off` for load tests"),
  SERVICE_RATE_LIMIT_SIGN_IN: variable(
    limitSetting,
    { count: 60, seconds: 60 },
    "60/60",
    "sign-in routes, per address",
  ),
  SERVICE_RATE_LIMIT_REGISTER: variable(
    limitSetting,
    { count: 60, seconds: 60 },
    "60/60",
    "registrations, per address",
  ),
  SERVICE_RATE_LIMIT_PASSWORD_PAIR: variable(
    limitSetting,
    { count: 10, seconds: 900 },
    "10/900",
    "wrong passwords of one account from one address",
  ),
  SERVICE_RATE_LIMIT_PASSWORD_ACCOUNT: variable(
    limitSetting,
    { count: 100, seconds: 900 },
    "100/900",
    "wrong passwords of one account from all addresses",
  ),
  SERVICE_TRUSTED_PROXIES: variable(
    listOf(addressRange),
    NO_RANGES,
    "empty",
    "CIDR list of proxies that name the client",
  ),
  SERVICE_CORS_ORIGINS: variable(listOf(exactOrigin), NO_TEXTS, "empty", "origins that may call with credentials"),
  SERVICE_CONFIG_KEY: optional(base64Key, "base64 of 32 bytes; seals provider secrets"),
  SERVICE_AUDIT_EXPORT_KEY: variable(
    plainText,
    DEFAULT_EXPORT_KEY,
    "insecure, with a warning",
    "HMAC key of the audit export",
  ),
  SERVICE_INITIAL_OWNER_EMAIL: optional(plainText, "the user of this verified address becomes platform owner"),
  SERVICE_DEFAULT_TIER: variable(oneOf("standard", "enterprise"), "standard", "standard", "tier of new organizations"),
  SERVICE_DATABASE_POOL: variable(wholeNumber(2, 500), 16, "16", "connections to Postgres per replica"),
  SERVICE_DATA_DIRECTORY: variable(plainText, ".data", ".data", "where embedded mode keeps what it makes"),
  SERVICE_LOG_LEVEL: variable(
    oneOf("trace", "debug", "info", "warn", "error"),
    "info",
    "info",
    "least level that is logged",
  ),
  NODE_ENV: variable(plainText, "development", "development", "`production`: logs are JSON, also on a terminal"),
} as const;

type Name = keyof typeof VARIABLES;
type Values = { readonly [Each in Name]: (typeof VARIABLES)[Each] extends Variable<infer T> ? T : never };

/** Reads and judges the whole environment. The refusal lists everything that is wrong, one line each. */
export function loadConfig(environment: Environment): Result<Config, readonly string[]> {
  const errors: string[] = [];
  const values = readAll(environment, errors);
  if (values.DATABASE_URL) {
    for (const name of ["SERVICE_JWT_SECRET", "SERVICE_PUBLIC_BASE_URL"] as const) {
      if (!environment[name]) errors.push(`${name}: is required when DATABASE_URL is set`);
    }
  }
  if (8 * values.SERVICE_ARGON2_PARALLELISM > values.SERVICE_ARGON2_MEMORY_KIB) {
    errors.push("SERVICE_ARGON2_MEMORY_KIB: at least 8 for each lane (RFC 9106, section 3.1)");
  }
  errors.push(...unknownLimits(environment));
  if (errors.length > 0) return refuse(errors);
  return ok(assemble(values, telemetrySettings(environment), unknownNames(environment)));
}

/** The refusal as one message. */
export function formatConfigErrors(errors: readonly string[]): string {
  return `The configuration is not right:\n${errors.map((error) => `  - ${error}`).join("\n")}`;
}

function readAll(environment: Environment, errors: string[]): Values {
  const read = (name: string, { parse, fallback }: Variable<unknown>): unknown => {
    const text = environment[name]?.trim();
    if (!text) return fallback;
    try {
      return parse(text);
    } catch (error) {
      errors.push(`${name}: must be ${error instanceof Error ? error.message : "something else"}`);
      return fallback;
    }
  };
  const entries = Object.entries(VARIABLES).map(([name, each]) => [name, read(name, each as Variable<unknown>)]);
  return Object.fromEntries(entries) as Values;
}

/**
 * Whether the OpenTelemetry SDK is wanted at all; how it works then, it reads from its own variables (OTEL_*). Unset: no
 * exporter, no cost (decisions, section 2).
 */
function telemetrySettings(environment: Environment) {
  const enabled = environment.OTEL_SDK_DISABLED?.toLowerCase() !== "true";
  const endpoint = environment.OTEL_EXPORTER_OTLP_ENDPOINT;
  const traces =
    environment.OTEL_TRACES_EXPORTER ??
    ((endpoint ?? environment.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT) ? "otlp" : "none");
  const metrics =
    environment.OTEL_METRICS_EXPORTER ??
    ((endpoint ?? environment.OTEL_EXPORTER_OTLP_METRICS_ENDPOINT) ? "otlp" : "none");
  return { traces: enabled && traces !== "none", otlpMetrics: enabled && metrics === "otlp" };
}

function assemble(values: Values, telemetry: ReturnType<typeof telemetrySettings>, warnings: readonly string[]) {
  const publicBaseUrl = values.SERVICE_PUBLIC_BASE_URL ?? `http://localhost:${values.PORT}`;
  const embedded = values.DATABASE_URL === undefined;
  return {
    embedded,
    production: values.NODE_ENV === "production",
    dataDirectory: values.SERVICE_DATA_DIRECTORY,
    database: { url: values.DATABASE_URL, connections: values.SERVICE_DATABASE_POOL },
    redisUrl: values.REDIS_URL,
    listener: { host: values.HOST, port: values.PORT },
    urls: { publicBaseUrl, routePrefix: values.SERVICE_ROUTE_PREFIX },
    /** Undefined only when embedded: then app.ts makes one and keeps it. */
    jwtSecret: values.SERVICE_JWT_SECRET,
    configKey: values.SERVICE_CONFIG_KEY,
    cookies: { secure: values.SERVICE_COOKIES_SECURE ?? publicBaseUrl.startsWith("https:") },
    tokens: {
      accessExpirySeconds: values.SERVICE_ACCESS_EXPIRY_SECS,
      refreshMaxAgeSeconds: values.SERVICE_REFRESH_COOKIE_MAX_AGE_SECS,
      sessionMaxAgeSeconds: values.SERVICE_SESSION_MAX_AGE_SECS,
    },
    hashing: {
      cost: {
        memoryKib: values.SERVICE_ARGON2_MEMORY_KIB,
        time: values.SERVICE_ARGON2_TIME,
        parallelism: values.SERVICE_ARGON2_PARALLELISM,
      },
      workers: values.SERVICE_HASH_WORKERS,
      queueMax: values.SERVICE_HASH_QUEUE ?? 64 * values.SERVICE_HASH_WORKERS,
    },
    limits: {
      enabled: values.SERVICE_RATE_LIMITS === "on",
      signIn: values.SERVICE_RATE_LIMIT_SIGN_IN,
      register: values.SERVICE_RATE_LIMIT_REGISTER,
      passwordPair: values.SERVICE_RATE_LIMIT_PASSWORD_PAIR,
      passwordAccount: values.SERVICE_RATE_LIMIT_PASSWORD_ACCOUNT,
    },
    proxies: { contains: (address: string) => contains(values.SERVICE_TRUSTED_PROXIES, address) },
    cors: { origins: new Set(values.SERVICE_CORS_ORIGINS) as ReadonlySet<string> },
    auditExport: {
      key: values.SERVICE_AUDIT_EXPORT_KEY,
      insecure: values.SERVICE_AUDIT_EXPORT_KEY === DEFAULT_EXPORT_KEY,
    },
    initialOwnerEmail: values.SERVICE_INITIAL_OWNER_EMAIL,
    defaultTier: values.SERVICE_DEFAULT_TIER,
    logLevel: values.SERVICE_LOG_LEVEL,
    telemetry,
    warnings: [...warnings, ...settingWarnings(values, publicBaseUrl)] as readonly string[],
  };
}

function contains(ranges: readonly AddressRange[], address: string): boolean {
  if (ranges.length === 0) return false;
  const parsed = ipaddr.process(address);
  return ranges.some((range) => range.contains(parsed));
}

function settingWarnings(values: Values, publicBaseUrl: string): string[] {
  const external = values.DATABASE_URL !== undefined;
  const found: (string | false)[] = [
    external &&
      !values.REDIS_URL &&
      "REDIS_URL is unset: limits and revocations are this process's own, run one replica only",
    external &&
      values.SERVICE_AUDIT_EXPORT_KEY === DEFAULT_EXPORT_KEY &&
      "SERVICE_AUDIT_EXPORT_KEY is unset: anyone can sign an audit export",
    publicBaseUrl.startsWith("https:") &&
      values.SERVICE_COOKIES_SECURE === false &&
      "SERVICE_COOKIES_SECURE is false behind https: cookies can be read on the way",
    external &&
      /^http:\/\/(?!localhost[:/]|localhost$|127\.)/.test(publicBaseUrl) &&
      "SERVICE_PUBLIC_BASE_URL is not https: tokens travel in the clear",
  ];
  return found.filter((warning) => warning !== false);
}

/** Limits that later releases or a typing error name: they would silently not hold, so they stop the start. */
function unknownLimits(environment: Environment): string[] {
  const known = Object.keys(VARIABLES).filter((name) => name.startsWith("SERVICE_RATE_LIMIT_"));
  return Object.keys(environment)
    .filter((name) => name.startsWith("SERVICE_RATE_LIMIT_") && !known.includes(name) && !NAMED_FOR_LATER.test(name))
    .map((name) => `${name}: no such limit; there are ${known.join(", ")}`);
}

/** Settings of the decisions, section 2, that features to come will read. */
const NAMED_FOR_LATER =
  /^SERVICE_(CONFIG_KEYS_PREVIOUS|EMAIL_\w+|SMTP_URL|OAUTH_IDP_[A-E]_\w+|PASSWORD_CHECK|SOCIAL_SIGNUP|AUDIT_RETENTION_DAYS|S3_URL|PROCESSES|RATE_LIMIT_(MAIL|INTEGRATIONS))$/;

function unknownNames(environment: Environment): string[] {
  return Object.keys(environment)
    .filter((name) => name.startsWith("SERVICE_") && !(name in VARIABLES) && !NAMED_FOR_LATER.test(name))
    .map((name) => `${name} is not known and has no effect`);
}
