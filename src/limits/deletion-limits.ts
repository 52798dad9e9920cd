/** Periods and bounds of deletions and exports (docs/contract.md, chapter 30). */

const DAY_MS = 24 * 3600 * 1000;

export const ACCOUNT_DELETION_DAYS_DEFAULT = 14;
export const ACCOUNT_DELETION_DAYS_MAX = 30;
export const ORGANIZATION_DELETION_DAYS = 30;
/** The id of an erased user or organization is kept for this time, for the replay after the restore of a backup. */
export const ERASURE_TOMBSTONE_MS = 180 * DAY_MS;
/** A deletion notifies at most this number of owners, or of former addresses of the user. */
export const DELETION_NOTICES_MAX = 100;
/** An administrator's reason, in characters. */
export const DELETION_REASON_MAX = 500;

/** Pause between two rounds of a replica that looks for due erasures and exports. */
export const DATA_REQUEST_POLL_MS = 2_000;
/** From the request to the earliest erasure; longer than `DECISION_FLUSH_MS` and most requests under way. */
export const ERASURE_SETTLE_MS = 3_000;
/** Erasures of one round of one replica. */
export const ERASURES_BATCH = 20;
/** Rows of one statement outside of the erasing transaction. */
export const ERASURE_ROWS_BATCH = 1_000;

export const DATA_EXPORT_MAX_BYTES = 50 * 1024 * 1024;
export const DATA_EXPORT_LIFETIME_MS = DAY_MS;
/** A user requests at most one export in this time. */
export const DATA_EXPORT_INTERVAL_MS = DAY_MS;
/** Longer than the making of the largest export: another replica continues after a crash. */
export const DATA_EXPORT_LEASE_MS = 5 * 60_000;
export const DATA_EXPORT_ATTEMPTS_MAX = 5;
/** Plaintext bytes of one stored part, and so of one read of a download. */
export const DATA_EXPORT_PART_BYTES = 512 * 1024;
/** Rows of one read while an export is made. */
export const DATA_EXPORT_ROWS_BATCH = 500;
/** Sessions and devices in an export: those of this period. */
export const DATA_EXPORT_SESSIONS_MS = 90 * DAY_MS;
