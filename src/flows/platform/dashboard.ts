/**
 * The figures of a period for the overview of the console. Figures about sign-ins are sums of counted hours and of the
 * entries not yet counted (docs/decisions/0007), and failures are counted by their index; figures about users read at
 * most `DASHBOARD_ROWS_MAX` rows of a table.
 */
import { DAY_MS, HOUR_MS } from "../../base/time-units.ts";
import type { Deps } from "../../deps.ts";
import { DASHBOARD_AGE_MS, DASHBOARD_ORGANIZATIONS, DASHBOARD_ROWS_MAX } from "../../limits/console-limits.ts";
import {
  type ActiveOrganization,
  type ActiveUsers,
  chartNewUsers,
  countActiveUsers,
  countFactorAdoption,
  type FactorAdoption,
  listActiveOrganizations,
} from "../../models/user/user-figures.ts";
import { SIGN_IN_ACTIONS, SIGN_INS } from "../../vocabulary/audit-action.ts";
import { type AuditChart, chartAuditLogs, chartOf, sumOfCharts } from "../audit/chart.ts";
import type { PlatformCaller } from "../steps/authorization/authorize-platform-role.ts";

/** Days of each period. */
export const DASHBOARD_DAYS = { day: 1, week: 7, month: 30, quarter: 90 } as const;
export type DashboardPeriod = keyof typeof DASHBOARD_DAYS;
export const DASHBOARD_PERIODS = Object.keys(DASHBOARD_DAYS) as readonly DashboardPeriod[];

export type SignInAction = (typeof SIGN_IN_ACTIONS)[number];

/** A figure of the period, and of the period before with the same length. */
export interface PeriodFigure {
  readonly count: number;
  readonly before: number;
}

/** The sign-ins of one method. */
export interface MethodFigure {
  readonly action: SignInAction;
  readonly succeeded: number;
  readonly failed: number;
}

export interface Dashboard {
  readonly period: DashboardPeriod;
  readonly chart: AuditChart;
  readonly signIns: PeriodFigure;
  readonly failures: PeriodFigure;
  readonly methods: readonly MethodFigure[];
  readonly people: PeopleFigures;
}

/** The figures that a replica keeps for a while. */
export interface PeopleFigures {
  readonly newUsers: AuditChart;
  readonly created: PeriodFigure;
  readonly active: ActiveUsers;
  readonly adoption: FactorAdoption;
  readonly organizations: readonly ActiveOrganization[];
  /** Time of the reading. */
  readonly at: Date;
}

type DashboardDeps = Pick<Deps, "clock" | "reads">;
type Period = { readonly from: Date; readonly to: Date };

/**
 * Reads the dashboards of a replica. The figures of the last day are counted anew except those about users; readers at
 * the same time share a reading.
 */
export function dashboardReader(deps: DashboardDeps) {
  const signIns = kept(deps, (caller, period) => readSignIns(deps, caller, period));
  const people = kept(deps, (caller, period) => peopleFigures(deps, caller, period));
  /** `caller`: a Viewer or higher. */
  return async (caller: PlatformCaller, period: DashboardPeriod): Promise<Dashboard> => {
    const counted = period === "day" ? readSignIns(deps, caller, period) : signIns(caller, period);
    const [figures, users] = await Promise.all([counted, people(caller, period)]);
    return { period, ...figures, people: users };
  };
}

type Read<Value> = (caller: PlatformCaller, period: DashboardPeriod) => Promise<Value>;

/** Keeps the result of each period for `DASHBOARD_AGE_MS`. A failed reading is not kept. */
function kept<Value>({ clock }: Pick<DashboardDeps, "clock">, read: Read<Value>): Read<Value> {
  const results = new Map<DashboardPeriod, { readonly at: number; readonly value: Promise<Value> }>();
  return (caller, period) => {
    const now = clock.now();
    const found = results.get(period);
    if (found && now - found.at < DASHBOARD_AGE_MS) return found.value;
    const value = read(caller, period);
    results.set(period, { at: now, value });
    value.catch(() => results.delete(period));
    return value;
  };
}

type SignInFigures = Pick<Dashboard, "chart" | "failures" | "methods" | "signIns">;

async function readSignIns(
  deps: DashboardDeps,
  caller: PlatformCaller,
  period: DashboardPeriod,
): Promise<SignInFigures> {
  const span = spanOf(period, deps.clock.now());
  const chart = async (action: string, { from, to }: Period) => {
    const bounds = { from: from.toISOString(), to: to.toISOString() };
    const found = await chartAuditLogs(deps, { caller, actorId: undefined, action, ...bounds });
    if (!found.ok) throw new Error(`the period ${bounds.from} to ${bounds.to} is refused: ${found.error.code}`);
    return found.value;
  };
  const [before, ...byMethod] = await Promise.all([
    chart(SIGN_INS, periodBefore(span)),
    ...SIGN_IN_ACTIONS.map(async (action) => ({ action, chart: await chart(action, span) })),
  ]);
  const all = sumOfCharts(byMethod.map((each) => each.chart));
  const [{ succeeded, failed }, earlier] = [outcomesOf(all), outcomesOf(before)];
  return {
    chart: all,
    signIns: { count: succeeded, before: earlier.succeeded },
    failures: { count: failed, before: earlier.failed },
    methods: byMethod.map((each) => ({ action: each.action, ...outcomesOf(each.chart) })),
  };
}

function outcomesOf({ total, failures }: AuditChart) {
  return { succeeded: total - failures, failed: failures };
}

/** From a whole hour until now, as the presets of the audit trail. */
function spanOf(period: DashboardPeriod, now: number): Period {
  const from = Math.floor(now / HOUR_MS) * HOUR_MS - DASHBOARD_DAYS[period] * DAY_MS;
  return { from: new Date(from), to: new Date(now) };
}

/** The span as many days earlier as the period has. */
function periodBefore({ from, to }: Period): Period {
  const shift = Math.round((to.getTime() - from.getTime()) / DAY_MS) * DAY_MS;
  return { from: new Date(from.getTime() - shift), to: new Date(to.getTime() - shift) };
}

async function peopleFigures(
  { clock, reads }: DashboardDeps,
  { reader }: PlatformCaller,
  period: DashboardPeriod,
): Promise<PeopleFigures> {
  const now = clock.now();
  const span = spanOf(period, now);
  const since = (days: number) => new Date(now - days * DAY_MS);
  const bound = DASHBOARD_ROWS_MAX;
  const month = since(DASHBOARD_DAYS.month);
  const times = { day: since(DASHBOARD_DAYS.day), week: since(DASHBOARD_DAYS.week), month };
  const createdIn = (period: Period) =>
    reads.run("user.chart_created", reader, (sql) =>
      chartOf(period, (stepSeconds) => chartNewUsers(sql, { ...period, stepSeconds }, bound)),
    );
  const [newUsers, before, active, adoption, organizations] = await Promise.all([
    createdIn(span),
    createdIn(periodBefore(span)),
    reads.run("user.count_active", reader, (sql) => countActiveUsers(sql, times, bound)),
    reads.run("user.count_factors", reader, (sql) => countFactorAdoption(sql, bound)),
    reads.run("organization.list_active", reader, (sql) =>
      listActiveOrganizations(sql, month, { limit: bound, top: DASHBOARD_ORGANIZATIONS }),
    ),
  ]);
  const created = { count: newUsers.total, before: before.total };
  return { newUsers, created, active, adoption, organizations, at: new Date(now) };
}
