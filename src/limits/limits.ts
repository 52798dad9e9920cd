/**
 * Limits of the wire format and of tokens. Every noun has a file of lifetimes, limits and sizes in this folder, with
 * the unit in the name (docs/architecture.md, rule 8). Settings of operators: src/config/variables.ts.
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
/** The bounds of a request that arrives slowly; idle connections have `SERVICE_HTTP_IDLE_SECONDS`. */
export const HTTP_REQUEST_DEADLINE_SECONDS = 60;

// Tokens and sessions (docs/contract.md, sections 3.4 to 3.7)
/** Accepted difference between the clocks of replicas and verifiers. */
export const CLOCK_SKEW_SECONDS = 5;
/**
 * How long the previous refresh token repeats the response of the refresh that replaced the token: two tabs that
 * refresh at once, and a response that a device never received.
 */
export const REFRESH_REPEAT_SECONDS_DEFAULT = 10;
export const REFRESH_REPEAT_SECONDS_MAX = 600;
export const VERIFIED_TOKENS_MAX = 20_000;
/** The pause between two removals of expired tokens from memory. */
export const VERIFIED_TOKENS_SWEEP_SECONDS = 60;

// `doctor` (docs/contract.md, section 19.6)
/** A file that `doctor` writes to a folder: more than a block, so that a full disk is noticed. */
export const FOLDER_PROBE_BYTES = 64 * 1024;
/** `doctor` warns about a folder with less free space. */
export const FOLDER_FREE_MIN_BYTES = 256 * 2 ** 20;
