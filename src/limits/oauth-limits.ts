/** Lifetimes, limits and sizes of the OpenID provider (docs/contract.md, chapter 23 and section 20.1). */

export const OAUTH_CLIENTS_MAX = 1_000;
/** Clients that registered themselves (RFC 7591), beside `OAUTH_CLIENTS_MAX`; the texts of a client in bytes. */
export const OAUTH_DYNAMIC_CLIENTS_MAX = 10_000;
export const OAUTH_DYNAMIC_CLIENT_MAX_BYTES = 8 * 1024;
/** The latest consents of a user that keep unregistered clients from making room. */
export const OAUTH_PROTECTING_CONSENTS_MAX = 50;
/** Clients without such a consent that make room at a time. */
export const OAUTH_DYNAMIC_CLIENTS_DISPLACED = 100;
/** Scopes of APIs of a client that registered itself. */
export const OAUTH_DYNAMIC_SCOPES_MAX = 20;
/** How long an application waits while too many are registered and in use. */
export const REGISTRATION_RETRY_SECONDS = 3600;
/** A client that registered itself ends after this time without use; the use is recorded once in an interval. */
export const OAUTH_DYNAMIC_UNUSED_MS = 30 * 24 * 3600 * 1000;
export const OAUTH_DYNAMIC_USE_INTERVAL_MS = 24 * 3600 * 1000;
/** Initial access tokens, and the registrations that a token permits. */
export const REGISTRATION_TOKENS_MAX = 100;
export const REGISTRATION_TOKEN_USES_MAX = 1_000;
export const REGISTRATION_TOKEN_DAYS_DEFAULT = 7;
export const REGISTRATION_TOKEN_DAYS_MAX = 365;
/** Two secrets, so that a secret is replaced without a gap. */
export const OAUTH_CLIENT_SECRETS_MAX = 2;
export const OAUTH_SECRET_BYTES = 32;
export const OAUTH_URIS_MAX = 20;
export const OAUTH_URI_MAX_CHARACTERS = 500;
export const OAUTH_SCOPES_MAX = 50;
export const OAUTH_SCOPE_MAX_CHARACTERS = 100;
export const OAUTH_CLIENT_KEYS_MAX = 8;
/** Permitted token exchanges of a client, and the actors that a token of an exchange names (RFC 8693). */
export const OAUTH_EXCHANGES_MAX = 20;
export const OAUTH_ACTORS_MAX = 3;
export const OAUTH_EXCHANGED_TOKEN_SECONDS = 300;
/** APIs (`oauth_resources`), and the scopes of an API. */
export const OAUTH_RESOURCES_REGISTERED_MAX = 1_000;
export const OAUTH_RESOURCE_SCOPES_MAX = 100;
/** Lifetime of access tokens for an API. */
export const OAUTH_TOKEN_LIFETIME_MIN_SECONDS = 60;
export const OAUTH_TOKEN_LIFETIME_MAX_SECONDS = 3_600;
/** The organizations whose members may sign in to an application. */
export const OAUTH_CLIENT_ORGANIZATIONS_MAX = 1_000;
/** The organizations whose members may use an API. */
export const OAUTH_RESOURCE_ORGANIZATIONS_MAX = 1_000;
/** Names of groups in an access token; with further groups the token has `groups_truncated`. */
export const OAUTH_TOKEN_GROUPS_MAX = 50;
/** The description of a scope in one language: a line of the consent page. Code points. */
export const OAUTH_SCOPE_DESCRIPTION_MAX_CHARACTERS = 200;
/** A file of `clients apply`. */
export const CLIENT_FILE_MAX_BYTES = 1024 * 1024;
/** Renewed before each change: longer than the deletion of a client takes. */
export const CLIENT_APPLY_LEASE_MS = 120_000;
/** How long `clients apply` waits for another run: longer than the lease of a run that crashed. */
export const CLIENT_APPLY_WAIT_MS = 150_000;
export const CLIENT_APPLY_RETRY_MS = 250;
export const OAUTH_CODE_LIFETIME_MS = 60_000;
/** A code of a request with neither a challenge nor a nonce. */
export const OAUTH_UNBOUND_CODE_LIFETIME_MS = 30_000;
/** An authorization request that waits for the user. */
export const OAUTH_REQUEST_LIFETIME_MS = 3600 * 1000;
/** How long after its end a page names the application of a request, whose parameters and user are empty then. */
export const OAUTH_REQUEST_KEPT_MS = 24 * 3600 * 1000;
/** Cookies of waiting requests of one kind in a browser; the oldest beyond are deleted. */
export const OPEN_REQUESTS_PER_BROWSER_MAX = 10;
/** Between the push of an authorization request and the redirect of the browser (RFC 9126, section 2.2). */
export const OAUTH_PUSHED_REQUEST_LIFETIME_MS = 90_000;
/** Pushed requests of a client that wait for a browser. */
export const OAUTH_PUSHED_REQUESTS_MAX = 10_000;
/** How long a sign-in for an authorization request satisfies `max_age`, however small `max_age` is. */
export const OAUTH_SIGN_IN_VALID_MIN_MS = 60_000;
/** Parameters of an authorization, token or logout request, all together. */
export const OAUTH_PARAMETERS_MAX_CHARACTERS = 12_288;
export const OAUTH_STATE_MAX_CHARACTERS = 4_096;
/** The id or slug in the parameter `organization`. */
export const ORGANIZATION_HINT_MAX_CHARACTERS = 100;
/** The path of the page that a browser requested: `/oauth2/logout` with an ID token and a long `state`. */
export const CONTINUED_PATH_MAX_CHARACTERS = 12_288;
/** In JSON, so that an ID token without metadata stays within its bound. */
export const OAUTH_NONCE_MAX_BYTES = 512;
/** Scopes or resources of a request as a single text, so that the access token stays within its bound. */
export const OAUTH_SCOPE_TEXT_MAX_CHARACTERS = 800;
export const OAUTH_RESOURCES_TEXT_MAX_CHARACTERS = 800;
export const OAUTH_RESOURCES_MAX = 5;
/** What the response to a registration names as left out. */
export const LEFT_OUT_MAX = 40;
export const LEFT_OUT_VALUE_MAX_CHARACTERS = 200;
/** The longest life of a client assertion (RFC 7523, section 3). */
export const OAUTH_ASSERTION_LIFETIME_SECONDS = 300;
/** Difference between the clocks of a client and the service (FAPI 2.0 Security Profile, section 5.3.2.1). */
export const OAUTH_CLIENT_CLOCK_SKEW_SECONDS = 10;
/** How far `iat` and `nbf` of a client's JWT may be in the future (FAPI 2.0 Security Profile, section 5.3.2.1). */
export const OAUTH_CLIENT_FUTURE_MAX_SECONDS = 60;
/** Between `iat` and `exp` of an identity assertion grant. */
export const IDENTITY_ASSERTION_LIFETIME_SECONDS = 300;
/** Between `nbf` and `exp` of a request object (FAPI 2.0 Message Signing, section 5.3.1). */
export const REQUEST_OBJECT_LIFETIME_MAX_SECONDS = 3600;
/** A signed authorization response (JARM). */
export const AUTHORIZATION_RESPONSE_SECONDS = 600;
/** Key sets of clients by address (`jwks_uri`), in the memory of a replica. */
export const CLIENT_KEY_SETS_MAX = 1_000;
export const CLIENT_KEY_SET_MAX_BYTES = 64 * 1024;
export const CLIENT_KEYS_DEADLINE_MS = 5_000;
export const CLIENT_KEYS_MAX_AGE_MS = 600_000;
/** Between two fetches of a key set for an unknown key id. */
export const CLIENT_KEYS_REFRESH_MS = 30_000;
/** After a failed fetch, an address is not fetched again within this time: as often as a known document. */
export const CLIENT_KEYS_RETRY_MS = 6_000;
/** Clients that a metadata document identifies, beside `OAUTH_CLIENTS_MAX`. */
export const OAUTH_DOCUMENT_CLIENTS_MAX = 100_000;
/** A client without a grant and without a decision ends after this time; the next authorization fetches again. */
export const OAUTH_DOCUMENT_UNUSED_MS = 30 * 24 * 3600 * 1000;
/** Hosts without documents, and their clients whose access ends at a time. */
export const BLOCKED_HOSTS_MAX = 1_000;
export const BLOCKED_CLIENTS_READ_AT_ONCE = 1_000;
/** Rows of an export of clients. */
export const OAUTH_CLIENTS_EXPORTED_MAX = 10_000;
/** Clients that a replica has read by id, beside the registered clients, and their size. */
export const OAUTH_CLIENTS_READ_MAX = 10_000;
export const OAUTH_CLIENTS_READ_MAX_BYTES = 16 * 1024 * 1024;
/** Ids without a client of a network at a replica in a window: further ids are refused without a read. */
export const CLIENT_MISSES_PER_NETWORK_MAX = 10;
export const CLIENT_MISSES_WINDOW_MS = 60_000;
export const CLIENT_MISSES_NETWORKS_MAX = 10_000;
export const CLIENT_DOCUMENT_MAX_BYTES = 10 * 1024;
export const CLIENT_DOCUMENT_DEADLINE_MS = 5_000;
export const CLIENT_DOCUMENT_LOGO_MAX_BYTES = 512 * 1024;
/** The duration of a failed fetch; a slower failure takes `CLIENT_DOCUMENT_DEADLINE_MS`. */
export const CLIENT_DOCUMENT_FAILURE_MS = 1_000;
/** How long a document is used without a fetch: by the response, within these bounds. */
export const CLIENT_DOCUMENT_AGE_MIN_MS = 5 * 60_000;
export const CLIENT_DOCUMENT_AGE_MAX_MS = 24 * 3600 * 1000;
/** How long refreshes use a document whose host is unavailable. */
export const CLIENT_DOCUMENT_STALE_MAX_MS = 24 * 3600 * 1000;
/** Fetches of a replica in progress. */
export const CLIENT_DOCUMENT_FETCHES_MAX = 64;
export const CLIENT_DOCUMENT_FETCHES_PER_HOST_MAX = 4;
export const CLIENT_DOCUMENT_FETCHES_PER_NETWORK_MAX = 8;
/** Slots for networks without a fetch in progress. */
export const CLIENT_DOCUMENT_FIRST_FETCHES_RESERVED = 16;
/** A host whose fetches take longer on average is slow; slow hosts share half of the fetches. */
export const CLIENT_DOCUMENT_SLOW_AFTER_MS = 1_500;
export const CLIENT_DOCUMENT_FETCHES_PER_SLOW_HOST_MAX = 2;
export const CLIENT_DOCUMENT_SLOW_HOSTS_MAX = 1_000;
/** Fetches in a window, over all replicas: of unknown documents of a host, of a known document, and for a network. */
export const CLIENT_DOCUMENT_WINDOW_MS = 60_000;
export const CLIENT_DOCUMENTS_PER_HOST_MAX = 10;
/** A part of the fetches of a host: a network leaves fetches to others. */
export const CLIENT_DOCUMENTS_PER_HOST_AND_NETWORK_MAX = 5;
export const CLIENT_DOCUMENTS_PER_NETWORK_MAX = 60;
/** Further fetches of key sets (`jwks_uri`) of a host in the window, and the part of a network. */
export const CLIENT_KEYS_PER_HOST_MAX = 60;
export const CLIENT_KEYS_PER_HOST_AND_NETWORK_MAX = 20;
/** Audit records of requests without credentials in a window: of a client or host, of a network, and of an action. */
export const ANONYMOUS_RECORDS_WINDOW_MS = 3600 * 1000;
export const ANONYMOUS_RECORDS_PER_SUBJECT_MAX = 10;
export const ANONYMOUS_RECORDS_PER_NETWORK_MAX = 20;
export const ANONYMOUS_RECORDS_MAX = 200;
/** Unused clients that give their rows to new clients at a time. */
export const CLIENT_DOCUMENTS_DISPLACED = 100;
/** The keys by address of a client that no administrator registered, and the keys that are tried for a signature. */
export const CLIENT_DOCUMENT_KEYS_MAX = 8;
export const CLIENT_KEYS_TRIED_MAX = 8;
/** A device code (RFC 8628) from the request of the device to the tokens. */
export const DEVICE_CODE_LIFETIME_MS = 600_000;
/** How long an expired device code stays, so that the device receives `expired_token`. */
export const DEVICE_CODE_KEPT_MS = 600_000;
export const DEVICE_POLL_INTERVAL_SECONDS = 5;
/** A poll before the end of the interval makes the interval longer (RFC 8628, section 3.5), up to the maximum. */
export const DEVICE_POLL_SLOWER_BY_SECONDS = 5;
export const DEVICE_POLL_INTERVAL_MAX_SECONDS = 60;
/** Waiting devices whose last poll a replica has in memory. */
export const DEVICE_POLLS_MAX = 50_000;
/** Device codes that wait at one time. */
export const DEVICE_CODES_PER_CLIENT_MAX = 10_000;
export const DEVICE_CODES_PER_NETWORK_MAX = 100;
/** Attempts to find a user code that no waiting device has. */
export const USER_CODE_ATTEMPTS_MAX = 3;
/** Wrong user codes of a user and of a network (RFC 8628, section 5.1). */
export const USER_CODE_MISSES_MAX = 10;
export const USER_CODE_MISSES_WINDOW_MS = 600_000;
/** How recent the sign-in or step-up of an approving user is. */
export const DEVICE_APPROVAL_SIGN_IN_MAX_AGE_MS = 12 * 3600 * 1000;
/** A proof of possession (RFC 9449) and the `jti` of a proof. */
export const DPOP_PROOF_MAX_CHARACTERS = 8_192;
export const DPOP_JTI_MAX_CHARACTERS = 256;
/** The greatest difference between `iat` of a proof and the clock, in either direction. */
export const DPOP_PROOF_AGE_MAX_SECONDS = 60;
/** How long the `jti` of a proof stays used: longer than a proof is valid, also by the age of the nonce. */
export const DPOP_JTI_USED_MS = 300_000;
/** Public keys of proofs in the memory of a replica, and the longest key: the JWK of RSA with 4,096 bits has 750. */
export const DPOP_KEYS_MAX = 10_000;
export const DPOP_REMEMBERED_KEY_MAX_CHARACTERS = 1_024;
/** Recorded replays of a client in a window: a client in a loop fills no audit trail. */
export const DPOP_REPLAYS_RECORDED_MAX = 10;
export const DPOP_REPLAYS_WINDOW_MS = 600_000;
/** A nonce of the service is valid in the window of the issue and in the next window. */
export const DPOP_NONCE_WINDOW_MS = 120_000;
/** A call to the logout endpoint of a client. */
export const OAUTH_LOGOUT_DEADLINE_MS = 5_000;
export const OAUTH_LOGOUT_RESPONSE_MAX_BYTES = 64 * 1024;
/** Lifetime of a logout token. Delivery attempts end after a day (`queue_client_logouts`, migration 0010). */
export const OAUTH_LOGOUT_TOKEN_SECONDS = 120;
/** Logout tokens in progress on a replica; a client has at most `OAUTH_LOGOUT_BATCH` logout tokens in progress. */
export const OAUTH_LOGOUTS_IN_PROGRESS_MAX = 64;
export const OAUTH_LOGOUT_BATCH = 4;
/** How soon a client learns that a session ended. */
export const CLIENT_LOGOUT_POLL_MS = 2_000;
/** Owners of token families, cached by every replica. */
export const TOKEN_FAMILIES_MAX = 20_000;
/** Live token families of a grant; the oldest family ends beyond the maximum. */
export const OAUTH_FAMILIES_PER_GRANT_MAX = 100;

// Rows per statement while a client ends, which may have a grant of every user.
export const OAUTH_GRANTS_READ_AT_ONCE = 10_000;
export const OAUTH_GRANTS_ENDED_AT_ONCE = 500;
export const OAUTH_FAMILIES_ENDED_AT_ONCE = 1_000;
/** Requests and logout tokens of a client that is deleted. */
export const OAUTH_ROWS_DELETED_AT_ONCE = 5_000;
/** Idle time-out of a connection whose request ends a client. The maximum that Bun accepts. */
export const OAUTH_CLIENT_END_IDLE_SECONDS = 255;
