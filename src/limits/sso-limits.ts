/** Bounds of the single sign-on of organizations (docs/contract.md, chapter 29). */

// Domains
export const DOMAINS_MAX = 50;
/** RFC 1035, section 3.1, as text without the trailing dot. */
export const DOMAIN_MAX_CHARACTERS = 253;
export const DOMAIN_LABEL_MAX_CHARACTERS = 63;
/** Submitted text: a domain in Unicode, with white space. */
export const DOMAIN_INPUT_MAX_CHARACTERS = 512;
export const DOMAIN_TOKEN_CHARACTERS = 32;
/** Requested checks of a domain in a window; `SERVICE_RATE_LIMITS=off` does not disable the limit. */
export const DOMAIN_CHECKS_MAX = 10;
export const DOMAIN_CHECKS_WINDOW_MS = 3600 * 1000;
/** A pending claim is deleted after this time. */
export const DOMAIN_CLAIM_LIFETIME_MS = 14 * 24 * 3600 * 1000;
/** A disputed claim lives this long after the last sighting of its record. */
export const DOMAIN_SIGHTING_LIFETIME_MS = 30 * 24 * 3600 * 1000;
/** The owners receive a warning when the record has been missing for each of these times. */
export const DOMAIN_WARNING_AGES_MS = [1, 4, 6].map((days) => days * 24 * 3600 * 1000);
export const DOMAIN_LOST_AFTER_MS = 7 * 24 * 3600 * 1000;
export const DOMAIN_TRANSFER_REASON_MAX_CHARACTERS = 500;

// Daily checks
export const DOMAIN_CHECK_INTERVAL_MS = 24 * 3600 * 1000;
/** Pause between two searches for due domains. */
export const DOMAIN_CHECK_LOOK_MS = 60_000;
/** The pause of a replica is shorter by a random part of this time. */
export const DOMAIN_CHECK_JITTER_MS = 5_000;
/** Checks of a round, and checks at a time: a round ends before the lease. */
export const DOMAIN_CHECK_BATCH = 200;
export const DOMAIN_CHECKS_CONCURRENT_MAX = 10;
/** Released at the end of a round; after a crash, the next replica waits for the end of the lease. */
export const DOMAIN_CHECK_LEASE_MS = 120_000;
/** Deleted claims of a round. */
export const DOMAIN_EXPIRY_BATCH = 500;

// DNS
/** One look-up, with retries and CNAMEs. */
export const DNS_DEADLINE_MS = 3_000;
/** One question to one server by UDP. */
export const DNS_ATTEMPT_MS = 1_000;
export const DNS_ATTEMPTS_MAX = 3;
export const DNS_CNAME_LINKS_MAX = 8;
export const DNS_RECORDS_MAX = 64;
/** Longer TXT records are ignored. */
export const DNS_RECORD_MAX_BYTES = 1_024;
/** RFC 1035, section 4.2.2: the length of a message by TCP has 16 bits. */
export const DNS_MESSAGE_MAX_BYTES = 65_535;
/** After this many datagrams that do not match the question, the question is repeated by TCP. */
export const DNS_MISMATCHES_MAX = 16;
/** Servers of the system that are asked. */
export const DNS_SYSTEM_SERVERS_MAX = 3;
export const DNS_PORT = 53;

// Connections
export const SSO_CONNECTIONS_MAX = 10;
export const SSO_ISSUER_MAX_CHARACTERS = 1_024;
/** SAML metadata 2.0, section 2.2.1. */
export const SSO_ENTITY_ID_MAX_CHARACTERS = 1_024;
/** Addresses of identity providers by SAML, and formats of a NameID. */
export const SSO_URL_MAX_CHARACTERS = 2_048;
export const SSO_CLIENT_ID_MAX_CHARACTERS = 255;
export const SSO_CLIENT_SECRET_MAX_BYTES = 1_024;
export const SSO_SCOPES_MAX_CHARACTERS = 500;
export const SSO_EXTRA_PARAMETERS_MAX = 10;
export const SSO_PARAMETER_NAME_MAX_CHARACTERS = 64;
export const SSO_PARAMETER_VALUE_MAX_CHARACTERS = 500;
/** The name of a claim, which may be a URL. */
export const SSO_CLAIM_NAME_MAX_CHARACTERS = 255;
export const SSO_ATTRIBUTES_MAX = 16;
export const SSO_ATTRIBUTE_NAME_MAX_CHARACTERS = 64;
/** Trusted values of `acr` and `amr`. */
export const SSO_MFA_TRUST_MAX = 10;
export const SSO_MFA_VALUE_MAX_CHARACTERS = 255;
export const SSO_CLOCK_SKEW_MAX_SECONDS = 300;
export const SSO_ID_JAG_CLIENTS_MAX = 20;
/** RSA (RFC 7518, section 3.3). */
export const SSO_SERVICE_KEY_BITS = 2_048;

// Attempts and records of members
/** Attempts of a connection. */
export const SSO_ATTEMPTS_MAX = 200;
export const SSO_ATTEMPT_LIFETIME_MS = 30 * 24 * 3600 * 1000;
/** Time for which a removal by an administrator or a directory prevents provisioning. */
export const MEMBER_REMOVAL_LIFETIME_MS = 180 * 24 * 3600 * 1000;

// Policy
export const SSO_ROLE_RULES_MAX = 50;
export const SSO_ROLE_VALUE_MAX_CHARACTERS = 500;
export const SSO_BREAK_GLASS_MAX = 5;
/** Owners that the page offers for emergency access. */
export const SSO_BREAK_GLASS_LISTED_MAX = 20;
/** `required_at` is at most this far ahead. */
export const SSO_REQUIRED_AHEAD_DAYS_MAX = 30;
/** The mode `required` needs a completed sign-in of an owner or admin within this time. */
export const SSO_PROVEN_SIGN_IN_MS = 24 * 3600 * 1000;
/** Members that a dry run names. */
export const SSO_DRY_RUN_MEMBERS_MAX = 100;
/** A session of emergency access; `sso_access_until` of the database has an equal hour. */
export const SSO_BREAK_GLASS_SESSION_MS = 3600 * 1000;
export const SSO_PAUSE_MS = 24 * 3600 * 1000;
export const SSO_PAUSE_REASON_MAX_CHARACTERS = 500;
/** A time of the last sign-in that is at most this old stays: parallel sign-ins would wait for the lock of the row. */
export const SSO_SUCCESS_PRECISION_SECONDS = 60;
