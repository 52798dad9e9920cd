/** Every lifetime, cap, clamp and size, with its unit in its name (docs/architecture.md, rule 8). Settings of the operator: config.ts. */

// Wire (decisions, section 1; contract, section 8)
export const JSON_BODY_MAX_BYTES = 64 * 1024;
export const JSON_MAX_DEPTH = 32;
export const BODY_READ_DEADLINE_MS = 10_000;
export const PAGE_SIZE_DEFAULT = 25;
export const PAGE_SIZE_MAX = 100;
/** Pages beyond this are empty anyway; the cap keeps OFFSET inside an int4. */
export const PAGE_MAX = 10_000_000;
export const USER_AGENT_MAX_CHARACTERS = 512;
export const TOKEN_MAX_CHARACTERS = 4096;
export const HTTP_IDLE_TIMEOUT_SECONDS = 60;

// Names, addresses, passwords (decisions, section 1 and 4; contract, section 8)
export const EMAIL_MAX_CHARACTERS = 254;
export const NAME_MAX_CHARACTERS = 120;
export const PASSWORD_MIN_CODE_POINTS = 12;
export const PASSWORD_MAX_CODE_POINTS = 256;
/** Imported hashes: what verifying one at sign-in may cost at most, and what it must hold at least. */
export const IMPORTED_ARGON2_MEMORY_MAX_KIB = 256 * 1024;
export const IMPORTED_ARGON2_PASSES_MAX = 20;
export const BCRYPT_COST_MAX = 14;
/** What bcrypt reads of a password. */
export const BCRYPT_BYTES_MAX = 72;
export const SCRYPT_MEMORY_MAX_BYTES = 256 * 1024 * 1024;
export const SCRYPT_PARALLELIZATION_MAX = 16;
export const PBKDF2_ITERATIONS_MAX = 2_000_000;
export const IMPORTED_KEY_MIN_BYTES = 16;
export const IMPORTED_KEY_MAX_BYTES = 64;
/** Distinct costs of stored hashes that a replica measures; an import from one system has one or two. */
export const PASSWORD_COSTS_MAX = 64;
export const PASSWORD_COSTS_POLL_MS = 5_000;
/** The slowest cost is measured again after this. */
export const PASSWORD_COST_MEASURE_MS = 60_000;
/** A measurement counts for this long, or until there is a newer one. */
export const PASSWORD_COST_SAMPLE_MS = 5 * 60_000;
/** From so many on, one that met a busy moment of the machine does not count. */
export const PASSWORD_COST_SAMPLES_MIN = 8;
export const PASSWORD_COST_SAMPLES_MAX = 32;
export const IMPORT_LINE_MAX_BYTES = 16 * 1024;
export const IMPORT_BATCH_LINES = 1_000;
/** A range query of the password check: beyond either the password passes. */
export const PASSWORD_RANGE_DEADLINE_MS = 1_000;
export const PASSWORD_RANGE_MAX_BYTES = 1024 * 1024;
export const SLUG_MAX_CHARACTERS = 63;
export const SLUG_ATTEMPTS_MAX = 12;

// Tokens and sessions (decisions, section 3)
/** Clocks of replicas and verifiers may differ by this much before a token counts as not yet valid. */
export const CLOCK_SKEW_SECONDS = 5;
/** Two tabs that refresh at once: the token before the current one is honoured for this long. */
export const REFRESH_GRACE_MS = 10_000;
export const VERIFIED_TOKENS_MAX = 20_000;

