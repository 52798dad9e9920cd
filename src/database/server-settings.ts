/**
 * The settings of PostgreSQL that the service relies on. The defaults of a server, a database or a role may differ: the
 * service sets the settings of sessions on its connections, by startup parameters, or behind a pooler as settings of
 * the role (docs/decisions/0011). `doctor` compares the settings in force, and checks the settings that belong to the
 * operator. The table for operators is in docs/operating.md.
 */
import { DATABASE_STATEMENT_TIMEOUT_MS } from "../limits/database-limits.ts";

/** PostgreSQL's own default. */
const WORK_MEM_MIN_KIB = 4_096;

export interface SessionSetting {
  readonly name: string;
  /** As `pg_settings` prints the value. */
  readonly value: string;
  readonly reason: string;
  /** Whether PgBouncer accepts the setting as a startup parameter, and restores the value for each client. */
  readonly isTracked?: true;
}

/** Settings that the service sets. Each exists since PostgreSQL 14, and a role may change each for itself. */
export const SESSION_SETTINGS: readonly SessionSetting[] = [
  {
    name: "statement_timeout",
    value: String(DATABASE_STATEMENT_TIMEOUT_MS),
    reason: "a statement ends before the client's deadline; a shorter time-out refuses requests",
  },
  {
    name: "idle_in_transaction_session_timeout",
    value: String(DATABASE_STATEMENT_TIMEOUT_MS),
    reason: "the locks of a replica that disappeared during a transaction are released",
  },
  { name: "lock_timeout", value: "0", reason: "a statement may wait for a lock until its time-out" },
  { name: "idle_session_timeout", value: "0", reason: "the pool closes idle connections itself" },
  {
    name: "default_transaction_isolation",
    value: "read committed",
    reason: "statements read the newest rows under a lock, and wait instead of failing",
  },
  { name: "default_transaction_read_only", value: "off", reason: "the primary takes writes" },
  { name: "search_path", value: "public", reason: "the tables are in the schema public" },
  {
    name: "jit",
    value: "off",
    reason: "statements take milliseconds; the compilation of a plan takes longer than the statement",
  },
  { name: "plan_cache_mode", value: "auto", reason: "prepared statements use one plan" },
  { name: "client_encoding", value: "UTF8", reason: "the encoding of the driver", isTracked: true },
  { name: "DateStyle", value: "ISO, MDY", reason: "the format of dates that the driver reads", isTracked: true },
  { name: "TimeZone", value: "UTC", reason: "days of PostgreSQL are days of UTC", isTracked: true },
  { name: "standard_conforming_strings", value: "on", reason: "a backslash is a character", isTracked: true },
  { name: "bytea_output", value: "hex", reason: "the format of binary values that the driver reads" },
  { name: "extra_float_digits", value: "1", reason: "numbers are read without a loss of digits" },
  { name: "array_nulls", value: "on", reason: "a list can have an element without a value" },
];

/** A setting that belongs to the operator. */
export interface CheckedSetting {
  readonly name: string;
  /** `value`: as `pg_settings` prints the value. */
  readonly isSound: (value: string) => boolean;
  readonly level: "warning" | "failure";
  /** The effect of a value that is not sound. */
  readonly effect: string;
  readonly remedy: string;
}

/** Settings that `doctor` checks. A server that does not know a setting passes. */
export const CHECKED_SETTINGS: readonly CheckedSetting[] = [
  {
    name: "synchronous_commit",
    isSound: (value) => value !== "off",
    level: "failure",
    effect: "a crash of PostgreSQL loses changes that the service has confirmed, such as revocations",
    remedy: "set it to on",
  },
  {
    name: "session_replication_role",
    isSound: (value) => value === "origin",
    level: "failure",
    effect: "triggers and foreign keys do not work",
    remedy: "set it to origin",
  },
  {
    name: "transaction_timeout",
    isSound: (value) => value === "0",
    level: "warning",
    effect: "long exports and migrations are cancelled",
    remedy: "set it to 0",
  },
  {
    name: "work_mem",
    isSound: (value) => Number(value) >= WORK_MEM_MIN_KIB,
    level: "warning",
    effect: "lists and counts are sorted on disk",
    remedy: "set it to 4MB or more",
  },
  {
    name: "autovacuum",
    isSound: (value) => value === "on",
    level: "warning",
    effect: "queues and sessions grow without bound, and plans follow old statistics",
    remedy: "set it to on",
  },
];

/** Startup parameters of a connection to the server itself. */
export const startupParameters = parametersOf(SESSION_SETTINGS);

/** Startup parameters of a connection to a pooler. */
export const pooledStartupParameters = parametersOf(SESSION_SETTINGS.filter(({ isTracked }) => isTracked));

function parametersOf(settings: readonly SessionSetting[]): Readonly<Record<string, string>> {
  return Object.fromEntries(settings.map(({ name, value }) => [name, value]));
}
