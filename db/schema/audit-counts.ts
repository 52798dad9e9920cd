import { bigint, boolean, pgTable, primaryKey, text, timestamp } from "drizzle-orm/pg-core";

/**
 * How many entries the audit trail has of each action in each hour that is over, so that a `total` of millions is a sum of thousands.
 * A trigger adds entries that come late, so the sum stays exact.
 */
export const auditCounts = pgTable(
  "audit_counts",
  {
    hour: timestamp({ withTimezone: true }).notNull(),
    action: text().notNull(),
    count: bigint({ mode: "number" }).notNull(),
  },
  (table) => [primaryKey({ name: "audit_counts_pkey", columns: [table.hour, table.action] })],
);

/** Up to which hour the counts go. One row. */
export const auditCountState = pgTable("audit_count_state", {
  only: boolean().primaryKey().default(true),
  countedUntil: timestamp("counted_until", { withTimezone: true }).notNull(),
});
