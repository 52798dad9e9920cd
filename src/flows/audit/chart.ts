import type { Refusal } from "../../base/problem.ts";
import { ok, type Result } from "../../base/result.ts";
import type { Sql } from "../../database/database.ts";
import { EARLIEST } from "../../database/timestamp.ts";
import type { Deps } from "../../deps.ts";
import { AUDIT_CHART_BARS_MAX, AUDIT_CHART_HOURS_MAX, AUDIT_CHART_SPAN_HOURS } from "../../limits/console-limits.ts";
import { type AuditBucket, type AuditSeries, chartAudit, chartFailures } from "../../models/audit/audit-chart.ts";
import type { AuditOutcome } from "../../models/audit/audit-log.ts";
import { auditReader } from "../steps/authorization/authorize-audit-read.ts";
import type { PlatformCaller } from "../steps/authorization/authorize-platform-role.ts";
import { findParties, type PartyQuery } from "./find-parties.ts";
import { validatePeriod } from "./period.ts";

export interface ChartQuery extends PartyQuery {
  /** A Viewer or higher. */
  readonly caller: PlatformCaller;
  readonly action: string | undefined;
  readonly outcome?: AuditOutcome | undefined;
  readonly organizationId?: string | undefined;
  readonly from: string | undefined;
  readonly to: string | undefined;
}

/** `count`: all entries, failures included. */
export interface ChartBar extends AuditBucket {
  readonly failures: number;
}

export interface AuditChart {
  readonly unit: "hour" | "day";
  /** Oldest first, including empty buckets. The first and the last bucket may be parts of their hour or day. */
  readonly buckets: readonly ChartBar[];
  /** Entries in all buckets. */
  readonly total: number;
  /** Failures in all buckets. */
  readonly failures: number;
  readonly from: Date;
  readonly to: Date;
}

const HOUR_SECONDS = 3600;
const STEPS = { hour: HOUR_SECONDS, day: 24 * HOUR_SECONDS } as const;

/**
 * The events of a period by the hour or day, for the console, in one query. Without `from` the chart shows the last day
 * of the period; a long period is cut to the last `AUDIT_CHART_BARS_MAX` bars.
 */
export async function chartAuditLogs(
  deps: Pick<Deps, "reads" | "clock">,
  query: ChartQuery,
): Promise<Result<AuditChart, Refusal<"invalid_input">>> {
  const { caller, action, outcome, organizationId } = query;
  const period = validatePeriod(query.from, query.to);
  if (!period.ok) return period;
  const ends = Math.min(period.value.to?.getTime() ?? Number.POSITIVE_INFINITY, deps.clock.now());
  const lastDay = Math.max(EARLIEST, ends - AUDIT_CHART_SPAN_HOURS * HOUR_SECONDS * 1000);
  const begins = period.value.from?.getTime() ?? lastDay;
  const unit = unitOf(ends - begins);
  const stepMs = STEPS[unit] * 1000;
  const earliest = Math.floor(ends / stepMs) * stepMs - (AUDIT_CHART_BARS_MAX - 1) * stepMs;
  const span = { from: new Date(Math.min(Math.max(begins, earliest), ends)), to: new Date(ends) };
  const parties = await findParties(deps, auditReader(caller), query);
  const series = {
    ...parties,
    organizationIds: organizationId === undefined ? undefined : [organizationId],
    action,
    outcome,
    ...span,
    stepSeconds: STEPS[unit],
  };
  const found = await deps.reads.run("audit.chart", caller.reader, (sql) => countBars(sql, series));
  const buckets = withEmpty(found, span, stepMs);
  return ok({ unit, buckets, total: sumOf(buckets, "count"), failures: sumOf(buckets, "failures"), ...span });
}

/** A chart of counts without failures, by the hour or day, for a period of at most `AUDIT_CHART_BARS_MAX` bars. */
export async function chartOf(
  span: Pick<AuditChart, "from" | "to">,
  count: (stepSeconds: number) => Promise<readonly AuditBucket[]>,
): Promise<AuditChart> {
  const unit = unitOf(span.to.getTime() - span.from.getTime());
  const counts = await count(STEPS[unit]);
  const found = new Map(counts.map((bucket) => [bucket.at.getTime(), { count: bucket.count, failures: 0 }]));
  const buckets = withEmpty(found, span, STEPS[unit] * 1000);
  return { unit, buckets, total: sumOf(buckets, "count"), failures: 0, ...span };
}

/** The sum of charts of one period, at least one. */
export function sumOfCharts([first, ...others]: readonly AuditChart[]): AuditChart {
  if (!first) throw new Error("the sum of no charts has no period");
  const buckets = first.buckets.map(({ at, ...bar }, index) => ({
    at,
    count: others.reduce((sum, { buckets: bars }) => sum + (bars[index]?.count ?? 0), bar.count),
    failures: others.reduce((sum, { buckets: bars }) => sum + (bars[index]?.failures ?? 0), bar.failures),
  }));
  return { ...first, buckets, total: sumOf(buckets, "count"), failures: sumOf(buckets, "failures") };
}

/** The bars with at least one entry. */
async function countBars(sql: Sql, series: AuditSeries): Promise<ReadonlyMap<number, Omit<ChartBar, "at">>> {
  const [all, failed] = await Promise.all([
    chartAudit(sql, { ...series, outcome: undefined }),
    chartFailures(sql, series),
  ]);
  const failures = new Map(failed.map(({ at, count }) => [at.getTime(), count]));
  const bars = all.map(({ at, count }) => [
    at.getTime(),
    barOf(series.outcome, count, failures.get(at.getTime()) ?? 0),
  ]);
  return new Map(bars as [number, Omit<ChartBar, "at">][]);
}

function barOf(outcome: AuditOutcome | undefined, count: number, failures: number): Omit<ChartBar, "at"> {
  if (outcome === "failure") return { count: failures, failures };
  return outcome === "success" ? { count: count - failures, failures: 0 } : { count, failures };
}

function sumOf(bars: readonly ChartBar[], member: "count" | "failures"): number {
  return bars.reduce((sum, bar) => sum + bar[member], 0);
}

/** Bars as fine as the maximum number permits. */
function unitOf(spanMs: number): AuditChart["unit"] {
  return spanMs <= AUDIT_CHART_HOURS_MAX * HOUR_SECONDS * 1000 ? "hour" : "day";
}

function withEmpty(
  found: ReadonlyMap<number, Omit<ChartBar, "at">>,
  span: Pick<AuditChart, "from" | "to">,
  stepMs: number,
): ChartBar[] {
  const bars: ChartBar[] = [];
  const last = span.to.getTime();
  for (let at = Math.floor(span.from.getTime() / stepMs) * stepMs; at <= last; at += stepMs) {
    bars.push({ at: new Date(at), ...(found.get(at) ?? { count: 0, failures: 0 }) });
  }
  return bars;
}
