/** Bounds of sessions, signing keys and revocation (docs/contract.md, section 20.1). */

/**
 * Live sessions of a user; the oldest sessions end beyond the maximum, because a change of the password ends all at
 * once.
 */
export const SESSIONS_PER_USER_MAX = 1_000;
/** Number of excess sessions that a sign-in ends. */
export const EXCESS_SESSIONS_AT_ONCE = 500;

// Signing keys (docs/contract.md, section 18.1)
export const SIGNING_KEY_MAX_AGE_MS = 90 * 24 * 3600 * 1000;
export const KEY_RING_POLL_MS = 5_000;
/**
 * An unknown `kid` may be a key of a rotation on another replica: the `kid` triggers a reload, at most one per
 * interval.
 */
export const KEY_RING_RELOAD_MIN_INTERVAL_MS = 1_000;
export const JWKS_MAX_AGE_SECONDS = 60;

// Revocation (docs/contract.md, sections 3.7 and 18.3)
export const REVOCATION_POLL_MS = 400;
/** Beyond this age of the last stream read, checks ask PostgreSQL (G8: one second). */
export const REVOCATION_CURRENT_MS = 900;
/** How long the stream alone suffices while the log in PostgreSQL cannot be read. */
export const REVOCATION_RECONCILED_MS = 2_000;
export const REVOCATION_STREAM_BLOCK_MS = 200;
export const REVOCATION_STREAM_MAX_ENTRIES = 100_000;
export const REVOCATION_BATCH = 5_000;
export const REVOCATION_ENTRIES_MAX = 500_000;
export const REVOCATION_FEED_MAX_AGE_SECONDS = 5;
/** How long the feed waits for a read of the log, which spares clients repeated entries. */
export const REVOCATION_FEED_WAIT_MS = 250;
export const REVOCATION_FEED_CACHE_SECONDS = 2;
/** A cached session is reloaded after this, even without a change event. */
export const SESSION_VIEW_TTL_MS = 30_000;
export const SESSION_VIEWS_MAX = 20_000;

/** Sessions that a transaction of a suspension revokes. */
export const SUSPENSION_BATCH = 1_000;
/** Sessions that a rule of the organization ends in one transaction; the rule refuses their requests before. */
export const ENFORCEMENT_BATCH = 200;
/** Members whose applications a rule of the organization judges in one statement. */
export const ENFORCEMENT_MEMBERS = 500;
export const ENFORCEMENT_PAUSE_MS = 10;
/** The session of a registration begins at most this long after the user: one statement inserts both. */
export const REGISTRATION_STATEMENT_MS = 10_000;
/** The link "This was not me" of a notice, and the time in which a browser causes no second notice. */
export const SIGN_IN_NOTICE_LIFETIME_MS = 24 * 3600 * 1000;
