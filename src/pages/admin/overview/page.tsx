import { clampPage } from "../../../database/listing.ts";
import type { Deps } from "../../../deps.ts";
import { listIntegrations } from "../../../flows/integrations/administer.ts";
import { searchOrganizations } from "../../../flows/organizations/search.ts";
import { DASHBOARD_PERIODS, type Dashboard, dashboardReader } from "../../../flows/platform/dashboard.ts";
import { type FirstRun, readFirstRun } from "../../../flows/platform/first-run.ts";
import { type PlatformFigures, readPlatformFigures } from "../../../flows/platform/overview.ts";
import { searchUsers } from "../../../flows/users/search.ts";
import { ATTENTION_COUNTED_MAX } from "../../../limits/console-limits.ts";
import type { ProviderView } from "../../../models/provider-config/provider-config.ts";
import { type ActionPage, postAction } from "../../action-page.tsx";
import type { FormState } from "../../components/form.tsx";
import { Stat, Stats } from "../../components/stats.tsx";
import { hidesFirstRun } from "../../cookies.ts";
import { memberIn, type Page } from "../../page.ts";
import type { SignedInUserDeps } from "../../signed-in-user.ts";
import { useView } from "../../view.tsx";
import { type ConsoleCall, consolePage, mayAct, refuseConsole, showConsole } from "../console.tsx";
import { type ConsoleInput, consoleFrame } from "../console-actions.tsx";
import { OVERVIEW, overviewActions } from "./actions.ts";
import { Attention } from "./attention.tsx";
import { CompanySignIns } from "./company-sign-ins.tsx";
import { DashboardSections, PeriodStats, PeriodTabs } from "./dashboard-view.tsx";
import { FirstSteps } from "./first-steps.tsx";

interface OverviewProps {
  readonly organizations: number;
  readonly users: number;
  readonly dashboard: Dashboard;
  readonly figures: PlatformFigures;
  readonly degraded: readonly ProviderView[];
  /** Undefined for a viewer, and after the list was hidden. */
  readonly firstRun: FirstRun | undefined;
}

function OverviewBody({ organizations, users, dashboard, figures, degraded, firstRun }: OverviewProps) {
  const { t } = useView();
  return (
    <>
      <h1>{t.console.overview}</h1>
      {firstRun && <FirstSteps firstRun={firstRun} />}
      <PeriodTabs path={OVERVIEW} period={dashboard.period} />
      <Figures {...{ organizations, users, figures, dashboard }} degraded={degraded.length} />
      <DashboardSections dashboard={dashboard} users={users} />
      <Attention degraded={degraded} {...figures} />
      <CompanySignIns {...figures} />
    </>
  );
}

interface FiguresProps extends Pick<OverviewProps, "organizations" | "users" | "figures" | "dashboard"> {
  readonly degraded: number;
}

function Figures({ organizations, users, figures, dashboard, degraded }: FiguresProps) {
  const { t, dates } = useView();
  const { failedEmails, expiringKeys, failingWebhooks } = figures;
  const bounded = (count: number) =>
    count < ATTENTION_COUNTED_MAX ? dates.number(count) : t.firstRun.atLeast({ count: dates.number(count) });
  return (
    <Stats>
      <Stat href="/admin/organizations" name={t.overview.organizations} value={dates.number(organizations)} />
      <Stat href="/admin/users" name={t.overview.users} value={dates.number(users)} />
      <PeriodStats dashboard={dashboard} />
      <Stat href="/admin/providers/email_transport" name={t.firstRun.emails} value={bounded(failedEmails)} />
      <Stat href="#attention" name={t.firstRun.keys} value={bounded(expiringKeys.total)} />
      <Stat href="#attention" name={t.firstRun.webhooks} value={bounded(failingWebhooks.total)} />
      <Stat href="/admin/providers" name={t.firstRun.providers} value={dates.number(degraded)} />
    </Stats>
  );
}

const PAGE: ActionPage<ConsoleInput, FormState> = {
  frame: consoleFrame(OVERVIEW),
  actions: overviewActions,
  place: () => OVERVIEW,
};

/** `/admin`: first steps, the figures of a period, and the objects that need an administrator. */
export function overviewPage(deps: SignedInUserDeps & Pick<Deps, "reads" | "configKeys" | "ssoDirectory">): Page {
  const readDashboard = dashboardReader(deps);
  return consolePage(deps, {
    path: OVERVIEW,
    async get(call: ConsoleCall) {
      const { admin: caller, view, cookies, profile } = call;
      const one = { caller, search: {}, page: clampPage(1, 1) };
      const period = memberIn(DASHBOARD_PERIODS, call.query.text("period")) ?? "day";
      const [organizations, users, dashboard, figures, integrations] = await Promise.all([
        searchOrganizations(deps, one),
        searchUsers(deps, one),
        readDashboard(caller, period),
        readPlatformFigures(deps, caller),
        listIntegrations(deps, caller),
      ]);
      if (!organizations.ok) return refuseConsole(call, organizations.error, OVERVIEW);
      if (!users.ok) return refuseConsole(call, users.error, OVERVIEW);
      if (!integrations.ok) return integrations.error;
      const { providers } = integrations.value;
      const isHidden = !mayAct(caller) || hidesFirstRun(cookies);
      const body = (
        <OverviewBody
          organizations={organizations.value.total}
          users={users.value.total}
          dashboard={dashboard}
          figures={figures}
          degraded={providers.filter(({ degraded }) => degraded)}
          firstRun={isHidden ? undefined : await readFirstRun(deps, { caller, profile, providers })}
        />
      );
      return showConsole(call, { at: OVERVIEW, title: view.t.console.overview, body });
    },
    post: (call) => postAction(PAGE, { deps, call }),
  });
}
