import type { Refusal } from "../../base/problem.ts";
import { ok, type Result } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";
import { AUDIT_CHART_BARS_MAX, AUDIT_CHART_HOURS_MAX, AUDIT_CHART_SPAN_HOURS } from "../../limits/console-limits.ts";
import { type AuditBucket, chartAudit } from "../../models/audit/audit-log.ts";
import type { PlatformCaller } from "../steps/authorization/authorize-platform-role.ts";
import { EARLIEST, validatePeriod } from "./period.ts";

export interface ChartQuery {
  /** A Viewer or higher. */
  readonly caller: PlatformCaller;
  readonly actorId: string | undefined;
  readonly action: string | undefined;
  readonly from: string | undefined;
  readonly to: string | undefined;
}

export interface AuditChart {
  readonly unit: "hour" | "day";
  /** Oldest first, including empty buckets. The first and the last bucket may be parts of their hour or day. */
  readonly buckets: readonly AuditBucket[];
  /** Entries in all buckets. */
  readonly total: number;
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
  { caller, actorId, action, from, to }: ChartQuery,
): Promise<Result<AuditChart, Refusal<"invalid_input">>> {
  const period = validatePeriod(from, to);
  if (!period.ok) return period;
  const ends = Math.min(period.value.to?.getTime() ?? Number.POSITIVE_INFINITY, deps.clock.now());
  const lastDay = Math.max(EARLIEST, ends - AUDIT_CHART_SPAN_HOURS * HOUR_SECONDS * 1000);
  const begins = period.value.from?.getTime() ?? lastDay;
  const unit = unitOf(ends - begins);
  const stepMs = STEPS[unit] * 1000;
  const earliest = Math.floor(ends / stepMs) * stepMs - (AUDIT_CHART_BARS_MAX - 1) * stepMs;
  const span = { from: new Date(Math.min(Math.max(begins, earliest), ends)), to: new Date(ends) };
  const found = await deps.reads.run("audit.chart", caller.session, (sql) =>
    chartAudit(sql, { actorId, action, ...span, stepSeconds: STEPS[unit] }),
  );
  const total = found.reduce((sum, { count }) => sum + count, 0);
  return ok({ unit, buckets: withEmpty(found, span, stepMs), total, ...span });
}

/** Bars as fine as the maximum number permits. */
function unitOf(spanMs: number): AuditChart["unit"] {
  return spanMs <= AUDIT_CHART_HOURS_MAX * HOUR_SECONDS * 1000 ? "hour" : "day";
}

function withEmpty(found: readonly AuditBucket[], span: Pick<AuditChart, "from" | "to">, stepMs: number) {
  const counts = new Map(found.map(({ at, count }) => [at.getTime(), count]));
  const buckets: AuditBucket[] = [];
  const last = span.to.getTime();
  for (let at = Math.floor(span.from.getTime() / stepMs) * stepMs; at <= last; at += stepMs) {
    buckets.push({ at: new Date(at), count: counts.get(at) ?? 0 });
  }
  return buckets;
}
