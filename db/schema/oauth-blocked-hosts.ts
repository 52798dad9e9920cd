import { pgTable, text, timestamp } from "drizzle-orm/pg-core";

/** Hosts whose metadata documents identify no client; `*.example.com` is every host below example.com. */
export const oauthBlockedHosts = pgTable("oauth_blocked_hosts", {
  host: text().primaryKey(),
  createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
});
