import { pgTable, text, timestamp, uuid } from "drizzle-orm/pg-core";

/** A task for one replica at a time, and the end of the replica's lease. */
export const leases = pgTable("leases", {
  name: text().primaryKey(),
  holder: uuid().notNull(),
  expiresAt: timestamp("expires_at", { withTimezone: true }).notNull(),
});
