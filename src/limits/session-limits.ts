/** Bounds of sessions (docs/contract.md, section 20.1). */

/** Live sessions of one user; the oldest end when there are more, because a change of the password ends all at once. */
export const SESSIONS_PER_USER_MAX = 1_000;
/** How many of those beyond it one sign-in ends. */
export const EXCESS_SESSIONS_AT_ONCE = 500;
