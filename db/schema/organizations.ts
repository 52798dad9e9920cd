import { sql } from "drizzle-orm";
import { index, jsonb, pgTable, text, timestamp, uuid } from "drizzle-orm/pg-core";
import { bytea } from "./types.ts";

/** A tenant. `suspended_at` is the soft delete (docs/contract.md, section 14.4). */
export const organizations = pgTable(
  "organizations",
  {
    id: uuid().primaryKey(),
    name: text().notNull(),
    slug: text().notNull().unique("organizations_slug_key"),
    tier: text({ enum: ["standard", "enterprise"] }).notNull(),
    /** `personal`: the organization of one user without a team, unknown to every endpoint of organizations. */
    kind: text({ enum: ["team", "personal"] })
      .notNull()
      .default("team"),
    suspendedAt: timestamp("suspended_at", { withTimezone: true }),
    /** Time of the erasure while a deletion is pending. A trigger keeps the suspension until the cancellation. */
    deletionAt: timestamp("deletion_at", { withTimezone: true }),
    /** End of the last suspension: an mfa_token issued before this time stays invalid. */
    restoredAt: timestamp("restored_at", { withTimezone: true }),
    /** A JSON object that members and applications can read; null: empty. */
    publicMetadata: jsonb("public_metadata"),
    /** A JSON object for administrators and keys; null: empty. */
    privateMetadata: jsonb("private_metadata"),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
    updatedAt: timestamp("updated_at", { withTimezone: true }).notNull(),
  },
  (table) => [
    // Filters and orders of the lists, which have teams alone. Few are suspended or have a tier above the standard.
    index("organizations_team_created_at_idx").on(table.createdAt, table.id).where(sql`kind = 'team'`),
    index("organizations_team_name_idx").on(sql`lower(name)`, table.id).where(sql`kind = 'team'`),
    index("organizations_team_id_idx").on(table.id).where(sql`kind = 'team'`),
    index("organizations_suspended_idx").on(table.createdAt).where(sql`suspended_at is not null`),
    index("organizations_tier_idx").on(table.tier, table.createdAt).where(sql`tier <> 'standard'`),
    // The search of the console; pg_trgm is an extension.
    index("organizations_team_search_idx")
      .using("gin", sql`lower(name || ' ' || slug) gin_trgm_ops`)
      .where(sql`kind = 'team'`),
  ],
);

/**
 * Slugs that an organization gave up by a change or deletion. A slug stays reserved for 180 days: a name that returns
 * with another organization would return the authority of the former (docs/contract.md, section 23.34).
 */
export const releasedSlugs = pgTable(
  "released_slugs",
  {
    /** SHA-256 of the slug. */
    slugHash: bytea("slug_hash").primaryKey(),
    /** The former organization, which may take the slug again. No foreign key: the organization may be deleted. */
    organizationId: uuid("organization_id").notNull(),
    releasedAt: timestamp("released_at", { withTimezone: true }).notNull(),
  },
  (table) => [index("released_slugs_released_at_idx").on(table.releasedAt)],
);
