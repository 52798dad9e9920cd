import type { Fragment, Sql } from "../../database/database.ts";

/** SQL list of the statuses in which an organization holds a domain: `d.status in ${heldStatuses(sql)}`. */
export function heldStatuses(sql: Sql): Fragment {
  return sql`('verified', 'failing')`;
}
