/** Arranges the values of the environment in the groups used by the application. */
import { availableParallelism } from "node:os";
import ipaddr from "ipaddr.js";
import type { ProxySetting } from "../base/proxy-setting.ts";
import { DAY_MS } from "../base/time-units.ts";
import { KEY_PREFIX_MAX_CHARACTERS } from "../limits/machine-limits.ts";
import { isLoopbackHost } from "./checks.ts";
import type { AddressRange } from "./parsers.ts";
import { DEFAULT_EXPORT_KEY, type Environment, type Values } from "./variables.ts";

export function settingsOf(values: Values, proxy?: ProxySetting) {
  const publicBaseUrl = values.SERVICE_PUBLIC_BASE_URL ?? `http://localhost:${values.PORT}`;
  return {
    embedded: values.DATABASE_URL === undefined,
    production: values.NODE_ENV === "production",
    dataDirectory: values.SERVICE_DATA_DIRECTORY,
    geolocationFile: values.SERVICE_GEOIP_FILE,
    database: {
      url: values.DATABASE_URL,
      connections: values.SERVICE_DATABASE_POOL,
      pooler: values.SERVICE_DATABASE_POOLER,
      migrationUrl: values.SERVICE_MIGRATION_URL,
      readUrl: values.DATABASE_READ_URL,
      readMaxLagMs: values.SERVICE_READ_MAX_LAG_MS,
    },
    redisUrl: values.REDIS_URL,
    listener: { host: values.HOST, port: values.PORT, idleSeconds: values.SERVICE_HTTP_IDLE_SECONDS },
    processes: values.SERVICE_PROCESSES,
    urls: { publicBaseUrl, routePrefix: values.SERVICE_ROUTE_PREFIX },
    proxies: { contains: (address: string) => contains(values.SERVICE_TRUSTED_PROXIES, address) },
    webhooks: {
      allows: (address: string) => contains(values.SERVICE_WEBHOOK_ALLOW, address),
      loopback: values.DATABASE_URL === undefined,
      ...(proxy && { proxy }),
    },
    cors: { origins: new Set(values.SERVICE_CORS_ORIGINS) as ReadonlySet<string> },
    /** Undefined only in embedded mode: then foundation.ts generates and stores a secret. */
    jwtSecret: values.SERVICE_JWT_SECRET,
    configKeys: { current: values.SERVICE_CONFIG_KEY, previous: values.SERVICE_CONFIG_KEYS_PREVIOUS },
    cookies: { secure: values.SERVICE_COOKIES_SECURE ?? publicBaseUrl.startsWith("https:") },
    tokens: tokenSettings(values),
    hashing: hashingSettings(values),
    signing: signingSettings(values),
    limits: limitSettings(values),
    passwordCheck: { kind: values.SERVICE_PASSWORD_CHECK, url: values.SERVICE_PASSWORD_CHECK_URL },
    mail: mailSettings(values, publicBaseUrl),
    pages: pageSettings(values),
    brand: brandSettings(values, publicBaseUrl),
    policies: { terms: values.SERVICE_TERMS_URL, privacy: values.SERVICE_PRIVACY_URL },
    keyPrefix: values.SERVICE_KEY_PREFIX ?? keyPrefixOf(brandSettings(values, publicBaseUrl).name),
    adminRequiresMfa: values.SERVICE_ADMIN_REQUIRE_MFA ?? values.DATABASE_URL !== undefined,
    requireVerifiedEmail: values.SERVICE_REQUIRE_VERIFIED_EMAIL,
    socialSignup: values.SERVICE_SOCIAL_SIGNUP,
    oauth: oauthSettings(values),
    identityProviders: identityProviderAddresses(values),
    identityClients: identityClients(values),
    s3: values.SERVICE_S3_URL,
    auditExport: {
      key: values.SERVICE_AUDIT_EXPORT_KEY,
      insecure: values.SERVICE_AUDIT_EXPORT_KEY === DEFAULT_EXPORT_KEY,
    },
    decisionLog: {
      enabled: values.SERVICE_DECISION_LOG,
      retentionMs: values.SERVICE_DECISION_LOG_DAYS * DAY_MS,
    },
    auditLog: {
      witnesses: values.SERVICE_AUDIT_WITNESSES,
      witnessQuorum: values.SERVICE_AUDIT_WITNESS_QUORUM,
      checkpointDirectory: values.SERVICE_AUDIT_CHECKPOINT_DIR,
    },
    auditRetentionMs: values.SERVICE_AUDIT_RETENTION_DAYS && values.SERVICE_AUDIT_RETENTION_DAYS * DAY_MS,
    ...accountSettings(values),
    defaultTier: values.SERVICE_DEFAULT_TIER,
    ...enterpriseSettings(values),
    logLevel: values.SERVICE_LOG_LEVEL,
  };
}

