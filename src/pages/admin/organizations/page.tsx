import type { Listing } from "../../../database/listing.ts";
import type { Deps } from "../../../deps.ts";
import {
  countSuspendedOrganizations,
  exportOrganizations,
  searchOrganizations,
} from "../../../flows/organizations/search.ts";
import { requireStepUp } from "../../../flows/steps/sessions/step-up.ts";
import type { Organization } from "../../../models/organization/organization.ts";
import { Filters, type SelectFilter } from "../../components/filters.tsx";
import { Tag, Time } from "../../components/lists.tsx";
import { Mark } from "../../components/mark.tsx";
import { Cell, Table } from "../../components/table.tsx";
import { csvReply } from "../../csv.ts";
import type { Page } from "../../page.ts";
import { EmptyList, ListHead, ListPages } from "../../shared/list-parts.tsx";
import { isFiltered, sortColumn } from "../../shared/list-query.ts";
import type { SignedInUserDeps } from "../../signed-in-user.ts";
import { useView } from "../../view.tsx";
import { type ConsoleCall, consolePage, mayAct, refuseConsole, showConsole } from "../console.tsx";
import {
  ORGANIZATION_FILTERS,
  ORGANIZATIONS,
  type OrganizationListQuery,
  organizationListIn,
  organizationSearch,
} from "./list.ts";

export { ORGANIZATIONS } from "./list.ts";

interface OrganizationsProps {
  readonly list: OrganizationListQuery;
  readonly listing: Listing<Organization>;
  /** The number of suspended organizations among the matching organizations. */
  readonly suspended: number;
  readonly acts: boolean;
}

function OrganizationsBody({ list, listing, suspended, acts }: OrganizationsProps) {
  const { t } = useView();
  const count = t.organizations.count({ total: listing.total });
  const columns = [
    sortColumn(list, t.organizations.name, "name"),
    t.organizations.slug,
    t.organizations.tier,
    t.console.status,
    sortColumn(list, t.console.created, "created_at", "-"),
  ];
  return (
    <>
      <ListHead
        list={list}
        title={t.organizations.title}
        count={suspended > 0 ? `${count} · ${t.lists.organizationsSuspended({ count: suspended })}` : count}
        creation={acts ? [`${ORGANIZATIONS}/new`, t.organizations.create] : undefined}
      />
      <OrganizationFilters list={list} />
      {listing.items.length === 0 ? (
        <EmptyList
          list={list}
          icon="building"
          none={t.organizations.none}
          noMatch={t.organizations.noMatch({ q: list.q })}
        />
      ) : (
        <Table label={t.organizations.title} columns={columns}>
          {listing.items.map((organization) => (
            <OrganizationRow key={organization.id} organization={organization} />
          ))}
        </Table>
      )}
      <ListPages list={list} total={listing.total} />
    </>
  );
}

function OrganizationFilters({ list }: { readonly list: OrganizationListQuery }) {
  const { t } = useView();
  const { status, tier } = list.filters;
  const statuses = { active: t.organizations.active, suspended: t.organizations.suspended };
  const selects: SelectFilter[] = [
    {
      name: "status",
      label: t.console.status,
      value: status,
      options: [["", t.lists.anyStatus], ...ORGANIZATION_FILTERS.status.map((each) => [each, statuses[each]] as const)],
    },
    {
      name: "tier",
      label: t.organizations.tier,
      value: tier,
      options: [
        ["", t.lists.anyTier],
        ...ORGANIZATION_FILTERS.tier.map((each) => [each, t.organizations.tiers[each]] as const),
      ],
    },
  ];
  return (
    <Filters
      path={ORGANIZATIONS}
      search={{ label: t.organizations.search, q: list.q }}
      selects={selects}
      days={[
        ["created_from", t.lists.createdFrom, list.createdFrom],
        ["created_to", t.lists.createdTo, list.createdTo],
      ]}
      kept={{ sort: list.sortText }}
      filtered={isFiltered(list)}
    />
  );
}

function OrganizationRow({ organization }: { readonly organization: Organization }) {
  const { t } = useView();
  const { id, name, slug, tier, suspended, createdAt } = organization;
  return (
    <tr>
      <Cell>
        <div class="person">
          <Mark name={name} logoUrl={null} small />
          <a class="whole" href={`${ORGANIZATIONS}/${id}`}>
            {name}
          </a>
        </div>
      </Cell>
      <Cell label={t.organizations.slug}>
        <span class="mono">{slug}</span>
      </Cell>
      <Cell label={t.organizations.tier}>{t.organizations.tiers[tier]}</Cell>
      <Cell label={t.console.status}>
        <SuspendedTag suspended={suspended} />
      </Cell>
      <Cell label={t.console.created}>
        <Time at={createdAt} />
      </Cell>
    </tr>
  );
}

export function SuspendedTag({ suspended }: { readonly suspended: boolean }) {
  const { t } = useView();
  return suspended ? (
    <Tag kind="bad">{t.organizations.suspended}</Tag>
  ) : (
    <Tag kind="good">{t.organizations.active}</Tag>
  );
}

type ListDeps = SignedInUserDeps & Pick<Deps, "reads">;

/** `/admin/organizations`: all organizations, newest first, with search, filters, orders and pages. */
export function organizationsPage(deps: ListDeps): Page {
  return consolePage(deps, {
    path: ORGANIZATIONS,
    async get(call: ConsoleCall) {
      const { admin: caller, query, view } = call;
      const list = organizationListIn(query);
      const input = { caller, search: organizationSearch(list) };
      const [listed, suspended] = await Promise.all([
        searchOrganizations(deps, { ...input, page: list.page }),
        countSuspendedOrganizations(deps, input),
      ]);
      if (!listed.ok) return refuseConsole(call, listed.error, ORGANIZATIONS);
      if (!suspended.ok) return refuseConsole(call, suspended.error, ORGANIZATIONS);
      const details = { list, listing: listed.value, suspended: suspended.value, acts: mayAct(caller) };
      const body = <OrganizationsBody {...details} />;
      return showConsole(call, { at: ORGANIZATIONS, title: view.t.organizations.title, body });
    },
  });
}

/** `/admin/organizations/export`: the matching organizations as CSV. */
export function organizationsExportPage(deps: ListDeps): Page {
  return consolePage(deps, {
    path: "/admin/organizations/export",
    limitsGet: true,
    async get(call: ConsoleCall) {
      const { admin: caller, query } = call;
      const steppedUp = requireStepUp(deps, call.caller.session);
      if (!steppedUp.ok) return refuseConsole(call, steppedUp.error, ORGANIZATIONS);
      const exported = await exportOrganizations(deps, {
        caller,
        search: organizationSearch(organizationListIn(query)),
      });
      if (!exported.ok) return refuseConsole(call, exported.error, ORGANIZATIONS);
      return csvReply("organizations.csv", [CSV_HEAD, ...exported.value.map(csvRow)]);
    },
  });
}

/** The names of the API (docs/contract.md, section 4.10), in every language, so that programs can read the file. */
const CSV_HEAD = ["id", "name", "slug", "tier", "status", "created_at"];

function csvRow({ id, name, slug, tier, suspended, createdAt }: Organization): string[] {
  return [id, name, slug, tier, suspended ? "suspended" : "active", createdAt.toISOString()];
}
