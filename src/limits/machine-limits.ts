/** Bounds of service accounts, API keys and webhooks (docs/contract.md, chapters 25 and 26). */

// Service accounts and API keys
/** Per organization, and for the platform. */
export const SERVICE_ACCOUNTS_MAX = 100;
/** Two keys, so that a key can be replaced without a gap. */
export const LIVE_KEYS_MAX = 2;
/** The prefix of a deployment before `_sk_` (`SERVICE_KEY_PREFIX`). */
export const KEY_PREFIX_MAX_CHARACTERS = 20;
export const API_KEY_LIFETIME_DAYS_DEFAULT = 90;
export const API_KEY_LIFETIME_DAYS_MAX = 365;
/** The lifetime of a key with scopes of directories only: a silent end of provisioning is a risk of its own. */
export const SCIM_KEY_LIFETIME_DAYS_MAX = 730;
/** Ended keys are kept this long, so that lists include the keys. */
export const API_KEY_RETENTION_MS = 90 * 24 * 3600 * 1000;
export const API_KEYS_LISTED_MAX = 100;
export const ALLOWED_IPS_MAX = 32;
export const ALLOWED_REFERRERS_MAX = 32;
/** Ids of recently presented keys, by hash. */
export const KNOWN_KEYS_MAX = 20_000;
/** Keys whose last use waits in memory for the next write. */
export const KEY_USES_MAX = 20_000;
export const KEY_USES_WRITE_MS = 60_000;
export const KEY_USE_RESOLUTION_MS = 60_000;

// Access tokens of service accounts
/** The lifetime of a token by an API key, and the default of a trust. */
export const PROGRAM_TOKEN_SECONDS = 900;
/** Bounds of `token_seconds` of a trust. */
export const PROGRAM_TOKEN_MIN_SECONDS = 60;
export const PROGRAM_TOKEN_MAX_SECONDS = 3600;

// Webhooks
/** Per organization, and for the platform. */
export const WEBHOOKS_MAX = 20;
export const WEBHOOK_URL_MAX_CHARACTERS = 2_000;
export const WEBHOOK_EVENT_TYPES_MAX = 50;
export const WEBHOOK_SECRET_BYTES = 32;
/** After a rotation, deliveries are signed with the previous secret too for this long. */
export const WEBHOOK_PREVIOUS_SECRET_MS = 24 * 3600 * 1000;
/**
 * Rotations of a secret within this time count as a single rotation: the receiver has the secret before the first
 * rotation.
 */
export const WEBHOOK_ROTATION_REPEATED_MS = 10_000;
export const WEBHOOK_POLL_MS = 1_000;
/** Deliveries in progress on a replica; a webhook has at most `WEBHOOK_BATCH` deliveries in progress. */
export const WEBHOOK_IN_PROGRESS_MAX = 128;
export const WEBHOOK_BATCH = 16;
/** Pushed event streams, checkpoints and tests have slots of their own. */
export const WEBHOOK_STREAMS_IN_PROGRESS_MAX = 64;
export const WEBHOOK_CHECKPOINTS_IN_PROGRESS_MAX = 32;
export const WEBHOOK_TESTS_IN_PROGRESS_MAX = 32;
/**
 * A receiver that takes longer on average is slow: a slow receiver has fewer slots, and all slow receivers share half
 * of the slots.
 */
export const WEBHOOK_SLOW_AFTER_MS = 1_000;
export const WEBHOOK_SLOW_BATCH = 4;
/** Slow receivers that a replica remembers. */
export const WEBHOOK_SLOW_REMEMBERED_MAX = 256;
/** Pause between two leases of a replica, so that a lease refills several slots. */
export const WEBHOOK_REFILL_MS = 10;
/** After this time, other replicas send the deliveries of a replica that crashed. Longer than a delivery may take. */
export const WEBHOOK_LEASE_MS = 10_000;
/**
 * Consecutive transactions that lease no delivery, because the transactions only end expired deliveries or block
 * receivers.
 */
