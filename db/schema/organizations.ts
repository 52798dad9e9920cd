import { index, pgTable, text, timestamp, uuid } from "drizzle-orm/pg-core";

/** A tenant. `suspended_at` is the soft delete of the contract (section 2.6). */
export const organizations = pgTable(
  "organizations",
  {
    id: uuid().primaryKey(),
    name: text().notNull(),
    slug: text().notNull().unique("organizations_slug_key"),
    tier: text({ enum: ["standard", "enterprise"] }).notNull(),
    suspendedAt: timestamp("suspended_at", { withTimezone: true }),
    /** End of the last suspension: an mfa_token from before it stays dead. */
    restoredAt: timestamp("restored_at", { withTimezone: true }),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
    updatedAt: timestamp("updated_at", { withTimezone: true }).notNull(),
  },
  (table) => [index("organizations_created_at_idx").on(table.createdAt)],
);
