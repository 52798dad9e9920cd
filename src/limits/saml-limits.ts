/** Bounds of SAML 2.0 messages and of the workers that parse XML (docs/contract.md, chapter 29). */

// Messages
/** A response as submitted: Base64. */
export const SAML_BASE64_MAX_CHARACTERS = 256 * 1024;
/** A response after Base64 decoding, and a decrypted assertion. */
export const SAML_MESSAGE_MAX_BYTES = 192 * 1024;
/** Levels of elements; the default of libxml2. */
export const SAML_LEVELS_MAX = 256;
/** Elements, attributes and texts of a document. */
export const SAML_NODES_MAX = 5_000;
/** Attributes of an element: canonicalization sorts the attributes by insertion. */
export const SAML_ATTRIBUTES_MAX = 64;
/** The name of a namespace: the copy of a document and a canonical form can have the name once for each element. */
export const SAML_NAMESPACE_MAX_CHARACTERS = 256;
/** Declarations of namespaces of an element and its ancestors: canonicalization searches these for each element. */
export const SAML_NAMESPACES_IN_SCOPE_MAX = 64;
/** A canonical form. Escapes and repeated names of namespaces make the form longer than the message. */
export const SAML_CANONICAL_MAX_BYTES = 512 * 1024;
/** Prefixes of `InclusiveNamespaces` of a canonicalization. */
export const SAML_INCLUSIVE_PREFIXES_MAX = 10;
/** RSA keys of identity providers. */
export const SAML_KEY_MIN_BITS = 2_048;
/** A certificate in PEM form. */
export const SAML_CERTIFICATE_MAX_CHARACTERS = 16 * 1024;
/** Certificates of a connection. */
export const SAML_CERTIFICATES_MAX = 4;

// Bodies of requests
/** The form of a response at the assertion consumer service. */
export const SAML_FORM_MAX_BYTES = 300 * 1024;
/** A JSON body with metadata of an identity provider. */
export const SAML_METADATA_BODY_MAX_BYTES = 600 * 1024;

// Assertions
/** A longer lifetime of an assertion counts as this time. */
export const SAML_ASSERTION_LIFETIME_MAX_MS = 3600 * 1000;
/** A NameID or another subject. */
export const SAML_SUBJECT_MAX_CHARACTERS = 256;

// Logout messages
/** The value, the format and the qualifiers of a NameID that a session keeps for a sign-out. */
export const SAML_NAME_PART_MAX_CHARACTERS = 1_024;
/** A message of the redirect binding after inflation. */
export const SAML_INFLATED_MAX_BYTES = 64 * 1024;
/** Accepted age of a logout message, beside the clock skew of the connection. */
export const SAML_LOGOUT_MAX_AGE_MS = 10 * 60 * 1000;
/** Sessions of the identity provider that one request names. */
export const SAML_SESSION_INDEXES_MAX = 100;
/** `RelayState` of an identity provider, which the response repeats; a longer value is left out. */
export const SAML_RELAY_STATE_MAX_CHARACTERS = 2_048;

// Metadata of identity providers
export const SAML_METADATA_MAX_BYTES = 512 * 1024;
/** Between two notices of failed readings of one connection. */
export const SAML_METADATA_NOTICE_PAUSE_MS = 7 * 24 * 3600 * 1000;
/** Certificates of one `X509Data`: each is compared with the other certificates of the chain. */
export const SAML_METADATA_CERTIFICATES_MAX = 20;
/** Entities of an aggregate: larger aggregates belong to federations, which publish metadata by entity. */
export const SAML_METADATA_NODES_MAX = 50_000;

// Rollover and expiry of certificates of identity providers
/** Between two readings of the metadata of a connection. */
export const SAML_METADATA_INTERVAL_MS = 24 * 3600 * 1000;
/** From a failed reading to the next. */
export const SAML_METADATA_RETRY_MS = 3600 * 1000;
/** Between two fetches after responses by unknown keys. */
export const SAML_METADATA_FETCH_PAUSE_MS = 10 * 60 * 1000;
/** From a failed fetch after a response by an unknown key to the next. */
export const SAML_METADATA_FETCH_RETRY_MS = 60 * 1000;
/** Between two looks of a response for the result of a fetch that another response began. */
export const SAML_METADATA_WAIT_STEP_MS = 200;
/** Between two looks of a replica for connections without a reading. */
export const SAML_METADATA_LOOK_MS = 60 * 1000;
/** Readings of a round. */
export const SAML_METADATA_BATCH = 20;
/** Between two scans of the pinned certificates. */
export const SAML_CERTIFICATE_SCAN_MS = 3600 * 1000;
/** The metric of the next end has this value where no certificate ends sooner. */
export const SAML_CERTIFICATE_HORIZON_MS = 365 * 24 * 3600 * 1000;
/** Connections of one statement of a scan. */
export const SAML_CERTIFICATE_SCAN_BATCH = 200;
/** Days before the end of a certificate on which owners get a warning. */
export const SAML_CERTIFICATE_WARNING_DAYS: readonly number[] = [30, 14, 7, 1];
/** The time before the end in which pages name a certificate. */
export const SAML_CERTIFICATE_HINT_MS = 30 * 24 * 3600 * 1000;
/** Days between two warnings after the end. */
export const SAML_CERTIFICATE_REPEAT_DAYS = 7;

// Workers
/** From the acceptance of a job to its result. */
export const SAML_DEADLINE_MS = 5_000;
/** A message is too large only if a worker had this time before the deadline: a job may wait for other messages. */
export const SAML_WORKER_TIME_MS = 1_000;
export const SAML_WORKERS = 1;
/** Waiting jobs of all organizations; an organization with more waiting jobs than another loses the newest job. */
export const SAML_QUEUE_MAX = 64;
/** An idle worker ends after this time: most replicas rarely parse SAML. */
export const SAML_WORKER_IDLE_MS = 60_000;

// Requests and keys of the service
/** Random part of the ID of a request: 160 bits. */
export const SAML_REQUEST_ID_BYTES = 20;
/** Validity of certificates of service keys; identity providers trust the key. */
export const SAML_CERTIFICATE_LIFETIME_YEARS = 10;
/** Certificates of service keys in memory. */
export const SAML_SERVICE_CERTIFICATES_MAX = 2_000;
/** Time between the response and the arrival of the browser. */
export const SAML_OUTCOME_LIFETIME_MS = 60_000;
