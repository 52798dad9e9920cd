/** Builds one statement from common table expressions (CTEs) that refer to one another by name. */
import type { Fragment, Sql } from "./database.ts";

/** The name of a CTE. A fragment uses only CTEs from its parameters (docs/architecture.md, rule 12): `from ${home}`. */
export type Cte = ReturnType<typeof cte>;

export function cte(sql: Sql, name: string) {
  return sql(name);
}

/**
 * Inside a transaction: transactions that lock the same name follow one another, so that what one counts the next one
 * sees.
 */
export async function lockName(sql: Sql, name: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`;
}

/** `with a as (…), b as (…)`, in the order of the members. Undefined parts are left out. */
export function withParts(sql: Sql, parts: Readonly<Record<string, Fragment | undefined>>): Fragment {
  const [first, ...rest] = Object.entries(parts).flatMap(([name, part]) =>
    part ? [sql`${cte(sql, name)} as (${part})`] : [],
  );
  if (!first) throw new Error("withParts: at least one part is required");
  return sql`with ${rest.reduce((joined, part) => sql`${joined}, ${part}`, first)}`;
}

/** What a form showed of a row before it was changed: its `updated_at`, or that there is none. */
export type DisplayedVersion = Date | "none";

/** The condition of an upsert's update: the row is as it was shown. `shown` undefined: whatever it is. */
export function whereUnchanged(sql: Sql, updatedAt: Fragment, shown: DisplayedVersion | undefined): Fragment {
  if (shown === undefined) return sql``;
  return shown === "none" ? sql`where false` : sql`where date_trunc('milliseconds', ${updatedAt}) = ${shown}`;
}

/** The same of a row that is locked. */
export function isVersion(updatedAt: Date, shown: DisplayedVersion): boolean {
  return shown !== "none" && shown.getTime() === updatedAt.getTime();
}
