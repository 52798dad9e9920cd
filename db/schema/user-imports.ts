import { bigint, pgTable, text, timestamp } from "drizzle-orm/pg-core";

/** How far the import of a file has come, written in the transaction of each batch: an import that was cut off goes on there. */
export const userImports = pgTable("user_imports", {
  /** SHA-256 over size, beginning and end of the file, hexadecimal. */
  fingerprint: text().primaryKey(),
  /** Bytes of the file that are done. */
  offset: bigint({ mode: "number" }).notNull(),
  line: bigint({ mode: "number" }).notNull(),
  imported: bigint({ mode: "number" }).notNull(),
  refused: bigint({ mode: "number" }).notNull(),
  /** Bytes of the report of refused lines that belong to what is done. */
  reportBytes: bigint("report_bytes", { mode: "number" }).notNull(),
  startedAt: timestamp("started_at", { withTimezone: true }).notNull(),
  updatedAt: timestamp("updated_at", { withTimezone: true }).notNull(),
  finishedAt: timestamp("finished_at", { withTimezone: true }),
});
