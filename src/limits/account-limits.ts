/** Bounds of names, addresses, passwords and imported users (docs/contract.md, sections 2.4 and 20.1). */

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
