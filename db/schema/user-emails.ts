import { sql } from "drizzle-orm";
import { bigint, boolean, index, pgTable, text, timestamp, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { bytea } from "./types.ts";
import { users } from "./users.ts";

/**
 * The addresses of users (docs/contract.md, section 12.14). `users.email` remains the primary address: a trigger of
 * migration `user_emails` copies every write to `users` into the primary row, also the writes of older releases.
 */
export const userEmails = pgTable(
  "user_emails",
  {
    id: uuid().primaryKey().defaultRandom(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** Normalised, like `users.email`. */
    email: text().notNull(),
    /** Null: the address awaits confirmation, and several users may await the confirmation of one address. */
    verifiedAt: timestamp("verified_at", { withTimezone: true }),
    /** Time of the first controlling proof of the mailbox. */
    controlledAt: timestamp("controlled_at", { withTimezone: true }),
    /**
     * True: verified by an administrator or a program, without a proof of the mailbox, which clears the mark. A vouched
     * address leads into no organization and to no platform role (docs/contract.md, section 5.7).
     */
    vouched: boolean("vouched").notNull().default(false),
    primary: boolean("primary").notNull().default(false),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
  },
  (table) => [
    uniqueIndex("user_emails_email_key").on(table.email).where(sql`"primary" or verified_at is not null`),
    uniqueIndex("user_emails_user_email_key").on(table.userId, table.email),
    uniqueIndex("user_emails_primary_key").on(table.userId).where(sql`"primary"`),
    index("user_emails_pending_idx").on(table.createdAt).where(sql`verified_at is null and not "primary"`),
  ],
);

/**
 * Requests for additional addresses and changes of the primary address, until neither the mailed link nor the undo link
 * is valid. At most 5 rows an hour for a user.
 */
export const emailChanges = pgTable(
  "email_changes",
  {
    id: uuid().primaryKey(),
    /** The order under the lock of the user: an undo voids the request and every later request. */
    sequence: bigint({ mode: "number" }).notNull().generatedAlwaysAsIdentity(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** `change`: of the primary address by a mailed link; `add`: an address; `switch`: to a verified address. */
    kind: text({ enum: ["change", "add", "switch"] }).notNull(),
    /** The requested address. */
    email: text().notNull(),
    /** The primary address at the request, which an undo restores. */
    previousEmail: text("previous_email").notNull(),
    /** SHA-256 of the token in the mailed link; null once consumed or void. */
    tokenHash: bytea("token_hash"),
    /** SHA-256 of the token in the undo link; null without a link, once consumed, or void. */
    undoTokenHash: bytea("undo_token_hash"),
    requestedAt: timestamp("requested_at", { withTimezone: true }).notNull(),
    confirmedAt: timestamp("confirmed_at", { withTimezone: true }),
    /** End of the links: of the request, and after the confirmation of the undo. */
    expiresAt: timestamp("expires_at", { withTimezone: true }).notNull(),
  },
  (table) => [
    uniqueIndex("email_changes_token_hash_key").on(table.tokenHash),
    uniqueIndex("email_changes_undo_token_hash_key").on(table.undoTokenHash),
    index("email_changes_user_id_idx").on(table.userId, table.requestedAt),
    index("email_changes_expires_at_idx").on(table.expiresAt),
  ],
);

/** Former addresses, reserved for their user while an undo may restore the address. */
export const emailReservations = pgTable(
  "email_reservations",
  {
    email: text().primaryKey(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    expiresAt: timestamp("expires_at", { withTimezone: true }).notNull(),
  },
  (table) => [
    index("email_reservations_user_id_idx").on(table.userId),
    index("email_reservations_expires_at_idx").on(table.expiresAt),
  ],
);
