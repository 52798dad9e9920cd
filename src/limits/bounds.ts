/**
 * Every bound that refuses a request, an e-mail, a statement or a message. Every bound has a series of
 * `service.bound.refusals` from the start, at zero, so that the first refusal is an increase.
 */
export const BOUNDS = {
  body_size: "a body larger than its endpoint accepts (`JSON_BODY_MAX_BYTES`, `AVATAR_BYTES_MAX`)",
  body_time: "a body that was not complete in time (`BODY_READ_DEADLINE_MS`, `UPLOAD_READ_DEADLINE_MS`)",
  body_slots: "a large body beyond those that a replica receives at once (`UNIDENTIFIED_BODIES_MAX` and its like)",
  limit_sign_in: "`SERVICE_RATE_LIMIT_SIGN_IN`",
  limit_register: "`SERVICE_RATE_LIMIT_REGISTER`",
  limit_integrations: "`SERVICE_RATE_LIMIT_INTEGRATIONS`",
  limit_oauth: "`SERVICE_RATE_LIMIT_OAUTH`",
  limit_oauth_registration: "`SERVICE_RATE_LIMIT_OAUTH_REGISTRATION`",
  limit_oauth_waiting: "`SERVICE_RATE_LIMIT_OAUTH_WAITING`",
  limit_pages: "`SERVICE_RATE_LIMIT_PAGES`",
  limit_public_reads: "`SERVICE_RATE_LIMIT_PUBLIC_READS`",
  limit_scim: "`SERVICE_RATE_LIMIT_SCIM`",
  limit_caller: "`SERVICE_RATE_LIMIT_CALLER`",
  limit_mail: "`SERVICE_RATE_LIMIT_MAIL*`: the e-mail is not sent, the response does not tell",
  limit_invitations: "`SERVICE_RATE_LIMIT_*INVIT*` and the e-mails of one address",
  unverified_invitations: "invitations of a sender whose address is not verified (`UNVERIFIED_INVITATIONS_MAX`)",
  password_guesses: "`SERVICE_RATE_LIMIT_PASSWORD_PAIR` and `SERVICE_RATE_LIMIT_PASSWORD_ACCOUNT`",
  second_factor_misses: "wrong second factors of a token, a session or a user (docs/contract.md, section 8.7)",
  user_code_misses: "wrong codes of devices of a user or a network (`USER_CODE_MISSES_MAX`)",
  device_codes: "devices that wait for an approval (`DEVICE_CODES_PER_CLIENT_MAX`, `DEVICE_CODES_PER_NETWORK_MAX`)",
  dynamic_clients: "applications that registered themselves (`OAUTH_DYNAMIC_CLIENTS_MAX`)",
  email_code_misses: "wrong e-mailed codes of a code or a user (docs/contract.md, section 11.2)",
  data_exports: "exports of a user's data in a day (`DATA_EXPORT_INTERVAL_MS`)",
  email_changes: "requests of a user for e-mail addresses (`EMAIL_CHANGES_MAX`)",
  sso_requests: "sign-ins of a connection that wait for the identity provider (`SSO_REQUESTS_MAX`)",
  sso_logouts: "logout tokens of the identity provider of a connection (`SSO_LOGOUTS_MAX`)",
  sso_tests: "tests of a connection (`SSO_TESTS_MAX`)",
  saml_queue: "messages of SAML beyond the queue of the workers (`SAML_QUEUE_MAX`)",
  domain_checks: "requested checks of a domain (`DOMAIN_CHECKS_MAX`)",
  hash_queue: "sign-ins beyond the admission control or the queue of the hash pool (`SERVICE_HASH_QUEUE`)",
  hash_deadline: "a password that was not hashed in time (`HASH_DEADLINE_MS`)",
  sign_slots: "sign-ins and refreshes beyond the admission control of the signing pool (`SIGN_SLOTS`)",
  export_slots: "exports beyond those that run (`EXPORTS_MAX`)",
  proof_checkpoint: "proofs of a checkpoint that is not published yet",
  picture_queue: "pictures that would wait too long to be decoded (`AVATARS_WAITING_MAX`, `AVATAR_WAIT_DEADLINE_MS`)",
  credential_changes: "a change of credentials that others overtook each time (`CREDENTIAL_CHANGE_ATTEMPTS_MAX`)",
  background_work: "requests for e-mails while too many are being written (`BACKGROUND_WORK_MAX`)",
  database_queue: "statements beyond those that may wait for PostgreSQL (`DATABASE_QUEUE_MAX`)",
  database_deadline: "statements without a response in time (`DATABASE_DEADLINE_MS`)",
  revocation_mailbox: "events beyond the mailbox of revocations: the log is read instead (`MAILBOX_MAX`)",
  stream_backlog: "an event stream that was disabled because too many events waited (`WEBHOOK_BACKLOG_MAX`)",
  stream_polls: "a poll of events that was answered at once because too many waited (`STREAM_POLLS_WAITING_*`)",
  stream_verifications: "a verification too soon after the one before (`STREAM_VERIFICATION_INTERVAL_SECONDS`)",
  decision_log: "refusals that were not recorded because too many waited (`DECISIONS_WAITING_MAX`)",
} as const;

export type Bound = keyof typeof BOUNDS;

export const BOUND_NAMES = Object.keys(BOUNDS) as readonly Bound[];
