import { index, integer, pgTable, primaryKey, text, timestamp, uuid } from "drizzle-orm/pg-core";
import { users } from "./users.ts";

/**
 * Wrong emailed codes and second factors of a user in fixed windows of an hour and a day, started by the first failed
 * attempt. In PostgreSQL, so that the bounds hold without Redis (docs/contract.md, sections 8.7 and 11.2; G37).
 */
export const failedAttempts = pgTable(
  "failed_attempts",
  {
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** `email_code`, `second_factor`, or `organization_factor:<id>` of the organization. */
    kind: text().notNull(),
    hourStartedAt: timestamp("hour_started_at", { withTimezone: true }).notNull(),
    hourCount: integer("hour_count").notNull(),
    dayStartedAt: timestamp("day_started_at", { withTimezone: true }).notNull(),
    dayCount: integer("day_count").notNull(),
  },
  (table) => [
    primaryKey({ name: "failed_attempts_pkey", columns: [table.userId, table.kind] }),
    index("failed_attempts_day_started_at_idx").on(table.dayStartedAt),
  ],
);
