import { sql } from "drizzle-orm";
import { index, integer, pgTable, text, timestamp, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { bytea } from "./types.ts";

/** Initial access tokens: each permits a number of registrations (RFC 7591, section 3). */
export const oauthRegistrationTokens = pgTable(
  "oauth_registration_tokens",
  {
    id: uuid().primaryKey(),
    name: text().notNull(),
    tokenHash: bytea("token_hash").notNull(),
    maxUses: integer("max_uses").notNull(),
    uses: integer().notNull().default(0),
    /** The key or trust of the program that made the row, whose end ends the row; no foreign key. Null: a user. */
    createdByCredential: uuid("created_by_credential"),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
    expiresAt: timestamp("expires_at", { withTimezone: true }).notNull(),
  },
  (table) => [
    uniqueIndex("oauth_registration_tokens_token_hash_key").on(table.tokenHash),
    index("oauth_registration_tokens_expires_at_idx").on(table.expiresAt),
    index("oauth_registration_tokens_created_by_credential_idx")
      .on(table.createdByCredential)
      .where(sql`created_by_credential is not null`),
  ],
);
