import { sql } from "drizzle-orm";
import { index, integer, pgTable, text, timestamp, uuid } from "drizzle-orm/pg-core";

/** A person. `email` is stored normalised (NFKC, trimmed, lower case), so that one unique index settles all spellings. */
export const users = pgTable(
  "users",
  {
    id: uuid().primaryKey(),
    email: text().notNull().unique("users_email_key"),
    emailVerifiedAt: timestamp("email_verified_at", { withTimezone: true }),
    /**
     * When the owner of the mailbox first proved control of this account (docs/contract.md, "Whose account is it"); null: whatever was
     * set up so far ends with that first proof.
     */
    controlledAt: timestamp("controlled_at", { withTimezone: true }),
    /** PHC string of Argon2id; null for a user who only signs in by other means. */
    passwordHash: text("password_hash"),
    lastPasswordChange: timestamp("last_password_change", { withTimezone: true }),
    displayName: text("display_name"),
    /** SHA-256 of the picture, hexadecimal: the name of its file (decisions, section 6). */
    avatarHash: text("avatar_hash"),
    /** Preferred language of e-mails, a language tag such as `de`; null: whatever the request asks for. */
    locale: text(),
    /**
     * Grows with every change of what proves who the user is (password, second factor, disabling). An mfa_token carries the
     * number of its time and dies with it (decisions, section 5).
     */
    credentialsEpoch: integer("credentials_epoch").notNull().default(0),
    platformRole: text("platform_role", { enum: ["viewer", "admin", "owner"] }),
    disabledAt: timestamp("disabled_at", { withTimezone: true }),
    lastLoginAt: timestamp("last_login_at", { withTimezone: true }),
    /** Which membership a sign-in without `organization_id` enters (decisions, section 4). */
    lastOrganizationId: uuid("last_organization_id"),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
    updatedAt: timestamp("updated_at", { withTimezone: true }).notNull(),
  },
  (table) => [index("users_avatar_hash_idx").on(table.avatarHash).where(sql`avatar_hash is not null`)],
);
