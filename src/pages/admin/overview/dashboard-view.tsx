/** The figures of a period: each picture has its numbers beside it and as a table. */
import {
  DASHBOARD_PERIODS,
  type Dashboard,
  type DashboardPeriod,
  type MethodFigure,
  type PeriodFigure,
  type SignInAction,
} from "../../../flows/platform/dashboard.ts";
import { SIGN_INS } from "../../../vocabulary/audit-action.ts";
import { Chart } from "../../components/chart.tsx";
import { EmptyBox, Section } from "../../components/lists.tsx";
import { Stat } from "../../components/stats.tsx";
import { Cell, Table } from "../../components/table.tsx";
import { Tabs } from "../../components/tabs.tsx";
import { pathWith } from "../../page.ts";
import { useView, type View } from "../../view.tsx";
import { organizationPath } from "../organizations/sections.tsx";

/** The minus sign of Unicode. */
const MINUS = "\u2212";
const DAY_CHARACTERS = 10;

interface DashboardProps {
  readonly dashboard: Dashboard;
  /** The number of all users. */
  readonly users: number;
}

function periodName({ t }: View, period: DashboardPeriod): string {
  const { day, week, month } = t.audit;
  return { day, week, month, quarter: t.overview.quarter }[period];
}

export function PeriodTabs({ path, period }: { readonly path: string; readonly period: DashboardPeriod }) {
  const view = useView();
  const tabs = DASHBOARD_PERIODS.map((each) => ({
    href: pathWith(path, { period: each === "day" ? undefined : each }),
    text: periodName(view, each),
    isCurrent: each === period,
  }));
  return <Tabs label={view.t.events.period} tabs={tabs} />;
}

/** The figures with a comparison, and the active users of the last day, week and month. */
export function PeriodStats({ dashboard }: Pick<DashboardProps, "dashboard">) {
  const view = useView();
  const { t, dates } = view;
  const { signIns, failures, people } = dashboard;
  const { active, created } = people;
  const bounded = (count: number) =>
    active.isPartial ? t.firstRun.atLeast({ count: dates.number(count) }) : dates.number(count);
  return (
    <>
      {(["day", "week", "month"] as const).map((each) => (
        <Stat
          key={each}
          href="/admin/users"
          name={t.overview.active({ span: periodName(view, each) })}
          value={bounded(active[each])}
        />
      ))}
      <Stat
        href="/admin/users"
        name={t.overview.newUsers}
        value={dates.number(created.count)}
        note={<Comparison figure={created} />}
      />
      <Stat
        href={entriesOf(dashboard, SIGN_INS, "success")}
        name={t.firstRun.signIns}
        value={dates.number(signIns.count)}
        note={<Comparison figure={signIns} />}
      />
      <Stat
        href={entriesOf(dashboard, SIGN_INS, "failure")}
        name={t.firstRun.failures}
        value={dates.number(failures.count)}
        note={<Comparison figure={failures} isBad />}
      />
    </>
  );
}

/** The change to the period before. `isBad`: more is worse. */
function Comparison({ figure: { count, before }, isBad }: { readonly figure: PeriodFigure; readonly isBad?: boolean }) {
  const { t, dates } = useView();
  const change = count - before;
  if (change === 0) return <>{t.firstRun.sameAsBefore}</>;
  const difference = `${change > 0 ? "+" : MINUS}${dates.number(Math.abs(change))}`;
  return <span class={isBad && change > 0 ? "delta bad" : "delta"}>{t.firstRun.comparedWith({ difference })}</span>;
}

/** The counted entries of the audit trail, which has no preset for 90 days. */
function entriesOf({ period, chart }: Dashboard, action: string, outcome: "success" | "failure"): string {
  const preset = { period: period === "quarter" ? "custom" : period };
  const from = period === "quarter" ? chart.from.toISOString().slice(0, DAY_CHARACTERS + "T00:00".length) : undefined;
  return pathWith("/admin/audit", { action, outcome, ...preset, from });
}

