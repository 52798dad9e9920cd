import { bigint, boolean, pgTable, primaryKey, text, timestamp } from "drizzle-orm/pg-core";

/**
 * The number of audit records of each action in each hour up to `counted_until`, so that a `total` of millions is a sum
 * of thousands. A trigger counts late records, so the sum stays exact (docs/decisions/0007).
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

/** The sum of each day's hours (UTC), kept by a trigger on `audit_counts`. */
export const auditDayCounts = pgTable(
  "audit_day_counts",
  {
    day: timestamp({ withTimezone: true }).notNull(),
    action: text().notNull(),
    count: bigint({ mode: "number" }).notNull(),
  },
  (table) => [primaryKey({ name: "audit_day_counts_pkey", columns: [table.day, table.action] })],
);

/** The end of the last counted minute. One row. */
export const auditCountState = pgTable("audit_count_state", {
  only: boolean().primaryKey().default(true),
  countedUntil: timestamp("counted_until", { withTimezone: true }).notNull(),
});
