import { bigint, index, integer, jsonb, pgTable, real, smallint, text, timestamp, uuid } from "drizzle-orm/pg-core";

/**
 * How requests were decided, for `explain` (docs/decisions/0019): every refusal and a sample of the rest, for a few
 * days. Nothing but `explain` reads it, and nothing depends on its rows.
 */
export const requestDecisions = pgTable(
  "request_decisions",
  {
    /** In the order of insertion, so that the oldest beyond a number of rows are found by it. */
    id: bigint({ mode: "bigint" }).primaryKey().generatedAlwaysAsIdentity(),
    requestId: uuid("request_id").notNull(),
    at: timestamp({ withTimezone: true }).notNull(),
    method: text().notNull(),
    route: text().notNull(),
    operation: text(),
    status: smallint().notNull(),
    code: text(),
    rule: text(),
    bound: text(),
    limits: jsonb().notNull(),
    counters: jsonb().notNull(),
    retryAfterSeconds: integer("retry_after_seconds"),
    userId: uuid("user_id"),
    organizationId: uuid("organization_id"),
    network: text(),
    durationMs: real("duration_ms").notNull(),
    traceId: text("trace_id"),
  },
  (table) => [
    index("request_decisions_request_id_idx").on(table.requestId),
    index("request_decisions_at_idx").on(table.at),
  ],
);
