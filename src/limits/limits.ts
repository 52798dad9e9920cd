/**
 * Lifetimes, caps and sizes, with the unit in the name (docs/architecture.md, rule 8); a feature with many limits has a
 * file in this folder. Operator settings: src/config/variables.ts.
 */

// Wire (docs/contract.md, sections 2.2, 2.5 and 20.1)
export const JSON_BODY_MAX_BYTES = 64 * 1024;
export const JSON_MAX_DEPTH = 32;
export const BODY_READ_DEADLINE_MS = 10_000;
export const PAGE_SIZE_DEFAULT = 25;
export const PAGE_SIZE_MAX = 100;
/** Keeps OFFSET within an int4; later pages are always empty. */
export const PAGE_MAX = 10_000_000;
export const USER_AGENT_MAX_CHARACTERS = 512;
export const TOKEN_MAX_CHARACTERS = 4096;
export const HTTP_IDLE_TIMEOUT_SECONDS = 60;

// Names, addresses, passwords (docs/contract.md, sections 2.4 and 20.1)
export const EMAIL_MAX_CHARACTERS = 254;
export const NAME_MAX_CHARACTERS = 120;
export const PASSWORD_MIN_CODE_POINTS = 12;
export const PASSWORD_MAX_CODE_POINTS = 256;
/** Imported hashes: maximum cost of a verification at sign-in, minimum and maximum size of the key. */
export const IMPORTED_ARGON2_MEMORY_MAX_KIB = 256 * 1024;
export const IMPORTED_ARGON2_PASSES_MAX = 20;
export const BCRYPT_COST_MAX = 14;
/** bcrypt ignores the bytes of a password beyond this. */
export const BCRYPT_BYTES_MAX = 72;
export const SCRYPT_MEMORY_MAX_BYTES = 256 * 1024 * 1024;
export const SCRYPT_PARALLELIZATION_MAX = 16;
export const PBKDF2_ITERATIONS_MAX = 2_000_000;
export const IMPORTED_KEY_MIN_BYTES = 16;
export const IMPORTED_KEY_MAX_BYTES = 64;
/** Distinct costs of stored hashes that a replica measures. An import from a single system has one or two costs. */
export const PASSWORD_COSTS_MAX = 64;
export const PASSWORD_COSTS_POLL_MS = 5_000;
/** Interval at which the slowest cost is measured again. */
export const PASSWORD_COST_MEASURE_MS = 60_000;
/** Lifetime of a sample. */
export const PASSWORD_COST_SAMPLE_MS = 5 * 60_000;
/** From this number of samples on, a single outlier (a busy moment of the machine) does not count. */
export const PASSWORD_COST_SAMPLES_MIN = 8;
export const PASSWORD_COST_SAMPLES_MAX = 32;
export const IMPORT_LINE_MAX_BYTES = 16 * 1024;
export const IMPORT_BATCH_LINES = 1_000;
/** A range query of the password check. Beyond either bound the password is accepted (fail open). */
export const PASSWORD_RANGE_DEADLINE_MS = 1_000;
export const PASSWORD_RANGE_MAX_BYTES = 1024 * 1024;
export const SLUG_MAX_CHARACTERS = 63;
export const SLUG_ATTEMPTS_MAX = 12;

// Tokens and sessions (docs/contract.md, sections 3.4 to 3.7)
/** Accepted difference between the clocks of replicas and verifiers. */
export const CLOCK_SKEW_SECONDS = 5;
/** Two tabs that refresh at once: the previous refresh token stays valid for this long. */
export const REFRESH_GRACE_MS = 10_000;
export const VERIFIED_TOKENS_MAX = 20_000;

// Second factors (docs/contract.md, sections 8.1, 8.7 and 20.1)
export const MFA_TOKEN_LIFETIME_SECONDS = 300;
export const MFA_TOKEN_MISSES_MAX = 5;
/** How long the `jti` of a used mfa_token is remembered. */
export const MFA_TOKEN_CONSUMED_MS = 10 * 60 * 1000;
export const STEP_UP_WINDOW_MS = 5 * 60 * 1000;
export const STEP_UP_MISSES_MAX = 5;
export const STEP_UP_MISSES_WINDOW_MS = 5 * 60 * 1000;
/** Maximum age of a session in which enabling a second factor counts as step-up without the password. */
export const ENROLMENT_STEP_UP_WINDOW_MS = 10 * 60 * 1000;
/** Attempts at a change of credentials while concurrent requests change credentials of the user. */
export const CREDENTIAL_CHANGE_ATTEMPTS_MAX = 3;
/**
 * Windows in which PostgreSQL counts the failed attempts of a user. Fixed; the first failed attempt starts a window.
 */
