/** One statement out of several: common table expressions (CTEs) that are handed to one another by name. */
import type { Fragment, Sql } from "./database.ts";

/** The name of a CTE. A fragment reads only from CTEs that it was handed: `from ${home}`, `${home}.role`. */
export type Cte = ReturnType<typeof cte>;

export function cte(sql: Sql, name: string) {
  return sql(name);
}

/** `with a as (…), b as (…)`, in the order of the members. A part that is undefined is left out. */
export function withParts(sql: Sql, parts: Readonly<Record<string, Fragment | undefined>>): Fragment {
  const [first, ...rest] = Object.entries(parts).flatMap(([name, part]) =>
    part ? [sql`${cte(sql, name)} as (${part})`] : [],
  );
  if (!first) throw new Error("a statement of parts needs at least one");
  return sql`with ${rest.reduce((joined, part) => sql`${joined}, ${part}`, first)}`;
}
