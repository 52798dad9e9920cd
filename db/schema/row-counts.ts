import { bigint, pgTable, primaryKey, smallint, text } from "drizzle-orm/pg-core";

/** The number of rows of a large table, maintained by triggers; the sum over shards, which reduce lock contention. */
export const rowCounts = pgTable(
  "row_counts",
  {
    relation: text().notNull(),
    shard: smallint().notNull(),
    count: bigint({ mode: "number" }).notNull(),
  },
  (table) => [primaryKey({ name: "row_counts_pkey", columns: [table.relation, table.shard] })],
);
