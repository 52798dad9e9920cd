import { clampPage } from "../../database/listing.ts";
import type { Deps } from "../../deps.ts";
import { type AuditChart, chartAuditLogs } from "../../flows/audit/chart.ts";
import { listIntegrations, nameOfProvider } from "../../flows/integrations/administer.ts";
import { searchOrganizations } from "../../flows/organizations/search.ts";
import { searchUsers } from "../../flows/users/search.ts";
import type { ProviderView } from "../../models/provider-config/provider-config.ts";
import { Chart } from "../components/chart.tsx";
import { Empty, Row, Rows, Section, Tag } from "../components/lists.tsx";
import type { Page } from "../page.ts";
import type { SignedInUserDeps } from "../signed-in-user.ts";
import { useView } from "../view.tsx";
import { type ConsoleCall, consolePage, refuseConsole, showConsole } from "./console.tsx";

const PATH = "/admin";

interface OverviewProps {
  readonly organizations: number;
  readonly users: number;
  readonly chart: AuditChart;
  readonly degraded: readonly ProviderView[];
}

function OverviewBody({ organizations, users, chart, degraded }: OverviewProps) {
  const { t } = useView();
  return (
    <>
      <h1>{t.console.overview}</h1>
      <ul class="stats">
        <Stat href="/admin/organizations" name={t.overview.organizations} value={organizations} />
        <Stat href="/admin/users" name={t.overview.users} value={users} />
        <Stat href="/admin/audit" name={t.overview.events} value={chart.total} />
      </ul>
      <Section title={t.overview.activity}>
        <Chart chart={chart} />
      </Section>
      <Section title={t.overview.attention}>
        <Rows>
          {degraded.map(({ provider }) => (
            <Row
              key={provider}
              title={
                <>
                  {nameOfProvider(provider)} <Tag kind="bad">{t.providers.degraded}</Tag>
                </>
              }
              details={t.providers.degradedDetails}
            >
              <a class="button" href={`/admin/providers/${provider}`}>
                {t.console.open}
              </a>
            </Row>
          ))}
          {degraded.length === 0 && <Empty text={t.overview.calm} />}
        </Rows>
      </Section>
    </>
  );
}

function Stat({ href, name, value }: { readonly href: string; readonly name: string; readonly value: number }) {
  const { dates } = useView();
  return (
    <li>
      <a href={href}>
        <span class="soft">{name}</span>
        <strong class="num">{dates.number(value)}</strong>
      </a>
    </li>
  );
}

/** `/admin`: counts, the events of the last day, and the objects that need an administrator. */
export function overviewPage(deps: SignedInUserDeps & Pick<Deps, "reads" | "configKeys">): Page {
  return consolePage(deps, {
    path: PATH,
    async get(call: ConsoleCall) {
      const { admin: caller, view } = call;
      const one = { caller, search: {}, page: clampPage(1, 1) };
      const everything = { caller, actorId: undefined, action: undefined, from: undefined, to: undefined };
      const [organizations, users, chart, integrations] = await Promise.all([
        searchOrganizations(deps, one),
        searchUsers(deps, one),
        chartAuditLogs(deps, everything),
        listIntegrations(deps, caller),
      ]);
      if (!organizations.ok) return refuseConsole(call, organizations.error, PATH);
      if (!users.ok) return refuseConsole(call, users.error, PATH);
      if (!integrations.ok) return integrations.error;
      if (!chart.ok) return refuseConsole(call, chart.error, PATH);
      const body = (
        <OverviewBody
          organizations={organizations.value.total}
          users={users.value.total}
          chart={chart.value}
          degraded={integrations.value.providers.filter(({ degraded }) => degraded)}
        />
      );
      return showConsole(call, { at: PATH, title: view.t.console.title, body });
    },
  });
}
