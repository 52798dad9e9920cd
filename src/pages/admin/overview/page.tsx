import { clampPage } from "../../../database/listing.ts";
import type { Deps } from "../../../deps.ts";
import { type AuditChart, chartAuditLogs } from "../../../flows/audit/chart.ts";
import { listIntegrations } from "../../../flows/integrations/administer.ts";
import { searchOrganizations } from "../../../flows/organizations/search.ts";
import { type FirstRun, readFirstRun } from "../../../flows/platform/first-run.ts";
import { type DayFigure, type PlatformFigures, readPlatformFigures } from "../../../flows/platform/overview.ts";
import { searchUsers } from "../../../flows/users/search.ts";
import { ATTENTION_COUNTED_MAX } from "../../../limits/console-limits.ts";
import type { ProviderView } from "../../../models/provider-config/provider-config.ts";
import { SIGN_INS } from "../../../vocabulary/audit-action.ts";
import { type ActionPage, postAction } from "../../action-page.tsx";
import { Chart } from "../../components/chart.tsx";
import type { FormState } from "../../components/form.tsx";
import { Section } from "../../components/lists.tsx";
import { Stat, Stats } from "../../components/stats.tsx";
import { hidesFirstRun } from "../../cookies.ts";
import { type Page, pathWith } from "../../page.ts";
import type { SignedInUserDeps } from "../../signed-in-user.ts";
import { useView } from "../../view.tsx";
import { type ConsoleCall, consolePage, mayAct, refuseConsole, showConsole } from "../console.tsx";
import { type ConsoleInput, consoleFrame } from "../console-actions.tsx";
import { OVERVIEW, overviewActions } from "./actions.ts";
import { Attention } from "./attention.tsx";
import { CompanySignIns } from "./company-sign-ins.tsx";
import { FirstSteps } from "./first-steps.tsx";

/** The minus sign of Unicode. */
const MINUS = "\u2212";

interface OverviewProps {
  readonly organizations: number;
  readonly users: number;
  readonly chart: AuditChart;
  readonly figures: PlatformFigures;
  readonly degraded: readonly ProviderView[];
  /** Undefined for a viewer, and after the list was hidden. */
  readonly firstRun: FirstRun | undefined;
}

function OverviewBody({ organizations, users, chart, figures, degraded, firstRun }: OverviewProps) {
  const { t } = useView();
  return (
    <>
      <h1>{t.console.overview}</h1>
      {firstRun && <FirstSteps firstRun={firstRun} />}
      <Figures organizations={organizations} users={users} figures={figures} degraded={degraded.length} />
      <Section title={t.overview.activity}>
        <Chart chart={chart} />
      </Section>
      <Attention degraded={degraded} {...figures} />
      <CompanySignIns {...figures} />
    </>
  );
}

interface FiguresProps extends Pick<OverviewProps, "organizations" | "users" | "figures"> {
  readonly degraded: number;
}

function Figures({ organizations, users, figures, degraded }: FiguresProps) {
  const { t, dates } = useView();
  const { signIns, failures, failedEmails, expiringKeys, failingWebhooks } = figures;
  const signInsOf = (outcome: string) => pathWith("/admin/audit", { action: SIGN_INS, outcome, period: "day" });
  const bounded = (count: number) =>
    count < ATTENTION_COUNTED_MAX ? dates.number(count) : t.firstRun.atLeast({ count: dates.number(count) });
  return (
    <Stats>
      <Stat href="/admin/organizations" name={t.overview.organizations} value={dates.number(organizations)} />
      <Stat href="/admin/users" name={t.overview.users} value={dates.number(users)} />
      <Stat
        href={signInsOf("success")}
        name={t.firstRun.signIns}
        value={dates.number(signIns.count)}
        note={<Comparison figure={signIns} />}
      />
      <Stat
        href={signInsOf("failure")}
        name={t.firstRun.failures}
        value={dates.number(failures.count)}
        note={<Comparison figure={failures} isBad />}
      />
      <Stat href="/admin/providers/email_transport" name={t.firstRun.emails} value={bounded(failedEmails)} />
      <Stat href="#attention" name={t.firstRun.keys} value={bounded(expiringKeys.total)} />
      <Stat href="#attention" name={t.firstRun.webhooks} value={bounded(failingWebhooks.total)} />
      <Stat href="/admin/providers" name={t.firstRun.providers} value={dates.number(degraded)} />
    </Stats>
  );
}

/** The change to the day before. `isBad`: more is worse. */
function Comparison({ figure: { count, before }, isBad }: { readonly figure: DayFigure; readonly isBad?: boolean }) {
  const { t, dates } = useView();
  const change = count - before;
  if (change === 0) return <>{t.firstRun.sameAsBefore}</>;
  const difference = `${change > 0 ? "+" : MINUS}${dates.number(Math.abs(change))}`;
  return <span class={isBad && change > 0 ? "delta bad" : "delta"}>{t.firstRun.comparedWith({ difference })}</span>;
}

const PAGE: ActionPage<ConsoleInput, FormState> = {
  frame: consoleFrame(OVERVIEW),
  actions: overviewActions,
  place: () => OVERVIEW,
};

/** `/admin`: first steps, figures, the events of the last day, and the objects that need an administrator. */
export function overviewPage(deps: SignedInUserDeps & Pick<Deps, "reads" | "configKeys" | "ssoDirectory">): Page {
  return consolePage(deps, {
    path: OVERVIEW,
    async get(call: ConsoleCall) {
      const { admin: caller, view, cookies, profile } = call;
      const one = { caller, search: {}, page: clampPage(1, 1) };
      const everything = { caller, actorId: undefined, action: undefined, from: undefined, to: undefined };
      const [organizations, users, chart, figures, integrations] = await Promise.all([
        searchOrganizations(deps, one),
        searchUsers(deps, one),
        chartAuditLogs(deps, everything),
        readPlatformFigures(deps, caller),
        listIntegrations(deps, caller),
      ]);
      if (!organizations.ok) return refuseConsole(call, organizations.error, OVERVIEW);
      if (!users.ok) return refuseConsole(call, users.error, OVERVIEW);
      if (!integrations.ok) return integrations.error;
      if (!chart.ok) return refuseConsole(call, chart.error, OVERVIEW);
      if (!figures.ok) return refuseConsole(call, figures.error, OVERVIEW);
      const { providers } = integrations.value;
      const isHidden = !mayAct(caller) || hidesFirstRun(cookies);
      const body = (
        <OverviewBody
          organizations={organizations.value.total}
          users={users.value.total}
          chart={chart.value}
          figures={figures.value}
          degraded={providers.filter(({ degraded }) => degraded)}
          firstRun={isHidden ? undefined : await readFirstRun(deps, { caller, profile, providers })}
        />
      );
      return showConsole(call, { at: OVERVIEW, title: view.t.console.overview, body });
    },
    post: (call) => postAction(PAGE, { deps, call }),
  });
}
