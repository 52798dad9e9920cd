import { HOUR_MS } from "../../base/time-units.ts";
import type { Fragment, Sql } from "../../database/database.ts";
import { type AuditFilter, isCountedByEntry, matchingEntries, nullableActions, ofActions } from "./audit-log.ts";

/** A bar of a chart. */
export interface AuditBucket {
  readonly at: Date;
  readonly count: number;
}

export interface AuditSeries extends AuditFilter {
  readonly from: Date;
  readonly to: Date;
  /** Width of a bar; buckets begin at multiples of the width since 1970, in UTC. */
  readonly stepSeconds: number;
}

/**
 * The number of matching entries per bucket, oldest first, without empty buckets, in a single statement. As in
 * `countAudit`, the statement sums the counted hours and counts the entries before and after, so ten million entries
 * cost little more than ten.
 */
export async function chartAudit(sql: Sql, series: AuditSeries): Promise<AuditBucket[]> {
  const { action, from, to, stepSeconds } = series;
  const step = sql`make_interval(secs => ${stepSeconds})`;
  const bucket = (time: Fragment) => sql`date_bin(${step}, ${time}, 'epoch')`;
  if (isCountedByEntry(series)) return await chartEntries(sql, series);
  const entries = (since: Fragment, before: Fragment) =>
    sql`select * from count_audit_actions(${since}, ${before}, ${to}, ${nullableActions(action)}::text[], ${step})`;
  const begins = new Date(Math.ceil(from.getTime() / HOUR_MS) * HOUR_MS);
  const lastHour = new Date(Math.floor(to.getTime() / HOUR_MS) * HOUR_MS);
  return await sql<AuditBucket[]>`
    with counted as materialized (
      select greatest(${begins}::timestamptz,
                      case when ${to} >= counted_until then counted_until else ${lastHour}::timestamptz end) as until
      from audit_count_state
    )
    select at, sum(count)::float8 as count from (
      select ${bucket(sql`hour`)} as at, sum(count) as count from audit_counts
      where hour >= ${begins} and hour < (select until from counted)
        ${ofActions(sql, action)} group by 1
      union all
      ${entries(sql`${from}`, sql`${begins}`)}
      union all
      ${entries(sql`(select until from counted)`, sql`null`)}
    ) as found
    group by at having sum(count) > 0 order by at`;
}

/** The number of matching failures per bucket, as in `chartAudit`, by the index of failures. */
export async function chartFailures(sql: Sql, series: AuditSeries): Promise<AuditBucket[]> {
  return await chartEntries(sql, { ...series, outcome: "failure" });
}

/** Counts the entries one by one: for filters with an index. */
async function chartEntries(sql: Sql, series: AuditSeries): Promise<AuditBucket[]> {
  return await sql<AuditBucket[]>`
    select date_bin(make_interval(secs => ${series.stepSeconds}), timestamp, 'epoch') as at, count(*)::float8 as count
    from ${matchingEntries(sql, series)} group by 1 order by 1`;
}
