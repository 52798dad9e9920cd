import type { Fragment, Sql } from "./database.ts";

/** A query for the number of rows of a large table, as `total`: a sum of what triggers count, exact and as quick for a million. */
export function countRows(sql: Sql, relation: "users" | "organizations"): Fragment {
  return sql`select coalesce(sum(count), 0)::int as total from row_counts where relation = ${relation}`;
}
