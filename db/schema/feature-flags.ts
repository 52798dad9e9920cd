import { boolean, pgTable, smallint, text, timestamp, uuid } from "drizzle-orm/pg-core";

/** Switches of the platform, resolved per organization (docs/contract.md, section 4.12). */
export const featureFlags = pgTable("feature_flags", {
  key: text().primaryKey(),
  description: text().notNull(),
  enabled: boolean().notNull(),
  rolloutPercent: smallint("rollout_percent").notNull(),
  onOrganizations: uuid("on_organizations").array().notNull(),
  offOrganizations: uuid("off_organizations").array().notNull(),
  updatedAt: timestamp("updated_at", { withTimezone: true }).notNull(),
});
