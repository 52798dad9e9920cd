import { index, pgTable, primaryKey, text, timestamp, uuid } from "drizzle-orm/pg-core";
import { bytea } from "./types.ts";
import { users } from "./users.ts";

/** Who a user is at another identity provider. A subject is unique within its issuer alone (OpenID Connect Core, section 5.7). */
export const userIdentities = pgTable(
  "user_identities",
  {
    provider: text().notNull(),
    issuer: text().notNull(),
    subject: text().notNull(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
    lastUsedAt: timestamp("last_used_at", { withTimezone: true }).notNull(),
  },
  (table) => [
    primaryKey({ name: "user_identities_pkey", columns: [table.provider, table.issuer, table.subject] }),
    index("user_identities_user_id_idx").on(table.userId),
  ],
);

/** A sign-in that is under way at a provider. Taking it deletes the row, so that one answer to it is looked at. */
export const oauthStates = pgTable(
  "oauth_states",
  {
    stateHash: bytea("state_hash").primaryKey(),
    /** Hash of the cookie of the browser that began. */
    browserHash: bytea("browser_hash").notNull(),
    provider: text().notNull(),
    /** Where the person goes afterwards: a path of the public base URL. */
    redirectTo: text("redirect_to").notNull(),
    expiresAt: timestamp("expires_at", { withTimezone: true }).notNull(),
  },
  (table) => [index("oauth_states_expires_at_idx").on(table.expiresAt)],
);
