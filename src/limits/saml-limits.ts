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

// Metadata of identity providers
export const SAML_METADATA_MAX_BYTES = 512 * 1024;
/** Entities of an aggregate: larger aggregates belong to federations, which publish metadata by entity. */
export const SAML_METADATA_NODES_MAX = 50_000;

// Workers
/** From the acceptance of a job to its result. */
export const SAML_DEADLINE_MS = 5_000;
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