export const MISSES_HOUR_MS = 3600 * 1000;
export const MISSES_DAY_MS = 24 * 3600 * 1000;
/** Over all tokens and steps. The daily bound equals 24 hourly ones. */
export const SECOND_FACTOR_MISSES_HOUR_MAX = 30;
export const SECOND_FACTOR_MISSES_DAY_MAX = 24 * SECOND_FACTOR_MISSES_HOUR_MAX;
/** Over all codes of a user. */
export const EMAIL_CODE_MISSES_HOUR_MAX = 20;
export const EMAIL_CODE_MISSES_DAY_MAX = 60;
export const TOTP_STEP_SECONDS = 30;
/** One step in each direction (RFC 6238, section 5.2). */
export const TOTP_DRIFT_STEPS = 1;
/** RFC 4226, section 4: 160 bits. */
export const TOTP_SECRET_BYTES = 20;
export const RECOVERY_CODES_COUNT = 10;
export const RECOVERY_CODE_MAX_CHARACTERS = 64;

// Passkeys, e-mail codes, trusted browsers, mailed links (docs/contract.md, section 20.1)
export const PASSKEY_CHALLENGE_LIFETIME_MS = 5 * 60 * 1000;
export const PASSKEY_CHALLENGE_BYTES = 32;
export const PASSKEYS_PER_USER_MAX = 50;
/** Deleted passkeys and ended trusted browsers are kept this long, so that deleting them again succeeds. */
export const TOMBSTONE_RETENTION_MS = 30 * 24 * 3600 * 1000;
export const EMAIL_CODE_LIFETIME_MS = 10 * 60 * 1000;
export const EMAIL_CODE_ATTEMPTS_MAX = 5;
export const TRUSTED_BROWSER_LIFETIME_SECONDS = 30 * 24 * 3600;
export const TRUSTED_BROWSERS_PER_USER_MAX = 50;
export const TRUST_TOKEN_BYTES = 32;
/** Tokens of mailed links. */
export const MAILED_TOKEN_BYTES = 32;
export const PASSWORD_RESET_LIFETIME_MS = 3600 * 1000;
export const EMAIL_VERIFICATION_LIFETIME_MS = 24 * 3600 * 1000;
export const INVITATION_LIFETIME_MS = 7 * 24 * 3600 * 1000;
/** Invitations of an inviter without a verified address (docs/contract.md, section 3.11). */
export const UNVERIFIED_INVITATIONS_MAX = 5;
export const UNVERIFIED_INVITATIONS_WINDOW_MS = 24 * 3600 * 1000;
/** Minimum duration of requests that must not reveal whether an address is known (G13). */
export const UNIFORM_RESPONSE_MS = 40;
/** Concurrent background tasks that write e-mails. At the bound the requests fail, for any address. */
export const BACKGROUND_WORK_MAX = 1_000;

// Avatars (docs/contract.md, section 12.9)
export const AVATAR_BYTES_MAX = 5 * 1024 * 1024;
export const AVATAR_PIXELS_MAX = 40_000_000;
/** libvips decodes AV1 in one piece, at about 20 bytes a pixel. */
export const AVATAR_AVIF_PIXELS_MAX = 4_000_000;
export const AVATAR_SIDE_PIXELS = 256;
export const AVATAR_DECODE_DEADLINE_MS = 5_000;
/**
 * Memory for decoding a picture in addition to the process (55 MiB, most of it shared with the service). An AVIF of 4
 * megapixels takes 100 MiB. Two pictures at once would exceed the 200 MiB of G20, so pictures are decoded in sequence.
 */
export const AVATAR_DECODE_MEMORY_BYTES = 128 * 1024 * 1024;
export const AVATARS_DECODING_MAX = 1;
export const AVATARS_WAITING_MAX = 32;
export const AVATAR_WAIT_DEADLINE_MS = 20_000;
/** Unreferenced pictures are kept this long: an upload stores the picture before the user refers to it. */
export const AVATAR_ORPHAN_RETENTION_MS = 24 * 3600 * 1000;
export const PICTURE_STORE_DEADLINE_MS = 5_000;
export const UPLOAD_READ_DEADLINE_MS = 30_000;
/** Boundaries and headers of the multipart body around the file. */
export const MULTIPART_OVERHEAD_BYTES = 64 * 1024;