function tokenSettings(values: Values) {
  return {
    accessExpirySeconds: values.SERVICE_ACCESS_EXPIRY_SECS,
    refreshMaxAgeSeconds: values.SERVICE_REFRESH_COOKIE_MAX_AGE_SECS,
    refreshRepeatSeconds: values.SERVICE_REFRESH_REPEAT_SECONDS,
    sessionMaxAgeSeconds: values.SERVICE_SESSION_MAX_AGE_SECS,
  };
}

function oauthSettings(values: Values) {
  return {
    requirePushedRequests: values.SERVICE_OAUTH_REQUIRE_PAR,
    dpopNonce: values.SERVICE_OAUTH_DPOP_NONCE,
    privateHttp: values.SERVICE_OAUTH_PRIVATE_HTTP,
    registration: values.SERVICE_OAUTH_REGISTRATION,
    clientDocuments: {
      mode: values.SERVICE_OAUTH_CIMD ?? (values.DATABASE_URL === undefined ? "on" : "off"),
      hosts: values.SERVICE_OAUTH_CIMD_HOSTS,
    },
  };
}

function pageSettings(values: Values) {
  return {
    enabled: values.SERVICE_PAGES,
    devMail: servesDevMail(values),
    /** The order of the ways on the sign-in page; ways without a place follow. */
    signInMethods: values.SERVICE_SIGN_IN_METHODS,
  };
}

/** `/dev/mail` displays emails with their links and codes without a sign-in: to this machine alone. */
function servesDevMail({ DATABASE_URL, HOST, SERVICE_PAGES }: Values): boolean {
  return DATABASE_URL === undefined && SERVICE_PAGES && isLoopbackHost(HOST);
}

function ssoSettings(values: Values) {
  return {
    /** Only organizations of the tier `enterprise` have single sign-on. */
    enterpriseOnly: values.SERVICE_ENTERPRISE_ONLY.includes("sso"),
    dnsServers: values.SERVICE_DNS_SERVERS,
    domainBlocklist: new Set(values.SERVICE_DOMAIN_BLOCKLIST) as ReadonlySet<string>,
  };
}

function enterpriseSettings(values: Values) {
  /** `enterpriseOnly`: only organizations of the tier `enterprise` have directories, or edit roles or policies. */
  const isReserved = (feature: "policies" | "roles" | "scim") => ({
    enterpriseOnly: values.SERVICE_ENTERPRISE_ONLY.includes(feature),
  });
  return {
    sso: ssoSettings(values),
    scim: isReserved("scim"),
    roles: isReserved("roles"),
    organizationPolicies: isReserved("policies"),
  };
}

function hashingSettings(values: Values) {
  const coresPerProcess = Math.max(1, Math.floor(availableParallelism() / values.SERVICE_PROCESSES));
  const workers = values.SERVICE_HASH_WORKERS ?? coresPerProcess;
  return {
    cost: {
      memoryKib: values.SERVICE_ARGON2_MEMORY_KIB,
      time: values.SERVICE_ARGON2_TIME,
      parallelism: values.SERVICE_ARGON2_PARALLELISM,
    },
    workers,
    queueMax: values.SERVICE_HASH_QUEUE ?? 64 * workers,
  };
}

