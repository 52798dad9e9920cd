/** Bounds of the administration of users by programs (docs/contract.md, chapter 36). */

/** Characters of the key of a program for a user. */
export const EXTERNAL_ID_MAX_CHARACTERS = 255;
/** Memberships that one creation or upsert of a user gives. */
export const MEMBERSHIPS_AT_CREATION_MAX = 10;
/** Users of one batch. */
export const USER_BATCH_MAX = 100;
/** The body of a batch. */
export const USER_BATCH_MAX_BYTES = 1024 * 1024;
/** Rows of one batch that are stored at once: the pool of connections serves other requests too. */
export const USER_BATCH_PARALLEL = 4;
/** Batches of one program, or of one person, that a replica stores at once. */
export const USER_BATCHES_PER_CALLER_MAX = 2;
export const USER_BATCHES_RETRY_AFTER_SECONDS = 1;
/** Attempts of an upsert beside other writers of one external id. */
export const UPSERT_ATTEMPTS_MAX = 4;
/** Lifetime of a position in a list by cursor. */
export const LIST_CURSOR_LIFETIME_MS = 60 * 60 * 1000;

// Writes of programs on one replica (docs/contract.md, section 35.12)
/** Writes at once of the programs of one organization. */
export const ORGANIZATION_WRITES_MAX = 4;
/** Writes at once of the programs of the platform. */
export const PLATFORM_WRITES_MAX = 8;
/** The share of the connections to PostgreSQL that writes of all programs use at once: people have the rest. */
export const PROGRAM_WRITES_SHARE = 3 / 4;
/** Further writes of one organization, or of the platform, that wait for their turn. */
export const WAITING_WRITES_MAX = 64;
/** A longer wait ends with 429. */
export const WRITE_TURN_DEADLINE_MS = 1_000;
export const WRITE_TURN_RETRY_AFTER_SECONDS = 1;