// Signing keys (docs/contract.md, section 18.1)
export const SIGNING_KEY_MAX_AGE_MS = 90 * 24 * 3600 * 1000;
export const KEY_RING_POLL_MS = 5_000;
/**
 * An unknown `kid` may be a key of a rotation on another replica: the `kid` triggers a reload, at most one per
 * interval.
 */
export const KEY_RING_RELOAD_MIN_INTERVAL_MS = 1_000;
/**
 * How long no replica of version 0.1.0 must have been connected before Ed25519 signs: twice the poll, so that a restart
 * of PostgreSQL, after which replicas reconnect in any order, is not taken for the end of the upgrade.
 */
export const OLDER_REPLICA_GRACE_MS = 2 * KEY_RING_POLL_MS;
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

// Providers (docs/contract.md, section 15.3)
export const PROVIDER_SECRET_MAX_BYTES = 4096;
export const PROVIDER_SECRET_MIN_CHARACTERS = 8;
export const PROVIDER_FIELD_MAX_CHARACTERS = 255;
export const PROVIDER_PROBE_DEADLINE_MS = 5_000;
/** Attempts to reseal a secret that is changed concurrently. */
export const RESEAL_ATTEMPTS_MAX = 5;

// Social sign-in (docs/contract.md, chapter 16)
export const OAUTH_TOKEN_BYTES = 32;
export const OAUTH_STATE_LIFETIME_SECONDS = 600;
export const REDIRECT_PATH_MAX_CHARACTERS = 2_000;
/** A call to an identity provider. Beyond either bound the call has failed. */
export const IDENTITY_CALL_DEADLINE_MS = 5_000;
export const IDENTITY_RESPONSE_MAX_BYTES = 256 * 1024;
/** Accepted difference from the clock of an identity provider. */
export const IDENTITY_CLOCK_TOLERANCE_SECONDS = 30;
export const IDENTITY_DISCOVERY_MAX_AGE_MS = 3600 * 1000;
/** Lifetime of the client secret that is signed for one token request. */
export const CLIENT_SECRET_LIFETIME_SECONDS = 300;

// Tables in the memory of each replica: changes arrive by the stream, without Redis within one poll
export const REPLICATED_TABLE_POLL_MS = 5_000;
/** Short, because a draining replica waits for the current read. */
export const REPLICATED_TABLE_BLOCK_MS = 200;
export const REPLICATED_TABLE_STREAM_MAX_ENTRIES = 100;

// Feature flags (docs/contract.md, section 14.9)
export const FEATURE_FLAGS_MAX = 1_000;

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

/** Concurrent exports of a replica; further exports get 429 (docs/contract.md, section 17.4). */
export const EXPORTS_MAX = 2;
export const EXPORT_RETRY_AFTER_SECONDS = 30;
/** Idle time-out of a connection while an export is spooled. The maximum that Bun accepts. */
export const EXPORT_IDLE_SECONDS = 255;
export const EXPORT_DEADLINE_MS = (EXPORT_IDLE_SECONDS - 5) * 1000;

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

// PostgreSQL
export const DATABASE_STATEMENT_TIMEOUT_MS = 5_000;
export const DATABASE_CONNECT_TIMEOUT_SECONDS = 2;
export const DATABASE_RECONNECT_PAUSE_MAX_SECONDS = 0.5;
/** Client-side deadline: a frozen server does not enforce its own time-out. */
export const DATABASE_DEADLINE_MS = 8_000;
export const DATABASE_QUEUE_MAX = 2_000;
export const TRANSACTION_ATTEMPTS = 3;

// Read replica (docs/decisions/0012). Polls: a fraction of the permitted lag, within bounds
export const READ_REPLICA_POLLS_PER_LAG = 8;
export const READ_REPLICA_POLL_MIN_MS = 20;
export const READ_REPLICA_POLL_MAX_MS = 500;
/** Beyond the permitted lag, for the time between a commit and its mark. */
export const READ_WRITER_MARGIN_MS = 500;
/** By how much the clocks of replicas may differ. */
export const READ_WRITER_SKEW_MS = 5_000;

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
/** A repeated signal within this time counts as a copy of the first signal, forwarded by a parent process. */
export const STOP_SIGNAL_REPEATED_MS = 1_000;
