import { integer, jsonb, pgTable, timestamp, uuid } from "drizzle-orm/pg-core";
import { organizations } from "./organizations.ts";

/**
 * The policies of organizations (docs/contract.md, chapter 33). No row: the defaults apply. The type of the settings is
 * closed in src/models/organization-policy, and the function `organization_access` reads the settings by name.
 */
export const organizationPolicies = pgTable("organization_policies", {
  organizationId: uuid("organization_id")
    .primaryKey()
    .references(() => organizations.id, { onDelete: "cascade" }),
  /** In force from `policiesAt`. */
  settings: jsonb().notNull(),
  policiesAt: timestamp("policies_at", { withTimezone: true }).notNull(),
  /** In force before `policiesAt`; null: the defaults. */
  previous: jsonb(),
  revision: integer().notNull(),
  updatedAt: timestamp("updated_at", { withTimezone: true }).notNull(),
});
