import { sql } from "drizzle-orm";
import { index, pgTable, smallint, text, timestamp, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { bytea } from "./types.ts";
import { userEmails } from "./user-emails.ts";
import { users } from "./users.ts";

/** An emailed sign-in code. Each user has at most one: a new request replaces the code. */
export const emailCodes = pgTable(
  "email_codes",
  {
    id: uuid().primaryKey(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** The address of the email: removal of the address ends the code. Null in rows of earlier releases. */
    userEmailId: uuid("user_email_id").references(() => userEmails.id, { onDelete: "cascade" }),
    /** SHA-256 over a key, this row's id and the code: a plain hash of six digits could be reversed. */
    codeHash: bytea("code_hash").notNull(),
    /** SHA-256 of the token of the link; null: the email has no link. */
    linkHash: bytea("link_hash"),
    /** SHA-256 of the cookie of the browser that asked: the link works in this browser only. */
    browserHash: bytea("browser_hash"),
    /** A path of this service, after a sign-in by the link. */
    redirectTo: text("redirect_to"),
    attempts: smallint().notNull().default(0),
    expiresAt: timestamp("expires_at", { withTimezone: true }).notNull(),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
  },
  (table) => [
    uniqueIndex("email_codes_user_id_key").on(table.userId),
    uniqueIndex("email_codes_link_hash_key").on(table.linkHash).where(sql`link_hash is not null`),
    index("email_codes_expires_at_idx").on(table.expiresAt),
    index("email_codes_user_email_id_idx").on(table.userEmailId),
  ],
);
