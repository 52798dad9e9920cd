/** Bounds of the state shared by replicas: Redis, and tables in the memory of every replica. */

// Tables in the memory of every replica
/** Changes arrive by the stream; without Redis, within a poll. */
export const REPLICATED_TABLE_POLL_MS = 5_000;
/** A message ends the wait at once; the bound finds a connection that was lost silently. */
export const REPLICATED_TABLE_BLOCK_MS = 1_000;
export const REPLICATED_TABLE_STREAM_MAX_ENTRIES = 100;

// Cross-replica state
export const STATE_COMMAND_TIMEOUT_MS = 250;
/** Deadline of a connection to Redis, cluster discovery included. */
export const STATE_CONNECTION_TIMEOUT_MS = 1_000;
/**
 * Pause before Redis is probed after a failure, so that a loss of Redis slows a single command and not every command.
 */
export const STATE_RETRY_AFTER_MS = 1_000;
/**
 * After this number of failed probes all connections are closed; after this number of unanswered reads of a stream, the
 * connection of the stream. The probes in between leave time to connect: on a busy machine, a connection through a
 * sentinel takes longer than the pause between two probes.
 */
export const STATE_RECONNECT_PROBES = 5;
export const LOCAL_COUNTERS_MAX = 100_000;
/** Exhausted limits, by key, so that further requests cost neither PostgreSQL nor Redis. */
export const EXHAUSTED_LIMITS_MAX = 20_000;
/** How long a sign-in waits for concurrent attempts at the account. */
export const ATTEMPT_WAIT_MS = 2_000;
export const ATTEMPT_WAIT_STEP_MS = 50;

/** The key that a probe of Redis writes, and its lifetime. */
export const STATE_PROBE_KEY = "service:probe";
export const STATE_PROBE_LIFETIME_MS = 1_000;
