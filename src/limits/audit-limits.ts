/** Bounds of searches in the trail, of the transparency log and of exports. */

// Searches
/** A text is compared with the newest entries of the remaining filters, so that no search reads a whole trail. */
export const AUDIT_SEARCHED_MAX = 50_000;
/** Users whose address or name contains the text, newest first; entries of these users match the search. */
export const AUDIT_SEARCHED_USERS_MAX = 100;

// Transparency log
/** How often new records of the trail become leaves of the transparency log, with a checkpoint. */
export const SEQUENCER_PAUSE_MS = 1_000;
/** A single replica appends; another replica takes over this long after a crash. */
export const SEQUENCER_LEASE_MS = 3_000;
/** Rows of one append: two tiles. */
export const SEQUENCER_BATCH = 512;
/** Rows hashed in one turn of the event loop, a tenth of a millisecond: requests wait no longer for an append. */
export const SEQUENCER_STEP = 8;
/**
 * Rows of a statement while there is a backlog: a statement reads all rows of the first transactions, however many rows
 * a transaction has written.
 */
export const SEQUENCER_READ = 16 * SEQUENCER_BATCH;
/** Statements of a round, so that checkpoints are published while an old trail is appended. */
export const SEQUENCER_READS_MAX = 4;
/** Transactions that a statement reads; doubled while the statement finds no record. */
export const SEQUENCER_SPAN_TRANSACTIONS = 16_384;
/** How often a replica looks for records without a checkpoint, for the metric. */
export const AUDIT_LOG_WATCH_MS = 10_000;
/**
 * Interval between checkpoints sent to webhooks, the newest checkpoint last: a busy service signs a checkpoint every
 * second, and more checkpoints do not help an auditor, because a checkpoint covers all earlier checkpoints. A receiver
 * that is unavailable for the lifetime of deliveries has 4,320 waiting checkpoints, a tenth of the backlog that
 * switches a webhook off.
 */
export const CHECKPOINT_ANNOUNCE_MS = 60_000;
export const WITNESS_DEADLINE_MS = 2_000;
/** A proof waits this long for a cosigned checkpoint: a witness needs up to two requests, the second after a 409. */
export const COSIGNATURE_WAIT_SECONDS = 5;
export const WITNESS_RESPONSE_MAX_BYTES = 16 * 1024;
export const CHECKPOINT_CACHE_SECONDS = 1;
/** Returned while a checkpoint that covers the export is about to be published. */
export const PROOF_RETRY_AFTER_SECONDS = 2;

// Exports
/** Concurrent exports of a replica; further exports get 429 (docs/contract.md, section 17.4). */
export const EXPORTS_MAX = 2;
export const EXPORT_RETRY_AFTER_SECONDS = 30;
/** Idle time-out of a connection while an export is spooled. The maximum that Bun accepts. */
export const EXPORT_IDLE_SECONDS = 255;
export const EXPORT_DEADLINE_MS = (EXPORT_IDLE_SECONDS - 5) * 1000;
