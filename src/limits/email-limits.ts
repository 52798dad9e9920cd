/** Lifetimes, caps and sizes of emails (docs/contract.md, sections 12.12 and 20.2), with the unit in the name. */

export const EMAIL_LIFETIME_MS = 24 * 3600 * 1000;
export const OUTBOX_POLL_MS = 5_000;
export const OUTBOX_BATCH = 20;
/** After this time, other replicas send the emails of a replica that crashed. Longer than a send may take. */
export const OUTBOX_LEASE_MS = 60_000;
export const OUTBOX_RETRY_MIN_MS = 5_000;
export const OUTBOX_RETRY_MAX_MS = 15 * 60 * 1000;
export const MAIL_SEND_DEADLINE_MS = 10_000;
export const MAIL_RESPONSE_MAX_BYTES = 64 * 1024;
/** A name inside a subject is truncated to this. */
export const SUBJECT_VALUE_MAX_CHARACTERS = 60;
/** A name in an email is truncated to this. */
export const EMAIL_NAME_MAX_CHARACTERS = 60;
/** The greeting of an address without a controlling proof has a longer name omitted. */
export const UNPROVEN_NAME_MAX_CHARACTERS = 30;
export const UNPROVEN_NAME_MAX_WORDS = 4;
/** Owners of an organization that receive a mail about the organization. */
export const OWNER_MAIL_RECIPIENTS_MAX = 20;
export const MAIL_FOLDER_FILES_MAX = 400;
export const LOCALE_MAX_CHARACTERS = 35;

// Limits of an address (docs/contract.md, section 20.2)
/** Notices of one kind to an address without a controlling proof, in the window of `SERVICE_RATE_LIMIT_MAIL`. */
export const UNPROVEN_NOTICES_MAX = 2;
/** Share of the limits of a network and an address that requested emails and invitations may use. */
export const REQUESTED_SHARE = 2 / 3;
/** A held notice waits at most this long for the next notice of the same kind. */
export const NOTICE_RELEASE_MS = 15 * 60 * 1000;
/** `Retry-After` of an invitation to an address that has had too many emails. */
export const EMAIL_RETRY_SECONDS = 3600;
/** Invitations of a client network are counted together over organizations younger than this. */
export const YOUNG_ORGANIZATION_MS = 7 * 24 * 3600 * 1000;

// SMTP
/** Deadline of each step of the examination by `doctor` (ms). */
export const SMTP_EXAMINATION_MS = 5_000;
/** Default of `SERVICE_SMTP_CONNECTIONS`: common providers permit three to ten connections of one account. */
export const SMTP_CONNECTIONS = 3;
/** Emails over one connection, after which a server may expect a new connection. */
export const SMTP_MESSAGES_PER_CONNECTION = 100;
/** The wait of an email for a connection; with the delivery shorter than `OUTBOX_LEASE_MS`. */
export const SMTP_WAIT_MS = 40_000;