// Second factors (decisions, section 5; contract, section 8)
export const MFA_TOKEN_LIFETIME_SECONDS = 300;
export const MFA_TOKEN_MISSES_MAX = 5;
/** How long the `jti` of a used mfa_token is remembered. */
export const MFA_TOKEN_BURNED_MS = 10 * 60 * 1000;
export const STEP_UP_WINDOW_MS = 5 * 60 * 1000;
export const STEP_UP_MISSES_MAX = 5;
export const STEP_UP_MISSES_WINDOW_MS = 5 * 60 * 1000;
/** How long after sign-in the enrolment of a second factor counts as step-up without the password. */
export const ENROLMENT_STEP_UP_WINDOW_MS = 10 * 60 * 1000;
/** Attempts at a change of credentials while others change the same user's. */
export const CREDENTIAL_CHANGE_ATTEMPTS_MAX = 3;
/** Misses of one user that Postgres counts, in fixed windows that begin with the first of them. */
export const MISSES_HOUR_MS = 3600 * 1000;
export const MISSES_DAY_MS = 24 * 3600 * 1000;
/** Over all tokens and steps. A day adds no bound to that of its hours. */
export const SECOND_FACTOR_MISSES_HOUR_MAX = 30;
export const SECOND_FACTOR_MISSES_DAY_MAX = 24 * SECOND_FACTOR_MISSES_HOUR_MAX;
/** Over all codes. */
export const EMAIL_CODE_MISSES_HOUR_MAX = 20;
export const EMAIL_CODE_MISSES_DAY_MAX = 60;
export const TOTP_STEP_SECONDS = 30;
/** One step either way (RFC 6238, section 5.2). */
export const TOTP_DRIFT_STEPS = 1;
/** RFC 4226, section 4: 160 bits. */
export const TOTP_SECRET_BYTES = 20;
export const RECOVERY_CODES_COUNT = 10;
export const RECOVERY_CODE_MAX_CHARACTERS = 64;

// Passkeys, e-mail codes, trusted browsers (decisions, section 5)
export const PASSKEY_CHALLENGE_LIFETIME_MS = 5 * 60 * 1000;
export const PASSKEY_CHALLENGE_BYTES = 32;
export const PASSKEYS_PER_USER_MAX = 50;
/** A deleted passkey and an ended trusted browser are remembered this long, so that deleting again is no error. */
export const TOMBSTONE_RETENTION_MS = 30 * 24 * 3600 * 1000;
export const EMAIL_CODE_LIFETIME_MS = 10 * 60 * 1000;
export const EMAIL_CODE_ATTEMPTS_MAX = 5;
export const TRUSTED_BROWSER_LIFETIME_SECONDS = 30 * 24 * 3600;
export const TRUSTED_BROWSERS_PER_USER_MAX = 50;
export const TRUST_TOKEN_BYTES = 32;
/** Tokens of mailed links (contract, section 4.6; decisions, section 6). */
export const MAILED_TOKEN_BYTES = 32;
export const PASSWORD_RESET_LIFETIME_MS = 3600 * 1000;
export const EMAIL_VERIFICATION_LIFETIME_MS = 24 * 3600 * 1000;
export const INVITATION_LIFETIME_MS = 7 * 24 * 3600 * 1000;
/** What a sender whose own address is not verified may have mailed. */
export const UNVERIFIED_INVITATIONS_MAX = 5;
export const UNVERIFIED_INVITATIONS_WINDOW_MS = 24 * 3600 * 1000;
/** Returns that must not tell a known address from an unknown one come no sooner than this (promise 13). */
export const UNIFORM_ANSWER_MS = 40;
/** E-mails that are being written while their requests are answered; beyond that such requests fail, for any address. */
export const BACKGROUND_WORK_MAX = 1_000;

// Avatars (decisions, section 6)
export const AVATAR_BYTES_MAX = 5 * 1024 * 1024;
export const AVATAR_PIXELS_MAX = 40_000_000;
/** AV1 is decoded as a whole, in about 20 bytes a pixel. */
export const AVATAR_AVIF_PIXELS_MAX = 4_000_000;
export const AVATAR_SIDE_PIXELS = 256;
export const AVATAR_DECODE_DEADLINE_MS = 5_000;
/**
 * What decoding one picture may take on top of its process, which is 55 MiB, most of it shared with the service. An AVIF of 4
 * megapixels takes 100. Two at once would take more than the 200 MiB that pictures may add, so one is decoded at a time.
 */
export const AVATAR_DECODE_MEMORY_BYTES = 128 * 1024 * 1024;
export const AVATARS_DECODING_MAX = 1;
export const AVATARS_WAITING_MAX = 32;
export const AVATAR_WAIT_DEADLINE_MS = 20_000;
/** A picture that no user refers to is kept this long: its user may be about to. */
export const AVATAR_ORPHAN_RETENTION_MS = 24 * 3600 * 1000;
export const PICTURE_STORE_DEADLINE_MS = 5_000;
export const UPLOAD_READ_DEADLINE_MS = 30_000;
/** Boundaries and headers around the file. */
export const MULTIPART_OVERHEAD_BYTES = 64 * 1024;

