import { sql } from "drizzle-orm";
import { bigint, boolean, index, integer, pgTable, text, timestamp, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { bytea } from "./types.ts";
import { users } from "./users.ts";

/**
 * A WebAuthn credential of a user. A deleted credential is kept as a tombstone, so that a repeated deletion succeeds.
 */
export const passkeys = pgTable(
  "passkeys",
  {
    id: uuid().primaryKey(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    credentialId: bytea("credential_id").notNull(),
    /** COSE key (RFC 9053). */
    publicKey: bytea("public_key").notNull(),
    /**
     * WebAuthn level 3, section 6.1.1: the counter must increase, unless the authenticator keeps the counter at zero.
     */
    signCount: bigint("sign_count", { mode: "number" }).notNull(),
    name: text().notNull(),
    transports: text().array().notNull(),
    deviceType: text("device_type", { enum: ["singleDevice", "multiDevice"] }).notNull(),
    backedUp: boolean("backed_up").notNull(),
    aaguid: uuid().notNull(),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
    lastUsedAt: timestamp("last_used_at", { withTimezone: true }),
    deletedAt: timestamp("deleted_at", { withTimezone: true }),
  },
  (table) => [
    uniqueIndex("passkeys_credential_id_key").on(table.credentialId).where(sql`deleted_at is null`),
    index("passkeys_user_id_idx").on(table.userId),
    index("passkeys_deleted_at_idx").on(table.deletedAt).where(sql`deleted_at is not null`),
  ],
);

/** A pending ceremony. Consumption deletes the row, so that at most one response is accepted (G2). */
export const passkeyChallenges = pgTable(
  "passkey_challenges",
  {
    challenge: bytea().primaryKey(),
    ceremony: text({ enum: ["registration", "sign_in", "step_up"] }).notNull(),
    /** The user of a registration or step-up; null for a sign-in, where the credential identifies the user. */
    userId: uuid("user_id").references(() => users.id, { onDelete: "cascade" }),
    /** The session of a step-up: an assertion steps up only the session that requested the challenge. */
    sessionId: uuid("session_id"),
    /** The user's `credentials_epoch` at the start: a registration from before a change of credentials fails (G35). */
    credentialsEpoch: integer("credentials_epoch"),
    expiresAt: timestamp("expires_at", { withTimezone: true }).notNull(),
  },
  (table) => [
    index("passkey_challenges_expires_at_idx").on(table.expiresAt),
    index("passkey_challenges_user_id_idx").on(table.userId),
  ],
);
