/** Bounds of identity providers and social sign-in (docs/contract.md, section 15.3 and chapter 16). */

// Providers
export const PROVIDER_SECRET_MAX_BYTES = 4096;
export const PROVIDER_SECRET_MIN_CHARACTERS = 8;
export const PROVIDER_FIELD_MAX_CHARACTERS = 255;
export const PROVIDER_PROBE_DEADLINE_MS = 5_000;
/** Attempts to reseal a secret that is changed concurrently. */
export const RESEAL_ATTEMPTS_MAX = 5;

// Social sign-in (docs/contract.md, chapter 16)
export const OAUTH_STATE_LIFETIME_SECONDS = 600;
export const REDIRECT_PATH_MAX_CHARACTERS = 2_000;
/** A call to an identity provider. Beyond either bound the call has failed. */
export const IDENTITY_CALL_DEADLINE_MS = 5_000;
export const IDENTITY_RESPONSE_MAX_BYTES = 256 * 1024;
/** Accepted difference from the clock of an identity provider. */
export const IDENTITY_CLOCK_TOLERANCE_SECONDS = 30;
/** Accepted age of an ID token or logout token, beside the tolerance or the clock skew of a connection. */
export const ID_TOKEN_MAX_AGE_SECONDS = 600;
export const IDENTITY_DISCOVERY_MAX_AGE_MS = 3600 * 1000;
/** Lifetime of the client secret that is signed for one token request. */
export const CLIENT_SECRET_LIFETIME_SECONDS = 300;

/** The head of a proxy's response to CONNECT. */
export const PROXY_RESPONSE_MAX_BYTES = 16 * 1024;
