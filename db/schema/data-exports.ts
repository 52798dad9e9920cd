import { sql } from "drizzle-orm";
import { bigint, index, integer, pgTable, primaryKey, text, timestamp, uuid } from "drizzle-orm/pg-core";
import { bytea } from "./types.ts";
import { users } from "./users.ts";

/** The exports that users requested, at most one a day for each user; made by a replica outside of requests. */
export const dataExports = pgTable(
  "data_exports",
  {
    id: uuid().primaryKey(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    status: text({ enum: ["pending", "ready", "failed"] }).notNull(),
    attempts: integer().notNull().default(0),
    /** Due time of the next attempt; also the lease of the replica that makes the export now. */
    nextAttemptAt: timestamp("next_attempt_at", { withTimezone: true }).notNull(),
    /** Size of the document in bytes, once ready. */
    bytes: bigint({ mode: "number" }),
    requestedAt: timestamp("requested_at", { withTimezone: true }).notNull(),
    completedAt: timestamp("completed_at", { withTimezone: true }),
    /** End of the download; null until ready. */
    expiresAt: timestamp("expires_at", { withTimezone: true }),
  },
  (table) => [
    index("data_exports_user_id_idx").on(table.userId, table.requestedAt),
    index("data_exports_next_attempt_at_idx").on(table.nextAttemptAt).where(sql`status = 'pending'`),
    index("data_exports_requested_at_idx").on(table.requestedAt),
  ],
);

/** The document of an export in parts of bounded size, readable from every replica. */
export const dataExportParts = pgTable(
  "data_export_parts",
  {
    exportId: uuid("export_id")
      .notNull()
      .references(() => dataExports.id, { onDelete: "cascade" }),
    part: integer().notNull(),
    /** Sealed with AES-256-GCM and bound to the export and the part. */
    sealedContent: bytea("sealed_content").notNull(),
  },
  (table) => [primaryKey({ name: "data_export_parts_pkey", columns: [table.exportId, table.part] })],
);
