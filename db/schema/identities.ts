import { index, pgTable, primaryKey, text, timestamp, uuid } from "drizzle-orm/pg-core";
import { bytea } from "./types.ts";
import { users } from "./users.ts";

/** A linked identity of a user. A subject is unique only within its issuer (OpenID Connect Core, section 5.7). */
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

/** A pending social sign-in. Consumption deletes the row, so that at most one callback is accepted (G2). */
export const oauthStates = pgTable(
  "oauth_states",
  {
    stateHash: bytea("state_hash").primaryKey(),
    /** Hash of the cookie of the browser that started the sign-in. */
    browserHash: bytea("browser_hash").notNull(),
    provider: text().notNull(),
    /** Redirect target after the sign-in: a path of the public base URL. */
    redirectTo: text("redirect_to").notNull(),
    expiresAt: timestamp("expires_at", { withTimezone: true }).notNull(),
  },
  (table) => [index("oauth_states_expires_at_idx").on(table.expiresAt)],
);
