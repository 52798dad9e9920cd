import { pgTable, text, timestamp, uuid } from "drizzle-orm/pg-core";

/** Work that one replica at a time does, and until when it is that one's. */
export const leases = pgTable("leases", {
  name: text().primaryKey(),
  holder: uuid().notNull(),
  expiresAt: timestamp("expires_at", { withTimezone: true }).notNull(),
});
