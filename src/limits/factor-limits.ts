/** Lifetimes and bounds of second factors, and of failed attempts (docs/contract.md, sections 8.1, 8.7 and 20.1). */

export const MFA_TOKEN_LIFETIME_SECONDS = 300;
export const MFA_TOKEN_MISSES_MAX = 5;
/** How long the `jti` of a used mfa_token is remembered. */
export const MFA_TOKEN_CONSUMED_MS = 10 * 60 * 1000;
export const STEP_UP_WINDOW_MS = 5 * 60 * 1000;
export const STEP_UP_MISSES_MAX = 5;
export const STEP_UP_MISSES_WINDOW_MS = 5 * 60 * 1000;
/**
 * Maximum age of a session that changes credentials without a further proof of the user's presence: enabling a second
 * factor counts as step-up, and the first passkey, a linked provider or a first password needs no step-up.
 */
export const NEW_SESSION_WINDOW_MS = 10 * 60 * 1000;
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
/** How long a page displays the same unconfirmed secret, at a reload and in a second tab. */
export const TOTP_SETUP_KEPT_MS = 10 * 60 * 1000;
/** RFC 4226, section 4: 160 bits. */
export const TOTP_SECRET_BYTES = 20;
export const RECOVERY_CODES_COUNT = 10;
export const RECOVERY_CODE_MAX_CHARACTERS = 64;
