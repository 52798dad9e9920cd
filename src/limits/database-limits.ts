/** Time-outs and bounds of PostgreSQL and of the read replica. */

// PostgreSQL
export const DATABASE_STATEMENT_TIMEOUT_MS = 5_000;
export const DATABASE_CONNECT_TIMEOUT_SECONDS = 2;
export const DATABASE_RECONNECT_PAUSE_MAX_SECONDS = 0.5;
/** Attempts of `migrate` to connect to a PostgreSQL that starts, and the pause between: about 30 s. */
export const DATABASE_START_ATTEMPTS = 30;
export const DATABASE_START_PAUSE_MS = 1_000;
/** Client-side deadline: a frozen server does not enforce its own time-out. */
export const DATABASE_DEADLINE_MS = 8_000;
export const DATABASE_QUEUE_MAX = 2_000;
/** Transactions of one turn that wait or run in a process. */
export const DATABASE_TURN_MAX = 200;
export const TRANSACTION_ATTEMPTS = 3;
/** `Retry-After` while the database is unavailable: the pool reconnects in less. */
export const UNAVAILABLE_RETRY_SECONDS = 5;
/** Reads of concurrent requests that share a statement. */
export const READS_PER_STATEMENT_MAX = 64;

// Read replica (docs/decisions/0012). Polls: a fraction of the permitted lag, within bounds
export const READ_REPLICA_POLLS_PER_LAG = 8;
export const READ_REPLICA_POLL_MIN_MS = 20;
export const READ_REPLICA_POLL_MAX_MS = 500;
/** Beyond the permitted lag, for the time between a commit and its mark. */
export const READ_WRITER_MARGIN_MS = 500;
/** By how much the clocks of replicas may differ. */
export const READ_WRITER_SKEW_MS = 5_000;