/** The library of OpenSSL 3 without `SERVICE_LIBCRYPTO`. */
export const LIBCRYPTO = process.platform === "darwin" ? "libcrypto.3.dylib" : "libcrypto.so.3";

function signingSettings({ SERVICE_SIGNER, SERVICE_LIBCRYPTO }: Values) {
  return { libcrypto: SERVICE_SIGNER === "auto" ? (SERVICE_LIBCRYPTO ?? LIBCRYPTO) : null };
}

function limitSettings(values: Values) {
  return {
    enabled: values.SERVICE_RATE_LIMITS === "on",
    signIn: values.SERVICE_RATE_LIMIT_SIGN_IN,
    register: values.SERVICE_RATE_LIMIT_REGISTER,
    signUp: values.SERVICE_RATE_LIMIT_SIGN_UP,
    passwordPair: values.SERVICE_RATE_LIMIT_PASSWORD_PAIR,
    passwordAccount: values.SERVICE_RATE_LIMIT_PASSWORD_ACCOUNT,
    mail: values.SERVICE_RATE_LIMIT_MAIL,
    mailNetwork: values.SERVICE_RATE_LIMIT_MAIL_NETWORK,
    mailAddress: values.SERVICE_RATE_LIMIT_MAIL_ADDRESS,
    inviter: values.SERVICE_RATE_LIMIT_INVITER,
    organizationInvitations: values.SERVICE_RATE_LIMIT_ORGANIZATION_INVITATIONS,
    networkInvitations: values.SERVICE_RATE_LIMIT_NETWORK_INVITATIONS,
    addressInvitations: values.SERVICE_RATE_LIMIT_ADDRESS_INVITATIONS,
    integrations: values.SERVICE_RATE_LIMIT_INTEGRATIONS,
    oauth: values.SERVICE_RATE_LIMIT_OAUTH,
    oauthRegistration: values.SERVICE_RATE_LIMIT_OAUTH_REGISTRATION,
    oauthWaiting: values.SERVICE_RATE_LIMIT_OAUTH_WAITING,
    pages: values.SERVICE_RATE_LIMIT_PAGES,
    publicReads: values.SERVICE_RATE_LIMIT_PUBLIC_READS,
    scim: values.SERVICE_RATE_LIMIT_SCIM,
    scimInvitations: values.SERVICE_RATE_LIMIT_SCIM_INVITATIONS,
    caller: values.SERVICE_RATE_LIMIT_CALLER,
    program: values.SERVICE_RATE_LIMIT_PROGRAM,
  };
}

function brandSettings(values: Values, publicBaseUrl: string) {
  const unnamed = values.DATABASE_URL === undefined ? "Identity" : new URL(publicBaseUrl).hostname;
  return {
    name: values.SERVICE_BRAND_NAME ?? unnamed,
    logo: values.SERVICE_BRAND_LOGO,
    logoDark: values.SERVICE_BRAND_LOGO_DARK,
    accent: values.SERVICE_BRAND_ACCENT,
    radius: values.SERVICE_BRAND_RADIUS,
    style: values.SERVICE_BRAND_STYLE,
    supportUrl: values.SERVICE_SUPPORT_URL,
  };
}

const UNNAMED_KEY_PREFIX = "identity";

/** A brand name as the prefix of API keys. A name without a Latin letter yields no prefix. */
function keyPrefixOf(brandName: string): string {
  const letters = brandName
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^0-9a-z]/g, "")
    .replace(/^[0-9]+/, "");
  return letters.slice(0, KEY_PREFIX_MAX_CHARACTERS) || UNNAMED_KEY_PREFIX;
}

function mailSettings(values: Values, publicBaseUrl: string) {
  return {
    apiUrl: values.SERVICE_EMAIL_API_URL,
    apiKey: values.SERVICE_EMAIL_API_KEY,
    keyPrefix: values.SERVICE_EMAIL_KEY_PREFIX,
    from: values.SERVICE_EMAIL_FROM ?? `no-reply@${new URL(publicBaseUrl).hostname}`,
    smtpUrl: values.SERVICE_SMTP_URL,
    smtpConnections: values.SERVICE_SMTP_CONNECTIONS,
    templatesFolder: values.SERVICE_EMAIL_TEMPLATES,
  };
}

