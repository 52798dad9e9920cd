import { sql } from "drizzle-orm";
import { check, index, integer, pgTable, text, timestamp, uuid } from "drizzle-orm/pg-core";
import { oauthClients } from "./oauth-provider.ts";
import { organizations } from "./organizations.ts";
import { bytea } from "./types.ts";

/** The look and links of an organization or of an application. Null: the value of the deployment applies. */
export const brands = pgTable(
  "brands",
  {
    id: uuid().primaryKey(),
    organizationId: uuid("organization_id")
      .unique("brands_organization_id_key")
      .references(() => organizations.id, { onDelete: "cascade" }),
    clientId: uuid("client_id")
      .unique("brands_client_id_key")
      .references(() => oauthClients.id, { onDelete: "cascade" }),
    /** `#rgb` or `#rrggbb`. */
    accent: text(),
    /** Corner radius in pixels. */
    radius: integer(),
    termsUrl: text("terms_url"),
    privacyUrl: text("privacy_url"),
    supportUrl: text("support_url"),
    /** PNG, re-encoded by the service; the hash is the public name. */
    logo: bytea(),
    logoHash: text("logo_hash"),
    logoDark: bytea("logo_dark"),
    logoDarkHash: text("logo_dark_hash"),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
    updatedAt: timestamp("updated_at", { withTimezone: true }).notNull(),
  },
  (table) => [
    check("brands_owner_check", sql`num_nonnulls(organization_id, client_id) = 1`),
    index("brands_logo_hash_idx").on(table.logoHash),
    index("brands_logo_dark_hash_idx").on(table.logoDarkHash),
  ],
);
