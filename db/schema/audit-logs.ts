import { sql } from "drizzle-orm";
import { bigint, index, jsonb, pgTable, primaryKey, text, timestamp, uuid } from "drizzle-orm/pg-core";
import { xid8 } from "./types.ts";

/**
 * The audit trail (docs/contract.md, section 4.13). Partitioned by month of `timestamp`, so that retention drops whole
 * partitions. drizzle-kit does not support partitions: the clause was added to the migration by hand.
 */
export const auditLogs = pgTable(
  "audit_logs",
  {
    id: bigint({ mode: "bigint" }).generatedAlwaysAsIdentity(),
    eventId: uuid("event_id").notNull(),
    timestamp: timestamp({ withTimezone: true }).notNull(),
    organizationId: uuid("organization_id"),
    actorId: uuid("actor_id"),
    actorType: text("actor_type").notNull(),
    action: text().notNull(),
    resourceType: text("resource_type").notNull(),
    resourceId: text("resource_id"),
    ipAddress: text("ip_address"),
    userAgent: text("user_agent"),
    requestId: uuid("request_id"),
    metadata: jsonb().notNull(),
    outcome: text().notNull(),
    /** The transaction that inserted the row, which orders the transparency log. Null: from before migration 0012. */
    transactionId: xid8("transaction_id").default(sql`pg_current_xact_id()`),
  },
  (table) => [
    primaryKey({ name: "audit_logs_pkey", columns: [table.id, table.timestamp] }),
    index("audit_logs_actor_idx").on(table.actorId, table.id),
    index("audit_logs_action_idx").on(table.action, table.id),
    // The trail grows in order of time: a small BRIN index is enough to find a period.
    index("audit_logs_timestamp_idx").using("brin", table.timestamp).with({ autosummarize: true }),
    index("audit_logs_transaction_id_idx")
      .using("brin", sql`(transaction_id::text::bigint)`)
      .with({ autosummarize: true }),
    // Serves lists and counts of failures. Partitions from before migration 0035 have no such index, as below.
    index("audit_logs_failure_idx").on(table.id, table.timestamp, table.action).where(sql`outcome = 'failure'`),
    // Serves proofs of one record. Partitions from before migration 0025 have no such index, as below.
    index("audit_logs_event_id_idx").on(table.eventId),
    // Serves keys of one organization. Partitions from before migration 0011 have no such index: building the index
    // would lock the partitions.
    index("audit_logs_organization_idx").on(table.organizationId, table.id),
  ],
);
