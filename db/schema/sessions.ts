import { sql } from "drizzle-orm";
import { bigint, boolean, index, pgTable, primaryKey, text, timestamp, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { organizations } from "./organizations.ts";
import { bytea, xid8 } from "./types.ts";
import { users } from "./users.ts";

/**
 * A session family: one sign-in and all tokens of the sign-in. The row holds the `jti` of the current refresh token and
 * of the previous refresh token, so that rotation is a compare-and-set (docs/contract.md, section 3.6).
 */
export const sessions = pgTable(
  "sessions",
  {
    id: uuid().primaryKey(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    organizationId: uuid("organization_id")
      .notNull()
      .references(() => organizations.id, { onDelete: "cascade" }),
    authMethod: text("auth_method", {
      enum: ["password", "passkey", "social_oauth", "email_otp", "sso", "ticket"],
    }).notNull(),
    /** The provider of a social sign-in. Null: another method, or a row of a release without the column. */
    identityProvider: text("identity_provider"),
    aal: text({ enum: ["aal1", "aal2"] }).notNull(),
    /** Whether a passkey was verified in the session. */
    phishingResistant: boolean("phishing_resistant").notNull().default(false),
    authTime: timestamp("auth_time", { withTimezone: true }).notNull(),
    mfaVerifiedAt: timestamp("mfa_verified_at", { withTimezone: true }),
    /** Whether the sign-in was a controlling proof (docs/contract.md, section 5.2). */
    controlProven: boolean("control_proven").notNull().default(false),
    /**
     * Whether the sign-in came from the identity provider of the organization: the session reaches this organization
     * only (docs/contract.md, section 27.1).
     */
    organizationBound: boolean("organization_bound").notNull().default(false),
    /** The connection of a bound session. No foreign key: the deletion of a connection ends its sessions. */
    ssoConnectionId: uuid("sso_connection_id"),
    /** SHA-256 of the subject at the connection: a logout of the identity provider finds the session. */
    ssoSubjectHash: bytea("sso_subject_hash"),
    /** `sid` of the ID token or `SessionIndex` of the assertion; null: the provider sent none. */
    ssoSessionIndex: text("sso_session_index"),
    /** The last verification of the factor that the organization of a bound session requires; else null. */
    ownFactorAt: timestamp("own_factor_at", { withTimezone: true }),
    /** SHA-256 of the NameID of a connection whose subject is an attribute; null: the NameID is the subject. */
    ssoNameIdHash: bytea("sso_name_id_hash"),
    /** The NameID with format and qualifiers, sealed, for a sign-out at the identity provider. */
    sealedSsoNameId: bytea("sealed_sso_name_id"),
    /** The claim `email` of its access tokens; only for a social sign-in (docs/contract.md, section 3.4). */
    emailClaim: text("email_claim"),
    /**
     * `jti` of the mfa_token. Unique: a token issues one session even if Redis has lost the record of the first use
     * (G1).
     */
    mfaTokenJti: uuid("mfa_token_jti"),
    refreshJti: uuid("refresh_jti").notNull(),
    previousRefreshJti: uuid("previous_refresh_jti"),
    /** `jti` of the access token issued with the current refresh token: a second tab gets the same pair again. */
    accessJti: uuid("access_jti").notNull(),
    rotatedAt: timestamp("rotated_at", { withTimezone: true }).notNull(),
    /** Expiry of the current refresh token. */
    expiresAt: timestamp("expires_at", { withTimezone: true }).notNull(),
    /** Expiry of the family, which refreshes do not extend. */
    endsAt: timestamp("ends_at", { withTimezone: true }).notNull(),
    ipAddress: text("ip_address"),
    userAgent: text("user_agent"),
    /** Address of the last refresh; null before the first refresh. */
    lastIpAddress: text("last_ip_address"),
    /** Name that the user gave the session. */
    name: text(),
    revokedAt: timestamp("revoked_at", { withTimezone: true }),
    revokedReason: text("revoked_reason"),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
  },
  (table) => [
    index("sessions_user_idx").on(table.userId, table.createdAt),
    index("sessions_organization_live_idx").on(table.organizationId).where(sql`revoked_at is null`),
    // Serves the erasure of an organization: ended sessions too.
    index("sessions_organization_idx").on(table.organizationId),
    index("sessions_ends_at_idx").on(table.endsAt),
    index("sessions_sso_idx").on(table.ssoConnectionId, table.ssoSubjectHash).where(sql`sso_connection_id is not null`),
    index("sessions_sso_name_id_idx")
      .on(table.ssoConnectionId, table.ssoNameIdHash)
      .where(sql`sso_name_id_hash is not null`),
    uniqueIndex("sessions_mfa_token_jti_key").on(table.mfaTokenJti).where(sql`mfa_token_jti is not null`),
  ],
);

/**
 * The organizations that a session has left, and the last time of leaving: the access tokens for a left organization
 * may be live for a while. Written by a trigger on sessions; deleted with the session.
 */
export const sessionDepartures = pgTable(
  "session_departures",
  {
    sessionId: uuid("session_id")
      .notNull()
      .references(() => sessions.id, { onDelete: "cascade" }),
    organizationId: uuid("organization_id").notNull(),
    leftAt: timestamp("left_at", { withTimezone: true }).notNull(),
  },
  (table) => [
    primaryKey({ name: "session_departures_pkey", columns: [table.sessionId, table.organizationId] }),
    index("session_departures_organization_id_idx").on(table.organizationId, table.leftAt),
  ],
);

/**
 * Notices of a sign-in from a new browser, until the link "This was not me" expires: at most one notice a day for each
 * browser of a user.
 */
export const signInNotices = pgTable(
  "sign_in_notices",
  {
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** SHA-256 of the user agent without version numbers. */
    browserHash: bytea("browser_hash").notNull(),
    /** SHA-256 of the token in the link; null once consumed. */
    tokenHash: bytea("token_hash"),
    signedInAt: timestamp("signed_in_at", { withTimezone: true }).notNull(),
    expiresAt: timestamp("expires_at", { withTimezone: true }).notNull(),
  },
  (table) => [
    primaryKey({ name: "sign_in_notices_pkey", columns: [table.userId, table.browserHash] }),
    uniqueIndex("sign_in_notices_token_hash_key").on(table.tokenHash),
    index("sign_in_notices_expires_at_idx").on(table.expiresAt),
  ],
);

/**
 * The log of session events, in an order that every replica can follow (docs/decisions/0002): `xid` is the writing
 * transaction, so a reader that remembers which transactions were invisible misses no event. A row expires with the
 * last access token of the session.
 */
export const sessionEvents = pgTable(
  "session_events",
  {
    id: bigint({ mode: "bigint" }).primaryKey().generatedAlwaysAsIdentity(),
    xid: xid8().notNull().default(sql`pg_current_xact_id()`),
    sessionId: uuid("session_id").notNull(),
    kind: text({ enum: ["revoked", "changed", "organization_changed"] }).notNull(),
    reason: text().notNull(),
    at: timestamp({ withTimezone: true }).notNull(),
    expiresAt: timestamp("expires_at", { withTimezone: true }).notNull(),
  },
  (table) => [
    index("session_events_xid_idx").on(table.xid, table.id),
    index("session_events_expires_at_idx").on(table.expiresAt),
    index("session_events_token_idx").on(table.sessionId).where(sql`reason = 'token_revoked'`),
  ],
);
