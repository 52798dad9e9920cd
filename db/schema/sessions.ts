import { sql } from "drizzle-orm";
import { bigint, index, pgTable, text, timestamp, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { organizations } from "./organizations.ts";
import { xid8 } from "./types.ts";
import { users } from "./users.ts";

/**
 * A session family: one sign-in and all tokens that come from it. The row holds the `jti` of the one refresh token that is
 * good now and of the one before it, so that rotation is a compare-and-set (decisions, section 3).
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
    authMethod: text("auth_method", { enum: ["password", "passkey", "social_oauth", "email_otp"] }).notNull(),
    aal: text({ enum: ["aal1", "aal2"] }).notNull(),
    authTime: timestamp("auth_time", { withTimezone: true }).notNull(),
    mfaVerifiedAt: timestamp("mfa_verified_at", { withTimezone: true }),
    /** The claim `email` of its access tokens, for a sign-in at another provider alone (decisions, section 3). */
    emailClaim: text("email_claim"),
    /** `jti` of the mfa_token that it was made from: a second session of one token is impossible, whatever Redis knows. */
    mfaTokenJti: uuid("mfa_token_jti"),
    refreshJti: uuid("refresh_jti").notNull(),
    previousRefreshJti: uuid("previous_refresh_jti"),
    /** `jti` of the access token minted with the current refresh token: two tabs get the same pair again. */
    accessJti: uuid("access_jti").notNull(),
    rotatedAt: timestamp("rotated_at", { withTimezone: true }).notNull(),
    /** End of the current refresh token. */
    expiresAt: timestamp("expires_at", { withTimezone: true }).notNull(),
    /** End of the family, however often it is refreshed. */
    endsAt: timestamp("ends_at", { withTimezone: true }).notNull(),
    ipAddress: text("ip_address"),
    userAgent: text("user_agent"),
    revokedAt: timestamp("revoked_at", { withTimezone: true }),
    revokedReason: text("revoked_reason"),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
  },
  (table) => [
    index("sessions_user_idx").on(table.userId, table.createdAt),
    index("sessions_organization_live_idx").on(table.organizationId).where(sql`revoked_at is null`),
    index("sessions_ends_at_idx").on(table.endsAt),
    uniqueIndex("sessions_mfa_token_jti_key").on(table.mfaTokenJti).where(sql`mfa_token_jti is not null`),
  ],
);

/**
 * What happened to sessions, in an order that every replica can follow: `xid` is the writing transaction, and all
 * transactions below the snapshot's xmin are settled, so a reader that remembers that xmin misses nothing. Rows go once no
 * access token that they speak of can be live.
 */
export const sessionEvents = pgTable(
  "session_events",
  {
    id: bigint({ mode: "bigint" }).primaryKey().generatedAlwaysAsIdentity(),
    xid: xid8().notNull().default(sql`pg_current_xact_id()`),
    sessionId: uuid("session_id").notNull(),
    kind: text({ enum: ["revoked", "changed"] }).notNull(),
    reason: text().notNull(),
    at: timestamp({ withTimezone: true }).notNull(),
    expiresAt: timestamp("expires_at", { withTimezone: true }).notNull(),
  },
  (table) => [
    index("session_events_xid_idx").on(table.xid, table.id),
    index("session_events_expires_at_idx").on(table.expiresAt),
  ],
);
