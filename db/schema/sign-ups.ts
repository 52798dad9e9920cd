import { sql } from "drizzle-orm";
import { check, index, integer, pgTable, smallint, text, timestamp, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { oauthClients } from "./oauth-provider.ts";
import { bytea } from "./types.ts";

/**
 * Pending sign-ups: addresses without an account that await the emailed code or link (docs/contract.md, chapter 37).
 * A row ends with its use, or after ten minutes.
 */
export const signUps = pgTable(
  "sign_ups",
  {
    id: uuid().primaryKey(),
    /** Null: an identity of a provider still awaits its address. */
    email: text(),
    /** HMAC-SHA-256 over a key, this row's id and the code; null without an address. */
    codeHash: bytea("code_hash"),
    /** SHA-256 of the token of the link; null: the email has no link. */
    linkHash: bytea("link_hash"),
    /** SHA-256 of the cookie of the browser that asked: no other browser uses the link or the identity. */
    browserHash: bytea("browser_hash"),
    attempts: smallint().notNull().default(0),
    /** The application of the registration. */
    clientId: uuid("client_id").references(() => oauthClients.id, { onDelete: "set null" }),
    /** A path of this service. */
    redirectTo: text("redirect_to"),
    /** The identity of a provider that the code links, sealed with the id of the row. */
    identitySealed: bytea("identity_sealed"),
    /** Keyed hash of the network of the client, for the bound of a network. */
    networkHash: bytea("network_hash").notNull(),
    expiresAt: timestamp("expires_at", { withTimezone: true }).notNull(),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
  },
  (table) => [
    uniqueIndex("sign_ups_email_key").on(table.email),
    uniqueIndex("sign_ups_link_hash_key").on(table.linkHash).where(sql`link_hash is not null`),
    index("sign_ups_browser_hash_idx").on(table.browserHash).where(sql`browser_hash is not null`),
    index("sign_ups_network_hash_idx").on(table.networkHash),
    index("sign_ups_client_id_idx").on(table.clientId).where(sql`client_id is not null`),
    index("sign_ups_expires_at_idx").on(table.expiresAt),
    check(
      "sign_ups_subject_check",
      sql`(email is null) = (code_hash is null)
      and (email is not null or identity_sealed is not null)`,
    ),
  ],
);

/**
 * Wrong codes of addresses without an account, in the windows of `failed_attempts`. In PostgreSQL, so that the bounds
 * hold without Redis.
 */
export const addressAttempts = pgTable(
  "address_attempts",
  {
    /** Keyed hash of the address. */
    addressHash: text("address_hash").primaryKey(),
    hourStartedAt: timestamp("hour_started_at", { withTimezone: true }).notNull(),
    hourCount: integer("hour_count").notNull(),
    dayStartedAt: timestamp("day_started_at", { withTimezone: true }).notNull(),
    dayCount: integer("day_count").notNull(),
  },
  (table) => [index("address_attempts_day_started_at_idx").on(table.dayStartedAt)],
);
