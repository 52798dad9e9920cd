import { sql } from "drizzle-orm";
import { check, index, integer, jsonb, pgTable, text, timestamp, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { organizations } from "./organizations.ts";
import { users } from "./users.ts";

/** The domains of organizations, proven by a DNS record (docs/contract.md, chapter 29). */
export const organizationDomains = pgTable(
  "organization_domains",
  {
    id: uuid().primaryKey(),
    organizationId: uuid("organization_id")
      .notNull()
      .references(() => organizations.id, { onDelete: "cascade" }),
    /** Lower case, A-labels, without a trailing dot. */
    domain: text().notNull(),
    /** In the value of the DNS record; different for every pair of organization and domain. */
    token: text().notNull(),
    status: text({ enum: ["pending", "verified", "failing", "lost"] }).notNull(),
    /** Null after the deletion of the user. */
    claimedBy: uuid("claimed_by").references(() => users.id, { onDelete: "set null" }),
    /** The power of `claimedBy` at that time (src/models/channel/channel-holder.ts); written by a trigger. */
    setUpPower: jsonb("set_up_power"),
    verifiedAt: timestamp("verified_at", { withTimezone: true }),
    /** Time of the last check, whatever the result. */
    checkedAt: timestamp("checked_at", { withTimezone: true }),
    /** The last time that DNS had the record: a disputed claim ends 30 days later. */
    seenAt: timestamp("seen_at", { withTimezone: true }),
    /** Time of the first definite DNS response without the record of a verified domain. */
    missingSince: timestamp("missing_since", { withTimezone: true }),
    /** Warnings sent to the owners since `missing_since`. */
    warnings: integer().notNull().default(0),
    /** The only connection for addresses of the domain; null: every active connection of the organization. */
    connectionId: uuid("connection_id"),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
  },
  (table) => [
    uniqueIndex("organization_domains_claim_key").on(table.organizationId, table.domain),
    // A failing domain still belongs to the organization: one holder at most.
    uniqueIndex("organization_domains_holder_key").on(table.domain).where(sql`status in ('verified', 'failing')`),
    // The other claims of a domain.
    index("organization_domains_domain_idx").on(table.domain),
    // The domains that are due for a check.
    index("organization_domains_checked_at_idx").on(sql`coalesce(checked_at, created_at)`).where(sql`status <> 'lost'`),
    index("organization_domains_claimed_by_idx").on(table.claimedBy),
    check("organization_domains_missing_check", sql`(status = 'failing') <= (missing_since is not null)`),
  ],
);
