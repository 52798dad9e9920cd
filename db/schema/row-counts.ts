import { bigint, pgTable, primaryKey, smallint, text } from "drizzle-orm/pg-core";

/** How many rows a large table has, as a sum over shards: triggers keep it, and writers that come together meet on different ones. */
export const rowCounts = pgTable(
  "row_counts",
  {
    relation: text().notNull(),
    shard: smallint().notNull(),
    count: bigint({ mode: "number" }).notNull(),
  },
  (table) => [primaryKey({ name: "row_counts_pkey", columns: [table.relation, table.shard] })],
);
