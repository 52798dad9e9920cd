/** Bounds of a process: worker pools, actors, metrics, start and shutdown. */

// Worker pools
export const HASH_DEADLINE_MS = 5_000;
export const SIGN_DEADLINE_MS = 5_000;
export const SIGN_QUEUE_MAX = 2_048;
/** Slots of the signing pool. At most twice this number are acquired, which the queue can hold. */
export const SIGN_SLOTS = SIGN_QUEUE_MAX / 2;
/** Two threads keep refreshes from queueing; more threads do not help on two cores. */
export const SIGN_WORKERS = 2;
/** Retries of the job of a dead worker. A job that kills two workers is the cause of the crash. */
export const WORKER_RETRIES = 1;
/** Jobs of one fairness key that wait for their turn behind all other jobs. */
export const TURNS_BEHIND_MAX = 64;

// Actors
export const MAILBOX_MAX = 10_000;
export const RESTART_PAUSE_MIN_MS = 100;
export const RESTART_PAUSE_MAX_MS = 5_000;
export const SWEEP_INTERVAL_MS = 60_000;
/** Longer than a pause and a round: the holder renews the lease, and another replica takes over an expired lease. */
export const SWEEP_LEASE_MS = 5 * 60_000;
export const SWEEP_BATCH = 1_000;
export const SWEEP_BATCHES_MAX = 50;
/** Ended sessions are kept this long, so that a late replay is still detected. */
export const SESSION_RETENTION_MS = 24 * 3600 * 1000;
export const AUDIT_PARTITIONS_AHEAD_MONTHS = 3;

// Metrics of several processes (SERVICE_PROCESSES)
/** A process that takes longer to respond is reported as late, with the totals of the last response. */
export const PROCESS_METRICS_DEADLINE_MS = 1_000;
/** Deadline of the metrics of all processes, joined by the supervisor. Beyond the deadline /metrics fails. */
export const ALL_METRICS_DEADLINE_MS = 3_000;

// Start, readiness and shutdown (docs/contract.md, sections 19.2 and 19.5)
export const START_RETRY_PAUSE_MAX_MS = 1_000;
/** An attempt takes up to `HASH_DEADLINE_MS`: a replica whose hash workers do not respond fails to start after 30 s. */
export const START_HASH_ATTEMPTS_MAX = 6;
/** How long a starting replica waits for Redis before starting without Redis. */
export const STATE_CONNECT_DEADLINE_MS = 2_000;
export const STATE_CONNECT_PAUSE_MS = 10;
/** A database that takes longer counts as unavailable. */
export const READINESS_DEADLINE_MS = 2_000;
/** A draining replica stops listening after this long without a request, or after `DRAIN_NOTICE_MAX_MS`. */
export const DRAIN_QUIET_MS = 300;
/** The longest that load balancers may take to notice that a replica is not ready. */
export const DRAIN_NOTICE_MAX_MS = 10_000;
export const DRAIN_DEADLINE_MS = 30_000;
/** The longest that a drained replica waits for the collector of traces and metrics. */
export const TELEMETRY_FLUSH_MAX_MS = 3_000;
/** A repeated signal within this time counts as a copy of the first signal, forwarded by a parent process. */
export const STOP_SIGNAL_REPEATED_MS = 1_000;
