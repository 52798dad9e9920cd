/** Bounds of sessions (docs/contract.md, section 20.1). */

/**
 * Live sessions of a user; the oldest sessions end beyond the maximum, because a change of the password ends all at
 * once.
 */
export const SESSIONS_PER_USER_MAX = 1_000;
/** Number of excess sessions that a sign-in ends. */
export const EXCESS_SESSIONS_AT_ONCE = 500;
