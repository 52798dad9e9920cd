/**
 * The only reader of the environment. `loadConfig` is pure: it takes the variables and answers the whole configuration, or
 * everything that is wrong with it at once (decisions, section 2).
 */
import { availableParallelism } from "node:os";
import ipaddr from "ipaddr.js";
import { err, ok, type Result } from "../base/result.ts";
import type { AddressRange } from "./parsers.ts";
import { DEFAULT_EXPORT_KEY, VARIABLES, type Variable } from "./variables.ts";

export type Environment = Readonly<Record<string, string | undefined>>;
export type Config = NonNullable<ReturnType<typeof assemble>>;

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
  for (const idp of ["A", "B"] as const) {
    const [id, secret] = [`SERVICE_OAUTH_IDP_${idp}_CLIENT_ID`, `SERVICE_OAUTH_IDP_${idp}_CLIENT_SECRET`] as const;
    if ((values[id] === undefined) !== (values[secret] === undefined))
      errors.push(`${id}: goes together with ${secret}`);
  }
  if (values.SERVICE_PROCESSES > 1 && (!values.DATABASE_URL || !values.REDIS_URL || values.PORT === 0)) {
    errors.push("SERVICE_PROCESSES: more than one need DATABASE_URL, REDIS_URL and a PORT to share");
  }
  errors.push(...unknownLimits(environment));
  if (errors.length > 0) return err(errors);
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
  const hashWorkers =
    values.SERVICE_HASH_WORKERS ?? Math.max(1, Math.floor(availableParallelism() / values.SERVICE_PROCESSES));
  return {
    embedded,
    production: values.NODE_ENV === "production",
    dataDirectory: values.SERVICE_DATA_DIRECTORY,
    database: { url: values.DATABASE_URL, connections: values.SERVICE_DATABASE_POOL },
    redisUrl: values.REDIS_URL,
    listener: { host: values.HOST, port: values.PORT },
    processes: values.SERVICE_PROCESSES,
    urls: { publicBaseUrl, routePrefix: values.SERVICE_ROUTE_PREFIX },
    /** Undefined only when embedded: then app.ts makes one and keeps it. */
    jwtSecret: values.SERVICE_JWT_SECRET,
    configKeys: { current: values.SERVICE_CONFIG_KEY, previous: values.SERVICE_CONFIG_KEYS_PREVIOUS },
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
      workers: hashWorkers,
      queueMax: values.SERVICE_HASH_QUEUE ?? 64 * hashWorkers,
    },
    limits: {
      enabled: values.SERVICE_RATE_LIMITS === "on",
      signIn: values.SERVICE_RATE_LIMIT_SIGN_IN,
      register: values.SERVICE_RATE_LIMIT_REGISTER,
      passwordPair: values.SERVICE_RATE_LIMIT_PASSWORD_PAIR,
      passwordAccount: values.SERVICE_RATE_LIMIT_PASSWORD_ACCOUNT,
      mail: values.SERVICE_RATE_LIMIT_MAIL,
      inviter: values.SERVICE_RATE_LIMIT_INVITER,
      organizationInvitations: values.SERVICE_RATE_LIMIT_ORGANIZATION_INVITATIONS,
      integrations: values.SERVICE_RATE_LIMIT_INTEGRATIONS,
      caller: values.SERVICE_RATE_LIMIT_CALLER,
    },
    passwordCheck: { kind: values.SERVICE_PASSWORD_CHECK, url: values.SERVICE_PASSWORD_CHECK_URL },
    proxies: { contains: (address: string) => contains(values.SERVICE_TRUSTED_PROXIES, address) },
    cors: { origins: new Set(values.SERVICE_CORS_ORIGINS) as ReadonlySet<string> },
    mail: {
      apiUrl: values.SERVICE_EMAIL_API_URL,
      apiKey: values.SERVICE_EMAIL_API_KEY,
      keyPrefix: values.SERVICE_EMAIL_KEY_PREFIX,
      from: values.SERVICE_EMAIL_FROM ?? `no-reply@${new URL(publicBaseUrl).hostname}`,
      smtpUrl: values.SERVICE_SMTP_URL,
      templatesFolder: values.SERVICE_EMAIL_TEMPLATES,
    },
    requireVerifiedEmail: values.SERVICE_REQUIRE_VERIFIED_EMAIL,
    socialSignup: values.SERVICE_SOCIAL_SIGNUP,
    identityProviders: {
      google: values.SERVICE_OAUTH_IDP_A_ISSUER,
      github: values.SERVICE_OAUTH_IDP_B_URL,
      githubApi: values.SERVICE_OAUTH_IDP_B_API_URL,
      microsoft: values.SERVICE_OAUTH_IDP_C_ISSUER,
      apple: values.SERVICE_OAUTH_IDP_D_ISSUER,
      facebook: values.SERVICE_OAUTH_IDP_E_URL,
      facebookApi: values.SERVICE_OAUTH_IDP_E_API_URL,
    },
    /** What the environment says of providers that have no row of their own (contract, section 4.12). */
    identityClients: {
      oauth_idp_a: clientOf(values.SERVICE_OAUTH_IDP_A_CLIENT_ID, values.SERVICE_OAUTH_IDP_A_CLIENT_SECRET),
      oauth_idp_b: clientOf(values.SERVICE_OAUTH_IDP_B_CLIENT_ID, values.SERVICE_OAUTH_IDP_B_CLIENT_SECRET),
    },
    s3: values.SERVICE_S3_URL,
    auditExport: {
      key: values.SERVICE_AUDIT_EXPORT_KEY,
      insecure: values.SERVICE_AUDIT_EXPORT_KEY === DEFAULT_EXPORT_KEY,
    },
    auditRetentionMs:
      values.SERVICE_AUDIT_RETENTION_DAYS === undefined
        ? undefined
        : values.SERVICE_AUDIT_RETENTION_DAYS * 24 * 3600 * 1000,
    spoolDirectory: values.SERVICE_SPOOL_DIRECTORY,
    initialOwnerEmail: values.SERVICE_INITIAL_OWNER_EMAIL,
    defaultTier: values.SERVICE_DEFAULT_TIER,
    logLevel: values.SERVICE_LOG_LEVEL,
    telemetry,
    warnings: [...warnings, ...settingWarnings(values, publicBaseUrl)] as readonly string[],
  };
}

function clientOf(clientId: string | undefined, secret: string | undefined) {
  if (clientId === undefined || secret === undefined) return undefined;
  return { publicConfig: { client_id: clientId }, secret };
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
      !values.SERVICE_EMAIL_API_KEY &&
      !values.SERVICE_SMTP_URL &&
      "no e-mail provider is set: e-mails wait in the outbox for a day and are then dropped, unless an administrator sets one",
    external &&
      values.SERVICE_AUDIT_EXPORT_KEY === DEFAULT_EXPORT_KEY &&
      "SERVICE_AUDIT_EXPORT_KEY is unset: anyone can sign an audit export",
    values.NODE_ENV === "production" &&
      !values.SERVICE_REQUIRE_VERIFIED_EMAIL &&
      "SERVICE_REQUIRE_VERIFIED_EMAIL is off: accounts work before their address is verified",
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
    .filter((name) => name.startsWith("SERVICE_RATE_LIMIT_") && !known.includes(name))
    .map((name) => `${name}: no such limit; there are ${known.join(", ")}`);
}

function unknownNames(environment: Environment): string[] {
  return Object.keys(environment)
    .filter((name) => name.startsWith("SERVICE_") && !(name in VARIABLES))
    .map((name) => `${name} is not known and has no effect`);
}
