import { pgTable, text, timestamp, uuid } from "drizzle-orm/pg-core";

/** A task that one replica at a time performs, and the end of the replica's lease. */
export const leases = pgTable("leases", {
  name: text().primaryKey(),
  holder: uuid().notNull(),
  expiresAt: timestamp("expires_at", { withTimezone: true }).notNull(),
});
