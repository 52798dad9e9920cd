import { boolean, index, integer, pgTable, text, timestamp, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { oauthClients } from "./oauth-provider.ts";
import { bytea } from "./types.ts";
import { users } from "./users.ts";

/**
 * A device that waits for the approval of a user (RFC 8628). The approval inserts a row of `oauth_codes` under the hash
 * of the device code.
 */
export const oauthDeviceCodes = pgTable(
  "oauth_device_codes",
  {
    id: uuid().primaryKey(),
    deviceCodeHash: bytea("device_code_hash").notNull(),
    /** The code on the display of the device, without the hyphen. */
    userCode: text("user_code").notNull(),
    clientId: uuid("client_id")
      .notNull()
      .references(() => oauthClients.id, { onDelete: "cascade" }),
    scopes: text().array().notNull(),
    resources: text().array().notNull(),
    /** `acr_values` asks for `aal2` or `phr`. */
    secondFactor: boolean("second_factor").notNull(),
    /** The first known value of `acr_values`. Null: none, or written by a release without the column. */
    acr: text({ enum: ["aal1", "aal2", "phr"] }),
    /** Network address of the device, displayed to the user. */
    ipAddress: text("ip_address"),
    status: text({ enum: ["pending", "approved", "denied"] })
      .notNull()
      .default("pending"),
    /** The last user who typed the code; no other user can decide. */
    userId: uuid("user_id").references(() => users.id, { onDelete: "cascade" }),
    intervalSeconds: integer("interval_seconds").notNull(),
    /** Written by releases that recorded every poll. */
    polledAt: timestamp("polled_at", { withTimezone: true }),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
    expiresAt: timestamp("expires_at", { withTimezone: true }).notNull(),
  },
  (table) => [
    uniqueIndex("oauth_device_codes_device_code_hash_key").on(table.deviceCodeHash),
    uniqueIndex("oauth_device_codes_user_code_key").on(table.userCode),
    index("oauth_device_codes_client_id_idx").on(table.clientId, table.expiresAt),
    index("oauth_device_codes_expires_at_idx").on(table.expiresAt),
    index("oauth_device_codes_user_id_idx").on(table.userId),
  ],
);
