import { index, pgTable, text, timestamp, uuid } from "drizzle-orm/pg-core";

/**
 * Emails that were admitted, for the limits of an address (docs/contract.md, section 20.2). In PostgreSQL, so that the
 * limits hold when Redis is emptied. At most `SERVICE_RATE_LIMIT_MAIL_ADDRESS` rows an hour for one address.
 */
export const emailLog = pgTable(
  "email_log",
  {
    /** Also the id in the outbox. */
    id: uuid().primaryKey(),
    /** Keyed hash: a reader of the table cannot search for an address. */
    addressHash: text("address_hash").notNull(),
    kind: text().notNull(),
    /** Client network that caused the email; empty for the command line and the service itself. */
    network: text().notNull(),
    sentAt: timestamp("sent_at", { withTimezone: true }).notNull(),
    /** End of the longest window that counts the row. */
    expiresAt: timestamp("expires_at", { withTimezone: true }).notNull(),
  },
  (table) => [
    index("email_log_address_idx").on(table.addressHash, table.sentAt),
    index("email_log_expires_at_idx").on(table.expiresAt),
  ],
);