// E-mail (decisions, section 6)
export const EMAIL_LIFETIME_MS = 24 * 3600 * 1000;
export const OUTBOX_POLL_MS = 5_000;
export const OUTBOX_BATCH = 20;
/** A replica that dies while sending leaves its letters to the others after this. Longer than one send may take. */
export const OUTBOX_LEASE_MS = 60_000;
export const OUTBOX_RETRY_MIN_MS = 5_000;
export const OUTBOX_RETRY_MAX_MS = 15 * 60 * 1000;
export const MAIL_SEND_DEADLINE_MS = 10_000;
export const MAIL_ANSWER_MAX_BYTES = 64 * 1024;
/** A name inside a subject is cut to this. */
export const SUBJECT_VALUE_MAX_CHARACTERS = 60;
export const MAIL_FOLDER_FILES_MAX = 400;
export const LOCALE_MAX_CHARACTERS = 35;

// Signing keys (decisions, section 3)
export const SIGNING_KEY_MAX_AGE_MS = 90 * 24 * 3600 * 1000;
export const KEY_RING_POLL_MS = 5_000;
/** An unknown `kid` may be a key that another replica just made; asking Postgres is bounded by this pause. */
export const KEY_RING_RELOAD_MIN_INTERVAL_MS = 1_000;
export const JWKS_MAX_AGE_SECONDS = 60;

// Revocation (decisions, section 3 and 10)
export const REVOCATION_POLL_MS = 400;
/** A replica that heard from the stream longer ago than this may not guess (promise 8: one second). */
export const REVOCATION_CURRENT_MS = 900;
/** How long the stream alone may be believed when the log in Postgres cannot be read. */
export const REVOCATION_RECONCILED_MS = 2_000;
export const REVOCATION_STREAM_BLOCK_MS = 200;
export const REVOCATION_STREAM_MAX_ENTRIES = 100_000;
export const REVOCATION_BATCH = 5_000;
export const REVOCATION_ENTRIES_MAX = 500_000;
export const REVOCATION_FEED_MAX_AGE_SECONDS = 5;
/** How long the feed waits for a reading of the log that would spare its readers a repetition. */
export const REVOCATION_FEED_WAIT_MS = 250;
export const REVOCATION_FEED_CACHE_SECONDS = 2;
/** A cached session is loaded anew after this, even when nobody reported a change. */
export const SESSION_VIEW_TTL_MS = 30_000;
export const SESSION_VIEWS_MAX = 20_000;

/** Sessions that one transaction of a suspension ends. */
export const SUSPENSION_BATCH = 1_000;

// Providers (contract, section 4.12)
export const PROVIDER_SECRET_MAX_BYTES = 4096;
export const PROVIDER_SECRET_MIN_CHARACTERS = 8;
export const PROVIDER_FIELD_MAX_CHARACTERS = 255;
export const PROVIDER_PROBE_DEADLINE_MS = 5_000;
/** Attempts to reseal a secret that is written at the same moment. */
export const RESEAL_ATTEMPTS_MAX = 5;

// Social sign-in (decisions, section 9)
export const OAUTH_TOKEN_BYTES = 32;
export const OAUTH_STATE_LIFETIME_SECONDS = 600;
export const REDIRECT_PATH_MAX_CHARACTERS = 2_000;
/** One call to an identity provider: beyond either it counts as failed. */
export const IDENTITY_CALL_DEADLINE_MS = 5_000;
export const IDENTITY_ANSWER_MAX_BYTES = 256 * 1024;
/** The clock of another company may differ by this much. */
export const IDENTITY_CLOCK_TOLERANCE_SECONDS = 30;
export const IDENTITY_DISCOVERY_MAX_AGE_MS = 3600 * 1000;
/** Life of the client secret that is signed for one exchange. */
export const CLIENT_SECRET_LIFETIME_SECONDS = 300;

// Tables that replicas hold in memory: a change is known by the stream, and without Redis within one poll
export const FOLLOWED_TABLE_POLL_MS = 5_000;
/** Short, since a replica that drains waits for the read under way. */
export const FOLLOWED_TABLE_BLOCK_MS = 200;
export const FOLLOWED_TABLE_STREAM_MAX_ENTRIES = 100;

