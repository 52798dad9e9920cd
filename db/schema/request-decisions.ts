import { bigint, index, integer, jsonb, pgTable, real, smallint, text, timestamp, uuid } from "drizzle-orm/pg-core";

/**
 * The decisions about requests, for `explain` (docs/decisions/0019): every problem response and a sample of the rest,
 * for a few days. Only `explain` reads the rows, and no decision depends on a row.
 */
export const requestDecisions = pgTable(
  "request_decisions",
  {
    /** In the order of insertion, so that the index finds the oldest rows beyond a number of rows. */
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
    /** Outcomes of claim mappings, by name and without values; null: none. */
    claims: jsonb(),
  },
  (table) => [
    index("request_decisions_request_id_idx").on(table.requestId),
    index("request_decisions_at_idx").on(table.at),
  ],
);
