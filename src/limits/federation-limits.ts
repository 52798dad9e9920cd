/** Bounds of the federation of workloads (docs/contract.md, section 35.11). */

/** Trusts of a service account. */
export const TRUSTS_MAX = 10;
export const TRUST_NAME_MAX_CHARACTERS = 100;
export const TRUST_ISSUER_MAX_CHARACTERS = 300;
export const TRUST_JWKS_URI_MAX_CHARACTERS = 2_000;
export const TRUST_KEYS_MAX = 8;
export const TRUST_AUDIENCES_MAX = 3;
export const TRUST_AUDIENCE_MAX_CHARACTERS = 300;
export const TRUST_CONDITIONS_MAX = 20;
export const TRUST_VALUES_MAX = 50;
export const TRUST_CLAIM_MAX_CHARACTERS = 200;
export const TRUST_VALUE_MAX_CHARACTERS = 500;
/** A text of the form of a trust, such as a set of eight keys. */
export const TRUST_PRESET_TEXT_MAX_CHARACTERS = 20_000;
/** A shorter beginning admits more names than its author sees. */
export const TRUST_PREFIX_MIN_CHARACTERS = 8;
/** Bounds and default of the age of an assertion (`iat`). */
export const TRUST_AGE_MIN_SECONDS = 60;
export const TRUST_AGE_MAX_SECONDS = 3_600;
export const TRUST_AGE_DEFAULT_SECONDS = 600;
/** Organizations of a trust. */
export const TRUST_ORGANIZATIONS_MAX = 100;

export const ASSERTION_MAX_CHARACTERS = 16_384;
/** The clocks of external issuers. */
export const ASSERTION_SKEW_SECONDS = 5;
/** Characters of a received claim in the result of a test, and of `sub` in the trail. */
export const ASSERTION_SHOWN_MAX_CHARACTERS = 200;

// Keys of external issuers
export const ISSUER_KEY_SETS_MAX = 1_000;
export const ISSUER_KEYS_MAX = 50;
export const ISSUER_KEYS_MAX_BYTES = 256 * 1024;
export const ISSUER_KEYS_DEADLINE_MS = 5_000;
export const ISSUER_KEYS_AGE_MS = 600_000;
/** An unknown key id causes a fetch, at most once in this time. */
export const ISSUER_KEYS_REFRESH_MS = 30_000;
/** After a failure no fetch begins for this time. */
export const ISSUER_KEYS_RETRY_MS = 2_000;
/** Keys serve for this long while the issuer is unavailable. */
export const ISSUER_KEYS_STALE_MS = 3_600_000;
/** RSA below 2,048 bits is broken (RFC 7518, section 3.3). */
export const ISSUER_RSA_MIN_BITS = 2_048;
/** Fetches in progress on a replica, with parts for an issuer and for slow issuers. */
export const ISSUER_FETCHES_MAX = 64;
export const ISSUER_FETCHES_PER_HOST_MAX = 4;
export const ISSUER_FETCHES_PER_SLOW_HOST_MAX = 2;
export const ISSUER_SLOW_AFTER_MS = 1_500;
export const ISSUER_SLOW_HOSTS_MAX = 1_000;
