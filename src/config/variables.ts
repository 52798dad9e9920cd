/**
 * Every environment variable in one table. docs/configuration.md repeats the table; a test compares table and document.
 */

import { tmpdir } from "node:os";
import { SIGN_IN_METHODS } from "../vocabulary/sign-in-method.ts";
import { isSocialProviderKey } from "../vocabulary/social-provider-config.ts";
import { ACCOUNT_VARIABLES } from "./account-variables.ts";
import { BRAND_VARIABLES } from "./brand-variables.ts";
import { EMAIL_VARIABLES } from "./email-variables.ts";
import { OAUTH_VARIABLES } from "./oauth-variables.ts";
import {
  type AddressRange,
  addressRange,
  base64Key,
  baseUrl,
  databaseUrl,
  emailAddress,
  exactOrigin,
  flag,
  folder,
  httpUrl,
  keyPrefix,
  listOf,
  oneOf,
  plainText,
  redisUrl,
  routePrefix,
  s3Url,
  secretOfAtLeast,
  type WitnessSetting,
  wholeNumber,
  witnessSetting,
} from "./parsers.ts";
import { SSO_VARIABLES } from "./sso-variables.ts";
import { TOKEN_VARIABLES } from "./token-variables.ts";
import { limit, optional, type Variable, variable } from "./variable.ts";

/** The minimum length of the root secret. */
export const SECRET_MIN_BYTES = 32;
export const DEFAULT_EXPORT_KEY = "insecure-audit-export-key";
const NO_RANGES: readonly AddressRange[] = [];
const NO_TEXTS: readonly string[] = [];
/** A way of the sign-in page. Providers by configuration are unknown at the start: their keys need the form alone. */
function signInMethod(text: string): string {
  if (SIGN_IN_METHODS.some((method) => method === text) || isSocialProviderKey(text)) return text;
  throw new Error(`one of ${SIGN_IN_METHODS.join(", ")}, or the key of a social provider`);
}

const SIGN_IN_METHOD_NAMES = SIGN_IN_METHODS.map((each) => `\`${each}\``).join(", ");
const NO_KEYS: readonly Buffer[] = [];
const NO_WITNESSES: readonly WitnessSetting[] = [];

