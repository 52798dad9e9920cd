import { index, pgTable, primaryKey, timestamp, uuid } from "drizzle-orm/pg-core";
import { bytea } from "./types.ts";

/**
 * Used client assertions, until expiry: an assertion authenticates once (RFC 7523, section 3). Also the proofs of
 * possession (RFC 9449) whose use was recorded while Redis was unavailable.
 */
export const oauthAssertions = pgTable(
  "oauth_assertions",
  {
    clientId: uuid("client_id").notNull(),
    jtiHash: bytea("jti_hash").notNull(),
    expiresAt: timestamp("expires_at", { withTimezone: true }).notNull(),
  },
  (table) => [
    primaryKey({ name: "oauth_assertions_pkey", columns: [table.clientId, table.jtiHash] }),
    index("oauth_assertions_expires_at_idx").on(table.expiresAt),
  ],
);
