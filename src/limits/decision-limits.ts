/** Limits of the record of decisions (docs/decisions/0019). */

/** Reciprocal of the share of recorded requests among requests that were not refused. */
export const DECISION_SAMPLE = 100;
/**
 * Maximum number of samples between two writes: a hundredth of all session checks cost a sixth of the rate of session
 * checks.
 */
export const DECISION_SAMPLES_PER_FLUSH = 20;
/**
 * Maximum number of requests in a minute that are recorded for the same failed or cut claims of an operation: a mapping
 * that fails at every sign-in is explained by a few records.
 */
export const DECISION_CLAIMS_PER_MINUTE = 20;
/** As above, for all claims and operations together: a record a second. */
export const DECISION_CLAIMS_TOTAL_PER_MINUTE = 60;
/** Decisions that wait in a replica to be written, in fair shares of networks; the excess is dropped and counted. */
export const DECISIONS_WAITING_MAX = 5_000;
/** At most one batch per interval bounds the cost of a flood of refusals for PostgreSQL. */
export const DECISION_BATCH = 1_000;
export const DECISION_FLUSH_MS = 1_000;
/** Excess rows are deleted, the oldest rows of the networks with the most rows first: about half a gigabyte. */
export const DECISION_ROWS_MAX = 1_000_000;
/** Ten times the usual batch: a flood of refusals on many replicas must not outrun the sweeper. */
export const DECISION_SWEEP_BATCH = 10_000;
export const DECISION_RULE_MAX_CHARACTERS = 300;
/** Requests with an identical id that are explained, oldest first: clients may repeat an id. */
export const EXPLAINED_REQUESTS_MAX = 20;
export const EXPLAINED_ENTRIES_MAX = 50;
/** The audit trail has no index on request ids: entries are looked for this close to the request. */
export const EXPLAINED_ENTRIES_WITHIN_MS = 60_000;
