import { sql } from "drizzle-orm";
import { boolean, index, integer, pgTable, text, timestamp, uuid } from "drizzle-orm/pg-core";
import { bytea } from "./types.ts";

/**
 * Pending emails: inserted in the transaction of the reported change, deleted after the provider accepted the email.
 */
export const outbox = pgTable(
  "outbox",
  {
    /** Also the idempotency key for the provider. */
    id: uuid().primaryKey(),
    /** Recipient and content under AES-256-GCM, bound to the id. */
    sealedLetter: bytea("sealed_letter").notNull(),
    /** Kind, keyed hash of the address, and client network, as in `email_log`; null in rows of older replicas. */
    kind: text(),
    addressHash: text("address_hash"),
    network: text(),
    /** A notice beyond its limit waits for the next notice of the kind and address, at most until `next_attempt_at`. */
    held: boolean().notNull().default(false),
    /** Held notices that were merged into this notice. */
    merged: integer().notNull().default(0),
    attempts: integer().notNull().default(0),
    /** Due time; also the lease of the replica that is sending the email now. */
    nextAttemptAt: timestamp("next_attempt_at", { withTimezone: true }).notNull(),
    expiresAt: timestamp("expires_at", { withTimezone: true }).notNull(),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
  },
  (table) => [
    index("outbox_next_attempt_at_idx").on(table.nextAttemptAt),
    // Serves the age of the oldest email, read by each replica every few seconds.
    index("outbox_created_at_idx").on(table.createdAt),
    index("outbox_held_idx").on(table.addressHash, table.kind).where(sql`held`),
  ],
);
