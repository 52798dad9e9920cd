import { sql } from "drizzle-orm";
import { boolean, index, jsonb, pgTable, text, timestamp, uuid } from "drizzle-orm/pg-core";
import { organizations } from "./organizations.ts";
import { ssoConnections } from "./sso-connections.ts";
import { bytea } from "./types.ts";
import { users } from "./users.ts";

/** Links by which a person without an account sets up single sign-on (docs/contract.md, section 29.50). */
export const ssoSetupLinks = pgTable(
  "sso_setup_links",
  {
    id: uuid().primaryKey(),
    organizationId: uuid("organization_id")
      .notNull()
      .references(() => organizations.id, { onDelete: "cascade" }),
    /** The tasks: `domains`, `connection`, `directory`. */
    intents: text().array().notNull(),
    /** SHA-256 of the token in the URL. */
    tokenHash: bytea("token_hash").notNull().unique("sso_setup_links_token_hash_key"),
    /** The recipient of the mailed link; null: not mailed. */
    email: text(),
    createdBy: uuid("created_by")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** The power of `createdBy` at that time (src/models/channel/channel-holder.ts); written by a trigger. */
    setUpPower: jsonb("set_up_power"),
    /** The key or trust of the program that made the row, whose end ends the row; no foreign key. Null: a user. */
    createdByCredential: uuid("created_by_credential"),
    /** Whether the creator acted as an administrator of the platform. */
    byPlatform: boolean("by_platform").notNull(),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
    expiresAt: timestamp("expires_at", { withTimezone: true }).notNull(),
    begunAt: timestamp("begun_at", { withTimezone: true }),
    /** SHA-256 of the cookie of the browser that began; null: not begun. */
    browserHash: bytea("browser_hash").unique("sso_setup_links_browser_hash_key"),
    endedAt: timestamp("ended_at", { withTimezone: true }),
    endReason: text("end_reason", { enum: ["revoked", "completed"] }),
    /** The one connection that the link created. */
    connectionId: uuid("connection_id").references(() => ssoConnections.id, { onDelete: "set null" }),
    /** The time at which the link created its one directory token. */
    directoryTokenAt: timestamp("directory_token_at", { withTimezone: true }),
  },
  (table) => [
    index("sso_setup_links_organization_id_idx").on(table.organizationId, table.createdAt),
    index("sso_setup_links_created_by_idx").on(table.createdBy),
    index("sso_setup_links_created_by_credential_idx")
      .on(table.createdByCredential)
      .where(sql`created_by_credential is not null`),
    index("sso_setup_links_connection_id_idx").on(table.connectionId),
    index("sso_setup_links_expires_at_idx").on(table.expiresAt),
    index("sso_setup_links_email_idx").on(table.email),
  ],
);
