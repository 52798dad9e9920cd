/** Limits of the record of decisions (docs/decisions/0019), beside those of `limits.ts`. */
/** One request in so many that was not refused is recorded. */
export const DECISION_SAMPLE = 100;
/** And no more than this between two writes: a hundredth of all session checks cost them a sixth of their rate. */
export const DECISION_SAMPLES_PER_FLUSH = 20;
/** Decisions that wait in a replica to be written, in fair shares of networks; the surplus is dropped and counted. */
export const DECISIONS_WAITING_MAX = 5_000;
/** At most one batch in each interval: a flood of refusals costs PostgreSQL no more than this. */
export const DECISION_BATCH = 1_000;
export const DECISION_FLUSH_MS = 1_000;
/** The surplus is deleted, the oldest of the networks that have most first: about half a gigabyte. */
export const DECISION_ROWS_MAX = 1_000_000;
/** Ten times what others delete at once: a flood of refusals on many replicas must not outrun the sweeper. */
export const DECISION_SWEEP_BATCH = 10_000;
export const DECISION_RULE_MAX_CHARACTERS = 300;
/** Requests of one id that are explained, oldest first: clients may repeat an id. */
export const EXPLAINED_REQUESTS_MAX = 20;
export const EXPLAINED_ENTRIES_MAX = 50;
/** The audit trail has no index on request ids: entries are looked for this close to the request. */
export const EXPLAINED_ENTRIES_WITHIN_MS = 60_000;
