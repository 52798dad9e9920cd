import type { Fragment, Sql } from "../../database/database.ts";

/** The time in which a credential was set up. An absent bound is no bound; `until` is exclusive. */
export interface SetUpPeriod {
  readonly since?: Date | undefined;
  readonly until?: Date | undefined;
}

/** SQL condition on a column with the time of the set-up. A row without a time meets only an unbounded period. */
export function setUpWithin(sql: Sql, column: Fragment, { since, until }: SetUpPeriod): Fragment {
  return sql`
    (${since ?? null}::timestamptz is null or ${column} >= ${since ?? null})
      and (${until ?? null}::timestamptz is null or ${column} < ${until ?? null})`;
}

/** As `setUpWithin`, for what an unbounded period keeps: no row meets a period without a beginning. */
export function setUpInside(sql: Sql, column: Fragment, period: SetUpPeriod): Fragment {
  return sql`(${period.since !== undefined}::boolean and ${setUpWithin(sql, column, period)})`;
}

/**
 * The time of the set-up of a trust `t`: of its creation, or of the last change of its rules, because a changed rule
 * admits other workloads than before.
 */
export function trustSetUpAt(sql: Sql): Fragment {
  return sql`coalesce(t.tokens_valid_from, t.created_at)`;
}
