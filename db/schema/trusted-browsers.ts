import { index, pgTable, text, timestamp, uuid } from "drizzle-orm/pg-core";
import { bytea } from "./types.ts";
import { users } from "./users.ts";

/** A browser in which the user skips the second factor at sign-in, identified by the hash of the cookie. */
export const trustedBrowsers = pgTable(
  "trusted_browsers",
  {
    id: uuid().primaryKey(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    tokenHash: bytea("token_hash").notNull().unique("trusted_browsers_token_hash_key"),
    name: text(),
    userAgent: text("user_agent"),
    ipAddress: text("ip_address"),
    /** Address of the last sign-in; null before the first use of the trust. */
    lastIpAddress: text("last_ip_address"),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
    lastUsedAt: timestamp("last_used_at", { withTimezone: true }),
    expiresAt: timestamp("expires_at", { withTimezone: true }).notNull(),
    revokedAt: timestamp("revoked_at", { withTimezone: true }),
  },
  (table) => [
    index("trusted_browsers_user_id_idx").on(table.userId, table.createdAt),
    index("trusted_browsers_expires_at_idx").on(table.expiresAt),
  ],
);
