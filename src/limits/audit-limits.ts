/** Bounds of the transparency log, beside those of limits.ts. */

/** How often what the trail has gained becomes leaves of the transparency log, and a checkpoint. */
export const SEQUENCER_PAUSE_MS = 1_000;
/** One replica appends; another one takes over this long after it has gone. */
export const SEQUENCER_LEASE_MS = 3_000;
/** Rows of one append: two tiles, hashed in milliseconds in which this thread serves no request. */
export const SEQUENCER_BATCH = 512;
/**
 * Rows of one statement while there is a backlog: each statement looks through all rows of the transactions that it
 * begins with, however many one of them has written.
 */
export const SEQUENCER_READ = 16 * SEQUENCER_BATCH;
/** Statements of one round, so that checkpoints are published while an old trail is taken in. */
export const SEQUENCER_READS_MAX = 4;
/** Transactions that one statement looks through; doubled while it finds no record. */
export const SEQUENCER_SPAN_TRANSACTIONS = 16_384;
/** How often each replica looks for records that no checkpoint covers, for the metric. */
export const AUDIT_LOG_WATCH_MS = 10_000;
/**
 * Checkpoints are sent to webhooks this far apart, the newest one last: a busy service signs one each second, and an
 * auditor gains nothing from more, since each covers all before it. A receiver that is away for as long as deliveries
 * are kept has 4,320 of them waiting, a tenth of what switches a webhook off.
 */
export const CHECKPOINT_ANNOUNCE_MS = 60_000;
export const WITNESS_DEADLINE_MS = 2_000;
/** A proof waits so long for a cosigned checkpoint: a witness has two requests for each, the second after a 409. */
export const COSIGNATURE_WAIT_SECONDS = 5;
export const WITNESS_RESPONSE_MAX_BYTES = 16 * 1024;
export const CHECKPOINT_CACHE_SECONDS = 1;
/** While a checkpoint of the size that an export has is about to be published. */
export const PROOF_RETRY_AFTER_SECONDS = 2;