export function DashboardSections({ dashboard, users }: DashboardProps) {
  const { t, dates } = useView();
  const { chart, people } = dashboard;
  return (
    <>
      <Section title={t.firstRun.signIns}>
        <Chart chart={chart} label={t.overview.signInsChart} />
        <Methods dashboard={dashboard} />
      </Section>
      <Section title={t.overview.newUsers}>
        <Chart chart={people.newUsers} label={t.overview.newUsersChart} hasOneKind />
      </Section>
      <div class="cols big">
        <Adoption users={users} dashboard={dashboard} />
        <ActiveOrganizations dashboard={dashboard} />
      </div>
      <p class="soft">{t.overview.asOf({ time: dates.minute(people.at) })}</p>
    </>
  );
}

function Methods({ dashboard }: Pick<DashboardProps, "dashboard">) {
  const { t } = useView();
  const { method, methods, share } = t.overview;
  const all = dashboard.methods.reduce((sum, { succeeded }) => sum + succeeded, 0);
  return (
    <Table label={methods} columns={[method, t.events.succeeded, t.events.failed, share]}>
      {dashboard.methods.map((figure) => (
        <MethodRow key={figure.action} dashboard={dashboard} figure={figure} all={all} />
      ))}
    </Table>
  );
}

interface MethodProps extends Pick<DashboardProps, "dashboard"> {
  readonly figure: MethodFigure;
  /** The successful sign-ins of every method. */
  readonly all: number;
}

function MethodRow({ dashboard, figure: { action, succeeded, failed }, all }: MethodProps) {
  const { t, dates } = useView();
  const names = t.overview.methodNames;
  const nameOf: Readonly<Record<SignInAction, string>> = {
    "auth.login": names.password,
    "auth.oauth.login": names.provider,
    "auth.passkey.login": names.passkey,
    "auth.sso.login": names.sso,
  };
  const name = nameOf[action];
  const numberOf = (count: number, outcome: "success" | "failure") => (
    <a href={entriesOf(dashboard, action, outcome)} aria-label={`${name}, ${labels[outcome]}: ${dates.number(count)}`}>
      {dates.number(count)}
    </a>
  );
  const labels = { success: t.events.succeeded, failure: t.events.failed };
  return (
    <tr>
      <Cell>{name}</Cell>
      <Cell label={labels.success}>{numberOf(succeeded, "success")}</Cell>
      <Cell label={labels.failure}>{numberOf(failed, "failure")}</Cell>
      <Cell label={t.overview.share}>
        <meter max={Math.max(all, 1)} value={succeeded} aria-label={`${name}: ${t.overview.share}`} />
        {dates.percent(all === 0 ? 0 : Math.round((100 * succeeded) / all))}
      </Cell>
    </tr>
  );
}

function Adoption({ dashboard, users }: DashboardProps) {
  const { t, dates } = useView();
  const { adoption, adoptionKinds, ofUsers } = t.overview;
  const counts = dashboard.people.adoption;
  return (
    <section class="box" aria-labelledby="adoption">
      <header>
        <h2 id="adoption">{adoption}</h2>
      </header>
      <ul class="rows">
        {(["either", "authenticator", "passkey"] as const).map((kind) => (
          <li key={kind}>
            <span class="what">
              <strong>{adoptionKinds[kind]}</strong>
              <small>{ofUsers({ count: dates.number(counts[kind]), total: dates.number(users) })}</small>
            </span>
            <span class="num">
              {dates.percent(users === 0 ? 0 : Math.min(100, Math.round((100 * counts[kind]) / users)))}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function ActiveOrganizations({ dashboard }: Pick<DashboardProps, "dashboard">) {
  const { t, dates } = useView();
  const { organizations } = dashboard.people;
  const { activeOrganizations, activeOrganizationsNone } = t.overview;
  return (
    <section class="box" aria-labelledby="active-organizations">
      <header>
        <h2 id="active-organizations">{activeOrganizations}</h2>
      </header>
      {organizations.length === 0 ? (
        <EmptyBox icon="building" text={activeOrganizationsNone} />
      ) : (
        <ul class="rows">
          {organizations.map(({ id, name, users }) => (
            <li key={id}>
              <span class="what">
                <strong>
                  <a href={organizationPath(id)}>{name}</a>
                </strong>
                <small>{t.overview.activeOf({ count: users })}</small>
              </span>
              <span class="num">{dates.number(users)}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
