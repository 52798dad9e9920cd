import { index, pgTable, text, timestamp, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { bytea } from "./types.ts";
import { userEmails } from "./user-emails.ts";
import { users } from "./users.ts";

/** The hashed token of a mailed link, at most one per user and purpose: a new request replaces the token. */
export const mailedTokens = pgTable(
  "mailed_tokens",
  {
    tokenHash: bytea("token_hash").primaryKey(),
    purpose: text({ enum: ["email_verification", "password_reset", "ticket"] }).notNull(),
    /** Null after the user was deleted: a reset then returns 404 (docs/contract.md, section 12.4). */
    userId: uuid("user_id").references(() => users.id, { onDelete: "set null" }),
    /** The address of the email. A token for an address that was removed meanwhile violates the foreign key. */
    userEmailId: uuid("user_email_id").references(() => userEmails.id, { onDelete: "set null" }),
    expiresAt: timestamp("expires_at", { withTimezone: true }).notNull(),
    /** The credential of the program that received the token as a ticket; null: the token was emailed. */
    issuedBy: uuid("issued_by"),
    /** The path of the service to which the page of a ticket continues. */
    redirectTo: text("redirect_to"),
    consumedAt: timestamp("consumed_at", { withTimezone: true }),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
  },
  (table) => [
    uniqueIndex("mailed_tokens_user_purpose_key").on(table.userId, table.purpose),
    index("mailed_tokens_expires_at_idx").on(table.expiresAt),
    index("mailed_tokens_user_email_id_idx").on(table.userEmailId),
  ],
);