function identityProviderAddresses(values: Values) {
  return {
    google: values.SERVICE_OAUTH_IDP_A_ISSUER,
    github: values.SERVICE_OAUTH_IDP_B_URL,
    githubApi: values.SERVICE_OAUTH_IDP_B_API_URL,
    microsoft: values.SERVICE_OAUTH_IDP_C_ISSUER,
    apple: values.SERVICE_OAUTH_IDP_D_ISSUER,
    facebook: values.SERVICE_OAUTH_IDP_E_URL,
    facebookApi: values.SERVICE_OAUTH_IDP_E_API_URL,
  };
}

/** Fallbacks for Google and GitHub without stored settings (docs/contract.md, section 15.1). */
function identityClients(values: Values) {
  return {
    oauth_idp_a: identityClient(values.SERVICE_OAUTH_IDP_A_CLIENT_ID, values.SERVICE_OAUTH_IDP_A_CLIENT_SECRET),
    oauth_idp_b: identityClient(values.SERVICE_OAUTH_IDP_B_CLIENT_ID, values.SERVICE_OAUTH_IDP_B_CLIENT_SECRET),
  };
}

function identityClient(clientId: string | undefined, secret: string | undefined) {
  if (clientId === undefined || secret === undefined) return undefined;
  return { publicConfig: { client_id: clientId }, secret };
}

function contains(ranges: readonly AddressRange[], address: string): boolean {
  if (ranges.length === 0) return false;
  const parsed = ipaddr.process(address);
  return ranges.some((range) => range.contains(parsed));
}

export interface TelemetrySettings {
  readonly traces: boolean;
  readonly otlpMetrics: boolean;
  /** The share of traced requests among requests without a parent, 0 to 1; undefined: the SDK's sampler decides. */
  readonly sampledRatio?: number | undefined;
}

/**
 * Whether the OpenTelemetry SDK is started; the SDK reads its further variables (OTEL_*) itself. Without an exporter
 * the SDK is not started (docs/decisions/0005). Only the sampler for a share of the requests is read here, because the
 * service asks this sampler before a span exists. An empty variable counts as unset (OpenTelemetry specification,
 * environment variables).
 */
export function telemetrySettings(environment: Environment): TelemetrySettings {
  const read = (name: string) => environment[name]?.trim() || undefined;
  const enabled = read("OTEL_SDK_DISABLED")?.toLowerCase() !== "true";
  const exporterOf = (signal: "TRACES" | "METRICS") => {
    const endpoint = read("OTEL_EXPORTER_OTLP_ENDPOINT") ?? read(`OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`);
    return read(`OTEL_${signal}_EXPORTER`) ?? (endpoint ? "otlp" : "none");
  };
  return {
    traces: enabled && exporterOf("TRACES") !== "none",
    otlpMetrics: enabled && exporterOf("METRICS") === "otlp",
    sampledRatio: read("OTEL_TRACES_SAMPLER") === SHARE_OF_ROOTS ? ratioOf(read("OTEL_TRACES_SAMPLER_ARG")) : undefined,
  };
}

const SHARE_OF_ROOTS = "parentbased_traceidratio";

/** Undefined for any text except a number from 0 to 1; the SDK reports invalid values. */
function ratioOf(text: string | undefined): number | undefined {
  const ratio = Number(text);
  return text !== undefined && ratio >= 0 && ratio <= 1 ? ratio : undefined;
}

function accountSettings(values: Values) {
  return {
    accountDeletionDays: values.SERVICE_ACCOUNT_DELETION_DAYS,
    organizationsPerUser: values.SERVICE_ORGANIZATIONS_PER_USER,
    registrationMode: values.SERVICE_REGISTRATION,
    initialOwnerEmail: values.SERVICE_INITIAL_OWNER_EMAIL,
    spoolDirectory: values.SERVICE_SPOOL_DIRECTORY,
  };
}
