import { boolean, index, pgTable, text, timestamp, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { bytea } from "./types.ts";
import { users } from "./users.ts";

/**
 * A reset of the password that awaits the user's review of what was set up before (docs/contract.md, section 12.16). At
 * most one row for a user: a later reset extends the row.
 */
export const credentialReviews = pgTable(
  "credential_reviews",
  {
    userId: uuid("user_id")
      .primaryKey()
      .references(() => users.id, { onDelete: "cascade" }),
    /** The address whose mailbox reset the password. */
    email: text().notNull(),
    /** What was set up from this time until `reset_at` is held: no sign-in until the user confirms. */
    heldSince: timestamp("held_since", { withTimezone: true }).notNull(),
    /** What was set up from this time until `reset_at` is listed; never later than `held_since`. */
    listedSince: timestamp("listed_since", { withTimezone: true }).notNull(),
    resetAt: timestamp("reset_at", { withTimezone: true }).notNull(),
    /** SHA-256 of the token in the mailed link that ends what is listed. */
    tokenHash: bytea("token_hash").notNull(),
    /** End of the link; the review itself waits for the user. */
    expiresAt: timestamp("expires_at", { withTimezone: true }).notNull(),
  },
  (table) => [uniqueIndex("credential_reviews_token_hash_key").on(table.tokenHash)],
);

/** The mailed links to addresses other than the address of the reset: a token for each mailbox. */
export const credentialReviewLinks = pgTable(
  "credential_review_links",
  {
    /** SHA-256 of the token in the mailed link. */
    tokenHash: bytea("token_hash").primaryKey(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** The address of the mailbox. */
    email: text().notNull(),
    /** The address whose mailbox reset the password. */
    resetEmail: text("reset_email").notNull(),
    heldSince: timestamp("held_since", { withTimezone: true }).notNull(),
    listedSince: timestamp("listed_since", { withTimezone: true }).notNull(),
    resetAt: timestamp("reset_at", { withTimezone: true }).notNull(),
    /** The address of the reset was recent: the link ends this address and the password too, despite a decision. */
    endsReset: boolean("ends_reset").notNull(),
    expiresAt: timestamp("expires_at", { withTimezone: true }).notNull(),
  },
  (table) => [
    index("credential_review_links_user_id_idx").on(table.userId),
    index("credential_review_links_expires_at_idx").on(table.expiresAt),
  ],
);
