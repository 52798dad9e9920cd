import { clampPage, type Listing } from "../../../database/listing.ts";
import type { Deps } from "../../../deps.ts";
import { listAllOrganizations } from "../../../flows/organizations/administer.ts";
import type { Organization } from "../../../models/organization/organization.ts";
import { Pages, Tag, Time } from "../../components/lists.tsx";
import { Search } from "../../components/search.tsx";
import { Cell, Table } from "../../components/table.tsx";
import { type Page, pageNumber, pathWith, searchText } from "../../page.ts";
import type { SignedInUserDeps } from "../../signed-in-user.ts";
import { useView } from "../../view.tsx";
import { type ConsoleCall, consolePage, mayAct, showConsole } from "../console.tsx";

export const ORGANIZATIONS = "/admin/organizations";
const PER_PAGE = 25;

interface ListProps {
  readonly listing: Listing<Organization>;
  readonly q: string;
  readonly acts: boolean;
}

function OrganizationsBody({ listing, q, acts }: ListProps) {
  const { t, dates } = useView();
  const { name, slug, tier } = t.organizations;
  return (
    <>
      <header class="head">
        <h1>{t.organizations.title}</h1>
        <p class="soft num">{t.organizations.count(listing.total, dates.number(listing.total))}</p>
      </header>
      <Search path={ORGANIZATIONS} label={t.organizations.search} q={q}>
        {acts && (
          <a class="button primary" href={`${ORGANIZATIONS}/new`}>
            {t.organizations.create}
          </a>
        )}
      </Search>
      {listing.items.length === 0 ? (
        <p class="empty soft">{q ? t.organizations.nobody(q) : t.organizations.none}</p>
      ) : (
        <Table label={t.organizations.title} columns={[name, slug, tier, t.console.status, t.console.created]}>
          {listing.items.map((organization) => (
            <OrganizationRow key={organization.id} organization={organization} />
          ))}
        </Table>
      )}
      <Pages {...listing} path={pathWith(ORGANIZATIONS, { q })} />
    </>
  );
}

function OrganizationRow({ organization }: { readonly organization: Organization }) {
  const { t } = useView();
  const { id, name, slug, tier, suspended, createdAt } = organization;
  return (
    <tr>
      <Cell>
        <a class="whole" href={`${ORGANIZATIONS}/${id}`}>
          {name}
        </a>
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

/** `/admin/organizations`: all organizations, newest first, with search by name and slug. */
export function organizationsPage(deps: SignedInUserDeps & Pick<Deps, "reads">): Page {
  return consolePage(deps, {
    path: ORGANIZATIONS,
    async get(call: ConsoleCall) {
      const { admin: caller, query, view } = call;
      const q = searchText(query);
      const page = clampPage(pageNumber(query), PER_PAGE);
      const listed = await listAllOrganizations(deps, { caller, q: q || undefined, page });
      if (!listed.ok) return listed.error;
      const body = <OrganizationsBody listing={listed.value} q={q} acts={mayAct(caller)} />;
      return showConsole(call, { at: ORGANIZATIONS, title: view.t.organizations.title, body });
    },
  });
}
