import { sql } from "drizzle-orm";
import {
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { organizations } from "./organizations.ts";
import { bytea } from "./types.ts";
import { users } from "./users.ts";

/** The connections of organizations to identity providers (docs/contract.md, chapter 29). */
export const ssoConnections = pgTable(
  "sso_connections",
  {
    id: uuid().primaryKey(),
    organizationId: uuid("organization_id")
      .notNull()
      .references(() => organizations.id, { onDelete: "cascade" }),
    protocol: text({ enum: ["oidc", "saml"] }).notNull(),
    /** Displayed on pages. */
    name: text().notNull(),
    preset: text().notNull(),
    status: text({ enum: ["draft", "active", "inactive"] }).notNull(),
    /** Fields of the protocol without secrets; the type is closed in src/models/sso-connection. */
    config: jsonb().notNull(),
    /** The client secret, sealed with AES-256-GCM and bound to `sso:<id>`; null: no secret is stored. */
    sealedSecret: bytea("sealed_secret"),
    /** Identifies the sealing key. */
    keyId: text("key_id"),
    /** Incremented by every change of the settings or the secret: pending requests are of an earlier revision. */
    revision: integer().notNull(),
    /** Time of the last successful test since the last change of a security-relevant field; else null. */
    testedAt: timestamp("tested_at", { withTimezone: true }),
    lastTestAt: timestamp("last_test_at", { withTimezone: true }),
    lastSuccessAt: timestamp("last_success_at", { withTimezone: true }),
    /** The last daily reading of the metadata of the identity provider; null: none. */
    metadataCheckedAt: timestamp("metadata_checked_at", { withTimezone: true }),
    /** The last fetch of the metadata after a response by an unknown key. */
    metadataFetchedAt: timestamp("metadata_fetched_at", { withTimezone: true }),
    /** Fingerprints of pinned certificates that the last daily reading lacked. */
    absentCertificates: text("absent_certificates").array(),
    /** The outcome of the last reading of the metadata: the problem, and the certificates without use; null: none. */
    metadataReport: jsonb("metadata_report"),
    /** The time at which a set-up link asked for the activation, which waits for an owner; else null. */
    activationRequestedAt: timestamp("activation_requested_at", { withTimezone: true }),
    /** The user whose role bounds linking by domain; null: not activated, or the user was deleted. */
    activatedBy: uuid("activated_by").references(() => users.id, { onDelete: "set null" }),
    /** The power of `activatedBy` at that time (src/models/channel/channel-holder.ts); written by a trigger. */
    setUpPower: jsonb("set_up_power"),
    /** Power of sign-ins beyond the power of the activator (src/models/channel/confirmed-power.ts); null: none. */
    confirmedPower: jsonb("confirmed_power"),
    /** The user who has chosen the claims that rules for roles read, since the activation; null: see `claimsSetAt`. */
    claimsSetBy: uuid("claims_set_by").references(() => users.id, { onDelete: "set null" }),
    /** The power of `claimsSetBy` at that time (src/models/channel/channel-holder.ts); written by a trigger. */
    claimsPower: jsonb("claims_power"),
    /** Null: the activator is responsible for the claims too. Else, without a user, the account was deleted. */
    claimsSetAt: timestamp("claims_set_at", { withTimezone: true }),
    createdBy: uuid("created_by").references(() => users.id, { onDelete: "set null" }),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
    updatedAt: timestamp("updated_at", { withTimezone: true }).notNull(),
  },
  (table) => [
    index("sso_connections_organization_id_idx").on(table.organizationId, table.createdAt),
    index("sso_connections_activated_by_idx").on(table.activatedBy),
    index("sso_connections_created_by_idx").on(table.createdBy),
    index("sso_connections_claims_set_by_idx").on(table.claimsSetBy),
  ],
);

/**
 * The keys by which the service authenticates itself at an identity provider: `private_key_jwt` of OpenID Connect.
 * `next` is published and not used yet; `previous` is published until its deletion.
 */
export const ssoServiceKeys = pgTable(
  "sso_service_keys",
  {
    id: uuid().primaryKey(),
    connectionId: uuid("connection_id")
      .notNull()
      .references(() => ssoConnections.id, { onDelete: "cascade" }),
    status: text({ enum: ["next", "current", "previous"] }).notNull(),
    publicJwk: jsonb("public_jwk").notNull(),
    /** PKCS #8, sealed with AES-256-GCM and bound to `sso:<connection id>`. */
    sealedPrivateKey: bytea("sealed_private_key").notNull(),
    /** Identifies the sealing key. */
    keyId: text("key_id").notNull(),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
  },
  (table) => [uniqueIndex("sso_service_keys_status_key").on(table.connectionId, table.status)],
);

/** The last warning about the end of a pinned certificate: of several replicas, one sends each warning. */
export const ssoCertificateWarnings = pgTable(
  "sso_certificate_warnings",
  {
    connectionId: uuid("connection_id")
      .notNull()
      .references(() => ssoConnections.id, { onDelete: "cascade" }),
    /** SHA-256 of the DER form of a certificate, or of the expiry of a client secret, in hexadecimal. */
    sha256: text().notNull(),
    warnedAt: timestamp("warned_at", { withTimezone: true }).notNull(),
  },
  (table) => [uniqueIndex("sso_certificate_warnings_key").on(table.connectionId, table.sha256)],
);

/** What an organization permits by single sign-on (docs/contract.md, chapter 29). No row: the defaults apply. */
export const ssoPolicies = pgTable("sso_policies", {
  organizationId: uuid("organization_id")
    .primaryKey()
    .references(() => organizations.id, { onDelete: "cascade" }),
  mode: text({ enum: ["off", "optional", "required"] }).notNull(),
  requiredAt: timestamp("required_at", { withTimezone: true }),
  pausedUntil: timestamp("paused_until", { withTimezone: true }),
  guests: text({ enum: ["own_methods", "required"] }).notNull(),
  breakGlass: uuid("break_glass").array().notNull(),
  jit: text({ enum: ["on", "invited_only", "off"] }).notNull(),
  defaultRole: text("default_role").notNull(),
  /** Up to 50 rules `{from, value, role}`. */
  roleRules: jsonb("role_rules").notNull(),
  sync: text({ enum: ["always", "first"] }).notNull(),
  requireOwnFactor: boolean("require_own_factor").notNull(),
  revision: integer().notNull(),
  updatedAt: timestamp("updated_at", { withTimezone: true }).notNull(),
});

/** The link of a subject at a connection to a user. */
export const ssoIdentities = pgTable(
  "sso_identities",
  {
    id: uuid().primaryKey(),
    connectionId: uuid("connection_id")
      .notNull()
      .references(() => ssoConnections.id, { onDelete: "cascade" }),
    /** SHA-256 of the subject: subjects have up to 256 characters. */
    subjectHash: bytea("subject_hash").notNull(),
    subject: text().notNull(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    linkedBy: text("linked_by", { enum: ["domain", "user", "directory"] }).notNull(),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
    lastUsedAt: timestamp("last_used_at", { withTimezone: true }).notNull(),
    /**
     * The power `{role, granted}` of the member at the departure of the person behind the connection; null: none, or no
     * departure.
     */
    keptPower: jsonb("kept_power"),
  },
  (table) => [
    uniqueIndex("sso_identities_subject_key").on(table.connectionId, table.subjectHash),
    uniqueIndex("sso_identities_user_key").on(table.connectionId, table.userId),
    index("sso_identities_user_id_idx").on(table.userId),
  ],
);

/** A pending request to an identity provider. Consumption deletes the row, so that one response at most counts. */
export const ssoRequests = pgTable(
  "sso_requests",
  {
    /** SHA-256 of the `state`. */
    idHash: bytea("id_hash").primaryKey(),
    /** SHA-256 of the cookie of the browser that started the request. */
    browserHash: bytea("browser_hash").notNull(),
    connectionId: uuid("connection_id")
      .notNull()
      .references(() => ssoConnections.id, { onDelete: "cascade" }),
    /** A response to the request of an earlier revision of the connection is refused. */
    connectionRevision: integer("connection_revision").notNull(),
    intent: text({ enum: ["sign_in", "link", "step_up", "test", "logout"] }).notNull(),
    /** The caller of `link`, `step_up`, `test` and `logout`; null for `sign_in`. */
    userId: uuid("user_id").references(() => users.id, { onDelete: "cascade" }),
    sessionId: uuid("session_id"),
    /** Redirect target after the response: a path of the public base URL. */
    redirectTo: text("redirect_to").notNull(),
    /** Seconds; null: the request asks for no maximum age. */
    maxAge: integer("max_age"),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
    expiresAt: timestamp("expires_at", { withTimezone: true }).notNull(),
  },
  (table) => [
    index("sso_requests_connection_id_idx").on(table.connectionId, table.createdAt),
    index("sso_requests_user_id_idx").on(table.userId),
    index("sso_requests_expires_at_idx").on(table.expiresAt),
  ],
);

/** A verified response that waits for a step of the browser: the confirmation of a link. Single use. */
export const ssoOutcomes = pgTable(
  "sso_outcomes",
  {
    /** SHA-256 of the handle. */
    handleHash: bytea("handle_hash").primaryKey(),
    /** SHA-256 of the cookie of the browser that started the request. */
    browserHash: bytea("browser_hash").notNull(),
    connectionId: uuid("connection_id")
      .notNull()
      .references(() => ssoConnections.id, { onDelete: "cascade" }),
    userId: uuid("user_id").references(() => users.id, { onDelete: "cascade" }),
    sessionId: uuid("session_id"),
    redirectTo: text("redirect_to").notNull(),
    /** The verified identity, sealed: the values are personal data. */
    sealedIdentity: bytea("sealed_identity").notNull(),
    expiresAt: timestamp("expires_at", { withTimezone: true }).notNull(),
  },
  (table) => [
    index("sso_outcomes_connection_id_idx").on(table.connectionId),
    index("sso_outcomes_user_id_idx").on(table.userId),
    index("sso_outcomes_expires_at_idx").on(table.expiresAt),
  ],
);

/** Ids of accepted messages of identity providers until their expiry: a message counts once. */
export const ssoConsumed = pgTable(
  "sso_consumed",
  {
    connectionId: uuid("connection_id")
      .notNull()
      .references(() => ssoConnections.id, { onDelete: "cascade" }),
    /** SHA-256 of the id. */
    idHash: bytea("id_hash").notNull(),
    expiresAt: timestamp("expires_at", { withTimezone: true }).notNull(),
  },
  (table) => [
    uniqueIndex("sso_consumed_key").on(table.connectionId, table.idHash),
    index("sso_consumed_expires_at_idx").on(table.expiresAt),
  ],
);

/** The last attempts of a connection, for administrators of the organization. */
export const ssoAttempts = pgTable(
  "sso_attempts",
  {
    /** UUIDv7: orders attempts of equal times. */
    id: uuid().primaryKey(),
    connectionId: uuid("connection_id")
      .notNull()
      .references(() => ssoConnections.id, { onDelete: "cascade" }),
    at: timestamp({ withTimezone: true }).notNull(),
    outcome: text({ enum: ["success", "failure"] }).notNull(),
    /** Null after a success. The set is closed: no text of an identity provider. */
    reason: text(),
    /** The part of an accepted assertion that was not applied. */
    warning: text({ enum: ["address_taken", "groups_incomplete", "roles_left_out"] }),
    step: text().notNull(),
    /** Whether the message belonged to a live request: other messages have a smaller share of the places. */
    requested: boolean().notNull(),
    email: text(),
    requestId: text("request_id").notNull(),
    userId: uuid("user_id").references(() => users.id, { onDelete: "set null" }),
  },
  (table) => [
    index("sso_attempts_connection_id_idx").on(table.connectionId, table.at),
    index("sso_attempts_at_idx").on(table.at),
    index("sso_attempts_user_id_idx").on(table.userId),
    check("sso_attempts_reason_check", sql`(outcome = 'failure') = (reason is not null)`),
  ],
);

/** Tests of connections and their results, for 24 hours. */
export const ssoTests = pgTable(
  "sso_tests",
  {
    id: uuid().primaryKey(),
    connectionId: uuid("connection_id")
      .notNull()
      .references(() => ssoConnections.id, { onDelete: "cascade" }),
    /** The revision under test: the result counts for this revision only. */
    connectionRevision: integer("connection_revision").notNull(),
    /** SHA-256 of the handle in the URL, then of the `state` of the request; null once the response came. */
    handleHash: bytea("handle_hash").unique("sso_tests_handle_hash_key"),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** The session of the administrator, or the id of the set-up link. */
    sessionId: uuid("session_id").notNull(),
    /** The set-up link that began the test on behalf of its creator; null: the administrator. */
    setupLinkId: uuid("setup_link_id"),
    /** Checks, claims and mapping, sealed; null: no response yet. */
    sealedResult: bytea("sealed_result"),
    succeeded: boolean(),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
    expiresAt: timestamp("expires_at", { withTimezone: true }).notNull(),
  },
  (table) => [
    index("sso_tests_connection_id_idx").on(table.connectionId, table.createdAt),
    index("sso_tests_user_id_idx").on(table.userId),
    index("sso_tests_expires_at_idx").on(table.expiresAt),
  ],
);
