import { index, pgTable, primaryKey, text, timestamp, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { bytea } from "./types.ts";
import { users } from "./users.ts";

/** A linked identity of a user. A subject is unique only within its issuer (OpenID Connect Core, section 5.7). */
export const userIdentities = pgTable(
  "user_identities",
  {
    /** The name of the link in paths. The key below is personal data of the provider. */
    id: uuid().notNull().defaultRandom(),
    provider: text().notNull(),
    issuer: text().notNull(),
    subject: text().notNull(),
    /** The masked address at the provider, else the name; null for a link of an earlier release. */
    label: text(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
    lastUsedAt: timestamp("last_used_at", { withTimezone: true }).notNull(),
  },
  (table) => [
    primaryKey({ name: "user_identities_pkey", columns: [table.provider, table.issuer, table.subject] }),
    index("user_identities_user_id_idx").on(table.userId),
    uniqueIndex("user_identities_id_key").on(table.id),
  ],
);

/**
 * The identities that a user has unlinked, by keyed hash: a sign-in does not link such an identity again by address
 * (docs/contract.md, section 16.4).
 */
export const unlinkedIdentities = pgTable(
  "unlinked_identities",
  {
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    identityHash: bytea("identity_hash").notNull(),
    unlinkedAt: timestamp("unlinked_at", { withTimezone: true }).notNull(),
  },
  (table) => [primaryKey({ name: "unlinked_identities_pkey", columns: [table.userId, table.identityHash] })],
);

/**
 * A pending social sign-in or link of an identity. Consumption deletes the row, so that at most one callback is
 * accepted (G2).
 */
export const oauthStates = pgTable(
  "oauth_states",
  {
    stateHash: bytea("state_hash").primaryKey(),
    /** Hash of the cookie of the browser that started the sign-in. */
    browserHash: bytea("browser_hash").notNull(),
    provider: text().notNull(),
    /** Redirect target after the sign-in: a path of the public base URL. */
    redirectTo: text("redirect_to").notNull(),
    /** The session that links an identity to its user; null for a sign-in. */
    linkSessionId: uuid("link_session_id"),
    expiresAt: timestamp("expires_at", { withTimezone: true }).notNull(),
  },
  (table) => [index("oauth_states_expires_at_idx").on(table.expiresAt)],
);