// Feature flags (decisions, section 8)
export const FEATURE_FLAGS_MAX = 1_000;

// Worker pools
export const HASH_DEADLINE_MS = 5_000;
export const SIGN_DEADLINE_MS = 5_000;
export const SIGN_QUEUE_MAX = 2_048;
/** Slots of the signing pool. A slot is a promise, so all that can be given out, twice this number, fit into the queue. */
export const SIGN_SLOTS = SIGN_QUEUE_MAX / 2;
/** Signing must not wait behind itself in a refresh storm; more than two threads gain nothing on two cores. */
export const SIGN_WORKERS = 2;
/** A dead worker's job is tried again this often; a job that kills two workers is the job's fault. */
export const WORKER_RETRIES = 1;

/** Exports that a replica makes at once (decisions, section 8); more are told to come back. */
export const EXPORTS_MAX = 2;
export const EXPORT_DEADLINE_MS = 15 * 60 * 1000;
export const EXPORT_RETRY_AFTER_SECONDS = 30;
/** The most that Bun takes: how long the connection of an export may be silent while the spool fills. */
export const EXPORT_IDLE_SECONDS = 255;

// Cross-replica state
export const STATE_COMMAND_TIMEOUT_MS = 250;
/** A connection to Redis; one to a cluster asks a node for the others first. */
export const STATE_CONNECTION_TIMEOUT_MS = 1_000;
/** After a failure Redis is left alone this long, so that its loss costs one slow call and not each one. */
export const STATE_RETRY_AFTER_MS = 1_000;
export const LOCAL_COUNTERS_MAX = 100_000;
/** How long a sign-in waits for others of the same account that are being compared at this moment. */
export const ATTEMPT_WAIT_MS = 2_000;
export const ATTEMPT_WAIT_STEP_MS = 50;

// Postgres
export const DATABASE_STATEMENT_TIMEOUT_MS = 5_000;
export const DATABASE_CONNECT_TIMEOUT_SECONDS = 2;
export const DATABASE_RECONNECT_PAUSE_MAX_SECONDS = 0.5;
/** The client's own deadline: a frozen server never answers, so its time-out alone would hang. */
export const DATABASE_DEADLINE_MS = 8_000;
export const DATABASE_QUEUE_MAX = 2_000;
export const TRANSACTION_ATTEMPTS = 3;

// Actors
export const MAILBOX_MAX = 10_000;
export const RESTART_PAUSE_MIN_MS = 100;
export const RESTART_PAUSE_MAX_MS = 5_000;
export const SWEEP_INTERVAL_MS = 60_000;
/** Longer than a pause and a round: whoever sweeps goes on, and is replaced when it does not. */
export const SWEEP_LEASE_MS = 5 * 60_000;
export const SWEEP_BATCH = 1_000;
export const SWEEP_BATCHES_MAX = 50;
/** Sessions stay this long after their end, so that a late replay is still recognised as one. */
export const SESSION_RETENTION_MS = 24 * 3600 * 1000;
export const AUDIT_PARTITIONS_AHEAD_MONTHS = 3;

// Start, readiness and shutdown (decisions, section 10)
export const START_RETRY_PAUSE_MAX_MS = 1_000;
/** Each as long as a hash may take (`HASH_DEADLINE_MS`): half a minute until a starting replica gives its hash workers up. */
export const START_HASH_ATTEMPTS_MAX = 6;
/** How long a starting replica waits for Redis before it starts without. */
export const STATE_CONNECT_DEADLINE_MS = 2_000;
export const STATE_CONNECT_PAUSE_MS = 10;
/** A probe wants an answer soon; a database that takes longer is no database now. */
export const READINESS_DEADLINE_MS = 2_000;
/** A draining replica stops listening once nobody has come for this long, or after the longest wait for a load balancer to notice. */
export const DRAIN_QUIET_MS = 300;
export const DRAIN_NOTICE_MAX_MS = 10_000;
export const DRAIN_DEADLINE_MS = 30_000;
/** Signals that follow the first one within this are the same request, forwarded by a parent process. */
export const STOP_SIGNAL_REPEATED_MS = 1_000;
