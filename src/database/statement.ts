/** Builds a statement from common table expressions (CTEs) that refer to CTEs by name. */
import type { Fragment, Sql } from "./database.ts";

/** The name of a CTE. A fragment uses only CTEs from its parameters (docs/architecture.md, rule 12): `from ${home}`. */
export type Cte = ReturnType<typeof cte>;

export function cte(sql: Sql, name: string) {
  return sql(name);
}

/**
 * Advisory lock inside a transaction: transactions that lock an identical name run in sequence, so that a transaction
 * sees the rows counted by the previous transaction.
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

/** The row version that a form displayed: `updated_at`, or `none` for an absent row. */
export type DisplayedVersion = Date | "none";

/** The condition of an upsert's update: the row has the displayed version. `displayed` undefined: no condition. */
export function whereUnchanged(sql: Sql, updatedAt: Fragment, displayed: DisplayedVersion | undefined): Fragment {
  if (displayed === undefined) return sql``;
  return displayed === "none" ? sql`where false` : sql`where date_trunc('milliseconds', ${updatedAt}) = ${displayed}`;
}

/** As `isVersion`, for a row that may be absent. */
export function isStoredVersion(updatedAt: Date | null, displayed: DisplayedVersion): boolean {
  return updatedAt === null ? displayed === "none" : isVersion(updatedAt, displayed);
}

/** Compares the `updated_at` of a locked row with the version displayed in the form. */
export function isVersion(updatedAt: Date, displayed: DisplayedVersion): boolean {
  return displayed !== "none" && displayed.getTime() === updatedAt.getTime();
}

/** A condition after a column: one of the ids. One id is an equality, for the order of an index. */
export function amongIds(sql: Sql, ids: readonly string[]): Fragment {
  return ids.length === 1 ? sql`= ${ids[0] ?? ""}::uuid` : sql`= any(${[...ids]}::uuid[])`;
}
