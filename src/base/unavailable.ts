/** Failures of a dependency after which a repetition of the request can succeed. */

/** The database gave no response in time, or has too much waiting work. */
export class DatabaseUnavailable extends Error {
  readonly code = "DATABASE_UNAVAILABLE";
}

/**
 * SQLSTATE (PostgreSQL manual, appendix A): deadlock and serialization failure after the last attempt, lock and
 * statement time-outs, time-out in a transaction, a standby after a switch-over. Classes: 08 connection exception, 53
 * insufficient resources, 57P operator intervention.
 */
const SQLSTATES = new Set(["25006", "25P03", "40001", "40P01", "55P03", "57014"]);
const SQLSTATE_CLASS = /^(08|53|57P)[0-9A-Z]{2,3}$/;
/** Codes of the driver and of sockets. */
const CONNECTION_CODES = new Set([
  "CONNECTION_CLOSED",
  "CONNECTION_DESTROYED",
  "CONNECTION_ENDED",
  "CONNECT_TIMEOUT",
  "DATABASE_UNAVAILABLE",
  "EAI_AGAIN",
  "ECONNREFUSED",
  "ECONNRESET",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EPIPE",
  "ETIMEDOUT",
]);

/** Whether PostgreSQL was unavailable: no connection, no resources, or no response in time. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string") return false;
  // A connection that the server refused or ended, for example a database without permitted connections.
  if ("severity" in error && error.severity === "FATAL") return true;
  return SQLSTATES.has(error.code) || SQLSTATE_CLASS.test(error.code) || CONNECTION_CODES.has(error.code);
}
