import { bigint, pgTable, text, timestamp } from "drizzle-orm/pg-core";

/** The progress of an import, updated in the transaction of each batch: an interrupted import resumes there. */
export const userImports = pgTable("user_imports", {
  /** SHA-256 over size, beginning and end of the file, hexadecimal. */
  fingerprint: text().primaryKey(),
  /** Bytes of the file that were processed. */
  offset: bigint({ mode: "number" }).notNull(),
  line: bigint({ mode: "number" }).notNull(),
  imported: bigint({ mode: "number" }).notNull(),
  refused: bigint({ mode: "number" }).notNull(),
  /** Bytes of the report of refused lines that belong to the processed part. */
  reportBytes: bigint("report_bytes", { mode: "number" }).notNull(),
  startedAt: timestamp("started_at", { withTimezone: true }).notNull(),
  updatedAt: timestamp("updated_at", { withTimezone: true }).notNull(),
  finishedAt: timestamp("finished_at", { withTimezone: true }),
});