export const VARIABLES = {
  DATABASE_URL: optional(databaseUrl, "Postgres; unset: an embedded one under the data directory"),
  REDIS_URL: optional(
    redisUrl,
    "state that replicas share, with `redis+sentinel://` by Sentinel; unset: held in this process, one replica only",
  ),
  SERVICE_DATABASE_POOLER: variable(
    oneOf("none", "session", "transaction"),
    "none",
    "none",
    "mode of the pooler behind `DATABASE_URL`, such as PgBouncer; `migrate` then sets the defaults of its role",
  ),
  SERVICE_MIGRATION_URL: optional(
    databaseUrl,
    "the same database for `migrate`: past the pooler, or as the owner of the tables; unset: `DATABASE_URL`",
  ),
  DATABASE_READ_URL: optional(
    databaseUrl,
    "a streaming replica for lists, searches, totals and exports; unset: `DATABASE_URL`",
  ),
  SERVICE_READ_MAX_LAG_MS: variable(
    wholeNumber(100, 600_000),
    2_000,
    "2000",
    "beyond this lag, in milliseconds, lists are read from `DATABASE_URL`",
  ),
  PORT: variable(wholeNumber(0, 65_535), 3000, "3000", "port to listen at; 0 lets the system choose"),
  HOST: variable(plainText, "127.0.0.1", "127.0.0.1", "address to listen at"),
  SERVICE_HTTP_IDLE_SECONDS: variable(
    wholeNumber(5, 255),
    75,
    "75",
    "how long a connection without a request stays open: longer than at the load balancer in front",
  ),
  SERVICE_PUBLIC_BASE_URL: optional(baseUrl, "issuer and base of links; `http://localhost:$PORT` only when embedded"),
  SERVICE_JWT_SECRET: optional(
    secretOfAtLeast(SECRET_MIN_BYTES),
    "root secret, at least 32 bytes; made and kept in the data directory only when embedded",
  ),
  SERVICE_ROUTE_PREFIX: variable(routePrefix, "/v1", "/v1", "prefix of the API's paths"),
  ...TOKEN_VARIABLES,
  SERVICE_COOKIES_SECURE: optional(flag, "`Secure` on cookies; default: true when the public base URL is https"),
  SERVICE_ARGON2_MEMORY_KIB: variable(wholeNumber(1_024, 1_048_576), 19_456, "19456", "Argon2id memory"),
  SERVICE_ARGON2_TIME: variable(wholeNumber(1, 20), 2, "2", "Argon2id passes"),
  SERVICE_ARGON2_PARALLELISM: variable(wholeNumber(1, 16), 1, "1", "Argon2id lanes"),
  SERVICE_PROCESSES: variable(
    wholeNumber(1, 64),
    1,
    "1",
    "processes that share the port, each a replica of its own; more than one need Postgres and Redis",
  ),
  SERVICE_HASH_WORKERS: optional(
    wholeNumber(1, 256),
    "threads that hash, in each process; default: the number of cores, shared out among the processes",
  ),
  SERVICE_HASH_QUEUE: optional(wholeNumber(1, 100_000), "hashing jobs that may wait; default: 64 per worker"),
  SERVICE_SIGNER: variable(
    oneOf("auto", "runtime"),
    "auto",
    "auto",
    "RS256: `auto` uses OpenSSL 3 if the library can be loaded, `runtime` the cryptography of Bun or Deno",
  ),
  SERVICE_LIBCRYPTO: optional(
    plainText,
    "the library of OpenSSL 3, a path or a name; default: `libcrypto.so.3`, on macOS `libcrypto.3.dylib`",
  ),
  SERVICE_RATE_LIMITS: variable(oneOf("on", "off"), "on", "on", "`off` for load tests"),
  SERVICE_RATE_LIMIT_SIGN_IN: limit(60, 60, "sign-in routes, per address"),
  SERVICE_RATE_LIMIT_REGISTER: limit(60, 60, "registrations, per address"),
  SERVICE_RATE_LIMIT_SIGN_UP: limit(30, 3600, "requests for a code to sign up, per client network"),
  SERVICE_RATE_LIMIT_PASSWORD_PAIR: limit(10, 900, "wrong passwords of one account from one address"),
  SERVICE_RATE_LIMIT_PASSWORD_ACCOUNT: limit(100, 900, "wrong passwords of one account from all addresses"),
  SERVICE_RATE_LIMIT_MAIL: limit(5, 900, "emails of one kind to one address; invitations count per organization"),
  SERVICE_RATE_LIMIT_MAIL_NETWORK: limit(30, 3600, "emails of all kinds to one address that one network causes"),
  SERVICE_RATE_LIMIT_MAIL_ADDRESS: limit(60, 3600, "emails of all kinds to one address"),
  SERVICE_RATE_LIMIT_INVITER: limit(20, 3600, "invitations that one user has mailed"),
  SERVICE_RATE_LIMIT_ORGANIZATION_INVITATIONS: limit(100, 3600, "invitations that one organization has mailed"),
  SERVICE_RATE_LIMIT_NETWORK_INVITATIONS: limit(
    20,
    3600,
    "invitations that one network has mailed, over all organizations younger than 7 days",
  ),
  SERVICE_RATE_LIMIT_ADDRESS_INVITATIONS: limit(30, 3600, "invitations to one address, over all organizations"),
  SERVICE_RATE_LIMIT_INTEGRATIONS: limit(100, 60, "the endpoints of provider integrations, per address"),
  SERVICE_RATE_LIMIT_OAUTH: limit(6_000, 60, "requests of applications to `/oauth2/`, per address"),
  SERVICE_RATE_LIMIT_OAUTH_REGISTRATION: limit(
    10,
    3600,
    "registrations of applications by themselves, their changes and deletions, per address",
  ),
  SERVICE_RATE_LIMIT_OAUTH_WAITING: limit(600, 60, "authorization requests that wait for their user, per address"),
  SERVICE_RATE_LIMIT_PAGES: limit(300, 60, "forms of pages that have no other limit of addresses, per address"),
  SERVICE_RATE_LIMIT_PUBLIC_READS: limit(
    3_000,
    60,
    "avatars, the transparency log, and pages of invitations and authorization requests, per address",
  ),
  SERVICE_RATE_LIMIT_SCIM: limit(6_000, 60, "requests of the directory of one organization (SCIM)"),
  SERVICE_RATE_LIMIT_SCIM_INVITATIONS: limit(
    1_000,
    86_400,
    "invitations that the directory of one organization mails (SCIM); further emails wait",
  ),
  SERVICE_RATE_LIMIT_CALLER: limit(
    120,
    60,
    "signed-in requests that write, sign, hash or mail, and refreshes, per user",
  ),
  SERVICE_RATE_LIMIT_PROGRAM: limit(
    6_000,
    60,
    "all requests of a program, per service account; a batch counts as its users; SCIM has its own",
  ),
  SERVICE_PASSWORD_CHECK: variable(
    oneOf("off", "list", "hibp"),
    "list",
    "list",
    "refuse common passwords: by a built-in `list`, or by range queries to Have I Been Pwned (`hibp`)",
  ),
  SERVICE_PASSWORD_CHECK_URL: variable(
    httpUrl,
    "https://api.pwnedpasswords.com",
    "https://api.pwnedpasswords.com",
    "where `hibp` asks",
  ),
  SERVICE_TRUSTED_PROXIES: variable(
    listOf(addressRange),
    NO_RANGES,
    "empty",
    "CIDR list of proxies that name the client",
  ),
  SERVICE_WEBHOOK_ALLOW: variable(
    listOf(addressRange),
    NO_RANGES,
    "empty",
    "CIDR list of private addresses that webhooks, event streams and logouts of clients may be sent to",
  ),
  SERVICE_CORS_ORIGINS: variable(listOf(exactOrigin), NO_TEXTS, "empty", "front ends with the user's session"),
  SERVICE_CONFIG_KEY: optional(base64Key, "base64 of 32 bytes; seals provider secrets"),
  SERVICE_CONFIG_KEYS_PREVIOUS: variable(
    listOf(base64Key),
    NO_KEYS,
    "empty",
    "comma list of older keys, to open what they sealed",
  ),
  ...EMAIL_VARIABLES,
  SERVICE_GEOIP_FILE: optional(
    plainText,
    "MMDB file with the records of GeoIP2 City or Country: sessions and notices then name the place of an address",
  ),
  SERVICE_EMAIL_TEMPLATES: optional(folder, "folder of email templates that replace the built-in ones"),
  SERVICE_PAGES: variable(
    flag,
    true,
    "on",
    "the pages for people; `off` for a deployment whose own front end serves their paths",
  ),
  SERVICE_SIGN_IN_METHODS: variable(
    listOf(signInMethod),
    [],
    "unset",
    `order of the ways on the sign-in page: ${SIGN_IN_METHOD_NAMES}, keys of social providers; unnamed ways follow`,
  ),
  ...BRAND_VARIABLES,
  ...SSO_VARIABLES,
  SERVICE_KEY_PREFIX: optional(
    keyPrefix,
    "how API keys begin, before `_sk_`, for secret scanners; default: the letters and digits of the brand name",
  ),
  SERVICE_ADMIN_REQUIRE_MFA: optional(
    flag,
    "whether a platform role needs a session with a second factor (`aal2`); default: on when `DATABASE_URL` is set",
  ),
  SERVICE_REQUIRE_VERIFIED_EMAIL: variable(
    flag,
    false,
    "off",
    "whether an account without a verified address may only read its session, confirm the address and sign out",
  ),
  ...OAUTH_VARIABLES,
  SERVICE_S3_URL: optional(
    s3Url,
    "S3-compatible store for pictures, `https://key:secret@host/bucket?region=`; unset: they are stored in Postgres",
  ),
  SERVICE_AUDIT_EXPORT_KEY: variable(
    plainText,
    DEFAULT_EXPORT_KEY,
    "insecure, with a warning",
    "HMAC key of the audit export",
  ),
  ...ACCOUNT_VARIABLES,
  SERVICE_DECISION_LOG: variable(
    flag,
    true,
    "on",
    "decisions about requests, which `explain` reads: all refusals; of polls of devices and the rest a sample",
  ),
  SERVICE_DECISION_LOG_DAYS: variable(wholeNumber(1, 90), 7, "7", "how long decisions about requests are kept"),
  SERVICE_AUDIT_WITNESSES: variable(
    listOf(witnessSetting),
    NO_WITNESSES,
    "empty",
    "comma list of witnesses that cosign checkpoints of the audit trail, each `verifier-key https://address`",
  ),
  SERVICE_AUDIT_WITNESS_QUORUM: variable(
    wholeNumber(0, 100),
    0,
    "0",
    "cosignatures without which no checkpoint is published; 0: published at once, cosignatures are added as they come",
  ),
  SERVICE_AUDIT_CHECKPOINT_DIR: optional(
    folder,
    "folder where checkpoints are written: the newest, and the last one of each day",
  ),
  SERVICE_SPOOL_DIRECTORY: variable(
    plainText,
    tmpdir(),
    "the system's temporary folder",
    "where an audit export is spooled, without a name and unreadable for others",
  ),
  SERVICE_INITIAL_OWNER_EMAIL: optional(
    emailAddress,
    "the user who proves control of this address becomes platform owner",
  ),
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

export type Environment = Readonly<Record<string, string | undefined>>;

/** The parsed value of every variable. */
export type Values = {
  readonly [Name in keyof typeof VARIABLES]: (typeof VARIABLES)[Name] extends Variable<infer Value> ? Value : never;
};
