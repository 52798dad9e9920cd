/** The account of a user: addresses, credentials and sessions. */
import type { PersonalTable } from "./personal-table.ts";

const HASHED_LINK = "hash of the mailed link";
const ASKING_BROWSER = "hash of the cookie of the browser that asked";
const USER_AGENT = "user agent";
const FIRST_ADDRESS = "IP address at the sign-in";
const LAST_ADDRESS = "last IP address";

export const ACCOUNT_TABLES = {
  users: {
    purpose: "account",
    retention: "account",
    erasure: "deleted",
    copiedAs: "user",
    columns: {
      email: "primary email address",
      password_hash: "hash of the password (Argon2id)",
      display_name: "name",
      avatar_hash: "reference to the picture",
      locale: "language",
      time_zone: "time zone",
      external_id: "key of a program for the user",
      public_metadata: "metadata of programs that the user reads",
      private_metadata: "metadata of programs and administrators",
    },
  },
  user_emails: {
    purpose: "account",
    retention: "account",
    erasure: "deleted",
    copiedAs: "emails",
    columns: { email: "email address" },
  },
  avatars: {
    purpose: "account",
    retention: "account",
    erasure: "deleted",
    columns: { hash: "hash of user id and picture", content: "picture" },
  },
  email_changes: {
    purpose: "change of an email address, with undo",
    retention: "address_change",
    erasure: "deleted",
    columns: {
      email: "new email address",
      previous_email: "previous email address",
      token_hash: HASHED_LINK,
      undo_token_hash: HASHED_LINK,
    },
  },
  email_reservations: {
    purpose: "change of an email address, with undo",
    retention: "address_reservation",
    erasure: "deleted",
    columns: { email: "previous email address" },
  },
  credential_reviews: {
    purpose: "review of recent credentials after a reset of the password",
    retention: "account",
    erasure: "deleted",
    columns: { email: "email address of the reset", token_hash: HASHED_LINK },
  },
  credential_review_links: {
    purpose: "review of recent credentials after a reset of the password, by further addresses",
    retention: "address_reservation",
    erasure: "deleted",
    columns: {
      email: "email address of the link",
      reset_email: "email address of the reset",
      token_hash: HASHED_LINK,
    },
  },
  user_identities: {
    purpose: "sign-in by a linked provider",
    retention: "account",
    erasure: "deleted",
    copiedAs: "identities",
    columns: {
      provider: "provider",
      issuer: "issuer",
      subject: "id of the user at the provider",
      label: "masked email address or name at the provider",
    },
  },
  unlinked_identities: {
    purpose: "no silent return of an unlinked provider",
    retention: "account",
    erasure: "deleted",
    columns: { identity_hash: "keyed hash of provider and id" },
  },
  sso_identities: {
    purpose: "single sign-on",
    retention: "account",
    erasure: "deleted",
    columns: {
      subject: "id of the user at the identity provider",
      subject_hash: "hash of the id",
      kept_power: "role and permissions at the departure of the person responsible for the connection",
    },
  },
  passkeys: {
    purpose: "sign-in by passkey",
    retention: "credential",
    erasure: "deleted",
    copiedAs: "passkeys",
    columns: {
      credential_id: "id of the passkey",
      public_key: "public key",
      name: "name that the user chose",
      transports: "connection of the authenticator",
    },
  },
  totp_factors: {
    purpose: "second factor",
    retention: "account",
    erasure: "deleted",
    copiedAs: "second_factors",
    columns: { sealed_secret: "secret of the authenticator app, encrypted" },
  },
  organization_factors: {
    purpose: "second factor after single sign-on to one organization",
    retention: "account",
    erasure: "deleted",
    columns: {
      sealed_secret: "secret of the authenticator app, encrypted",
      recovery_codes: "keyed hashes of the codes",
    },
  },
  recovery_codes: {
    purpose: "second factor",
    retention: "account",
    erasure: "deleted",
    columns: { code_hash: "keyed hash of the code" },
  },
  trusted_browsers: {
    purpose: "sign-in without second factor on a trusted browser",
    retention: "credential",
    erasure: "deleted",
    copiedAs: "trusted_browsers",
    columns: {
      token_hash: "hash of a cookie",
      name: "name of the browser",
      user_agent: USER_AGENT,
      ip_address: FIRST_ADDRESS,
      last_ip_address: LAST_ADDRESS,
    },
  },
  sessions: {
    purpose: "sessions, their list for the user, detection of misuse",
    retention: "session",
    erasure: "deleted",
    copiedAs: "sessions",
    columns: {
      email_claim: "email address in tokens of the session",
      ip_address: FIRST_ADDRESS,
      user_agent: USER_AGENT,
      last_ip_address: LAST_ADDRESS,
      name: "name that the user chose",
      sso_subject_hash: "hash of the id at the identity provider",
      sso_session_index: "id of the session at the identity provider",
      sso_name_id_hash: "hash of the name at the identity provider",
      sealed_sso_name_id: "name at the identity provider, sealed",
    },
    impersonal: ["identity_provider", "revoked_reason"],
  },
  session_departures: { purpose: "end of tokens", retention: "session", erasure: "deleted", columns: {} },
  sign_in_notices: {
    purpose: "notice of a sign-in from a new browser",
    retention: "single_use",
    erasure: "deleted",
    columns: { browser_hash: "hash of the user agent without versions", token_hash: HASHED_LINK },
  },
  failed_attempts: {
    purpose: "limits of guesses",
    retention: "single_use",
    erasure: "deleted",
    columns: { kind: "kind of the code" },
  },
  email_codes: {
    purpose: "sign-in by emailed code",
    retention: "single_use",
    erasure: "deleted",
    columns: {
      code_hash: "keyed hash of the code",
      link_hash: HASHED_LINK,
      browser_hash: ASKING_BROWSER,
      redirect_to: "path of this service after the sign-in",
    },
  },
  sign_ups: {
    purpose: "sign-up by emailed code; the address has no account yet",
    retention: "single_use",
    erasure: "deleted",
    columns: {
      email: "email address",
      code_hash: "keyed hash of the code",
      link_hash: HASHED_LINK,
      browser_hash: ASKING_BROWSER,
      redirect_to: "path of this service after the sign-up",
      identity_sealed: "identity of a provider that awaits an address, sealed",
      network_hash: "keyed hash of the network of the client",
    },
  },
  address_attempts: {
    purpose: "limits of wrong codes",
    retention: "email",
    erasure: "expires",
    columns: { address_hash: "keyed hash of the address" },
  },
  mailed_tokens: {
    purpose: "verification of an address, reset of a password",
    retention: "single_use",
    erasure: "deleted",
    columns: { token_hash: HASHED_LINK, redirect_to: "path of this service after a sign-in by a ticket" },
  },
  passkey_challenges: {
    purpose: "sign-in by passkey",
    retention: "single_use",
    erasure: "deleted",
    columns: {},
    impersonal: ["challenge"],
  },
} as const satisfies Readonly<Record<string, PersonalTable>>;
