import type { Sql } from "./database.ts";

/** A value as a JSON parameter. The type of `sql.json` requires an index signature, which no interface has. */
export function json(sql: Sql, value: object) {
  return sql.json(value as never);
}
