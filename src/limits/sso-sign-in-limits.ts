/** Bounds of the sign-in by single sign-on (docs/contract.md, chapter 29). */

// Responses of identity providers
/** Longer subjects are refused; longer session indexes count as absent. */
export const SSO_SUBJECT_MAX_CHARACTERS = 256;
export const SSO_GROUPS_MAX = 500;
export const SSO_GROUP_MAX_CHARACTERS = 200;
export const SSO_ATTRIBUTE_MAX_CHARACTERS = 500;
/** The stored attributes of a membership, as JSON. */
export const SSO_ATTRIBUTES_MAX_BYTES = 4096;

/** Decisions about a new subject: several browsers can sign the subject in at once. */
export const SSO_PROVISIONING_ATTEMPTS_MAX = 3;

// Requests
export const SSO_REQUEST_LIFETIME_SECONDS = 600;
/** Live requests of a connection. */
export const SSO_REQUESTS_MAX = 10_000;

// Logouts by the identity provider
/** Logout tokens of a connection in a window. */
export const SSO_LOGOUTS_MAX = 30;
export const SSO_LOGOUTS_WINDOW_MS = 1_000;
export const SSO_LOGOUT_TOKEN_MAX_CHARACTERS = 16_384;
/** Seconds after which an identity provider may repeat a logout token that its own outage prevented. */
export const SSO_LOGOUT_RETRY_SECONDS = 60;
/** Keys of an identity provider in memory, and the pause between two reads for an unknown key id. */
export const SSO_KEYS_MAX_AGE_MS = 600_000;
export const SSO_KEYS_REFRESH_MS = 60_000;

// Tests
/** Tests of a connection in a window; `SERVICE_RATE_LIMITS=off` does not disable the limit. */
export const SSO_TESTS_MAX = 10;
export const SSO_TESTS_WINDOW_MS = 3600 * 1000;
/** The time until the start of a test. */
export const SSO_TEST_URL_LIFETIME_MS = 10 * 60 * 1000;
export const SSO_TEST_RESULT_LIFETIME_MS = 24 * 3600 * 1000;
/** Claims or attributes in the result of a test, with the parts of names and values that the result keeps. */
export const SSO_TEST_VALUES_MAX = 100;
export const SSO_TEST_NAME_MAX_CHARACTERS = 100;
export const SSO_TEST_VALUE_MAX_CHARACTERS = 200;
/** Groups in the result of a test. */
export const SSO_TEST_GROUPS_MAX = 50;

// Attempts
/** Places among the attempts of a connection for messages without a live request. */
export const SSO_UNREQUESTED_ATTEMPTS_MAX = 50;
/** Recorded messages without a live request, from one client network in a window. */
export const SSO_UNREQUESTED_PER_NETWORK_MAX = 5;
export const SSO_UNREQUESTED_WINDOW_MS = 60_000;
/** Pause between two mails to the owners about second subjects with the address of one member. */
export const SSO_CONFLICT_NOTICE_PAUSE_MS = 24 * 3600 * 1000;

/** Connections with metadata and keys of the identity provider in memory. */
export const SSO_PARTIES_MAX = 2_000;