export const WEBHOOK_LEASE_ROUNDS_MAX = 20;
/** A request, including name resolution and response. */
export const WEBHOOK_SEND_DEADLINE_MS = 5_000;
export const WEBHOOK_RESPONSE_MAX_BYTES = 64 * 1024;
export const WEBHOOK_RESPONSE_KEPT_BYTES = 1_024;
export const WEBHOOK_RETRY_MIN_MS = 5_000;
export const WEBHOOK_RETRY_MAX_MS = 3600 * 1000;
/** The longest `Retry-After` of a receiver that is honoured. */
export const WEBHOOK_RETRY_AFTER_MAX_MS = 3600 * 1000;
/** Migration 0011 gives new deliveries an equal lifetime. */
export const WEBHOOK_DELIVERY_LIFETIME_MS = 3 * 24 * 3600 * 1000;
/** How long ended deliveries are listed. */
export const WEBHOOK_DELIVERY_RETENTION_MS = 7 * 24 * 3600 * 1000;
/** A webhook with more pending deliveries is switched off. */
export const WEBHOOK_BACKLOG_MAX = 50_000;
/**
 * The newest deliveries that are kept when a webhook is switched on again; the rest of the backlog is room for new
 * deliveries.
 */
export const WEBHOOK_BACKLOG_KEPT = 25_000;
/**
 * Older deliveries are given up in batches of this size, every batch within the deadline of a statement; a request
 * gives up at most 250,000.
 */
export const WEBHOOK_DROP_BATCH = 5_000;
export const WEBHOOK_DROP_BATCHES_MAX = 50;
export const WEBHOOK_BACKLOG_CHECK_MS = 60_000;
/**
 * Owners get a notice about a webhook that has failed for this long, once; a notice has a maximum number of recipients.
 */
export const WEBHOOK_FAILING_NOTICE_MS = 3600 * 1000;
export const WEBHOOK_NOTICE_RECIPIENTS_MAX = 20;
export const WEBHOOK_NOTICES_BATCH = 20;
export const WEBHOOK_NOTICES_LOOK_MS = 30_000;
/** `webhooks listen`: the pause between two looks for events, and the deadline of a request to the local receiver. */
export const WEBHOOK_LISTEN_LOOK_MS = 500;
export const WEBHOOK_LISTEN_DEADLINE_MS = 30_000;
/** Deliveries repeated by a request; a longer range continues in the next request. */
export const WEBHOOK_REPEATED_MAX = 5_000;
export const WEBHOOK_REPEAT_BATCH = 500;
/** How far back a range may begin. */
export const WEBHOOK_RECOVERY_MAX_MS = 30 * 24 * 3600 * 1000;
/** Events of a webhook are listed for this long. The page maximum and the number of scanned records apply per page. */
export const WEBHOOK_EVENTS_RETENTION_MS = 30 * 24 * 3600 * 1000;
export const WEBHOOK_EVENTS_PAGE_MAX = 100;
export const WEBHOOK_EVENTS_PAGE_DEFAULT = 50;
export const WEBHOOK_EVENTS_SCANNED_MAX = 5_000;
/** How long a page waits for transactions that may still insert earlier records, and the interval of the checks. */
export const WEBHOOK_EVENTS_SETTLE_MS = 1_000;
export const WEBHOOK_EVENTS_SETTLE_LOOK_MS = 25;
/** How often a replica reads the waiting deliveries, for the metrics. */
export const WEBHOOK_WATCH_MS = 15_000;
/** Pending deliveries of a webhook that the metrics count. `WEBHOOK_BACKLOG_MAX` switches a webhook off before. */
export const WEBHOOK_WATCHED_MAX = 2 * WEBHOOK_BACKLOG_MAX;
/** Ready deliveries of a webhook and lane that are read to find the oldest due delivery. */
export const WEBHOOK_WATCHED_HEADS = 100;
/** The organizations in the list of a key of the platform. */
export const REACH_MAX = 100;
