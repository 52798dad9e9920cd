import type { Listing } from "../../../database/listing.ts";
import { listAllResources, searchResources } from "../../../flows/oauth/resources/administer-resources.ts";
import type { OAuthResource } from "../../../models/oauth-resource/oauth-resource.ts";
import { resultText } from "../../action.ts";
import { Filters } from "../../components/filters.tsx";
import { Tag, Time } from "../../components/lists.tsx";
import { Cell, Table } from "../../components/table.tsx";
import { csvReply } from "../../csv.ts";
import type { Fields, Page } from "../../page.ts";
import { EmptyList, ListHead, ListPages, useStatusFilter } from "../../shared/list-parts.tsx";
import {
  boundedSearch,
  isFiltered,
  type ListQuery,
  listQueryIn,
  STATUSES,
  sortColumn,
} from "../../shared/list-query.ts";
import type { SignedInUserDeps } from "../../signed-in-user.ts";
import { useView } from "../../view.tsx";
import { type ConsoleCall, consolePage, mayAct, showConsole } from "../console.tsx";
import { resourceActions } from "./actions.ts";
import { RESOURCES } from "./paths.ts";

const SORTS = ["-created_at", "created_at", "name", "-name"] as const;
type ResourceListQuery = ListQuery<(typeof SORTS)[number], "status">;

function resourceListIn(query: Fields): ResourceListQuery {
  return listQueryIn({ path: RESOURCES, sorts: SORTS, filters: { status: STATUSES } }, query);
}

interface ListProps {
  readonly list: ResourceListQuery;
  readonly listing: Listing<OAuthResource>;
  readonly acts: boolean;
}

function ResourcesBody({ list, listing, acts }: ListProps) {
  const { t } = useView();
  const { title, lead, scopes, create, none } = t.resources;
  const columns = [
    sortColumn(list, t.resources.name, "name"),
    scopes,
    t.console.status,
    sortColumn(list, t.console.created, "created_at", "-"),
  ];
  return (
    <>
      <ListHead
        list={list}
        title={title}
        lead={lead}
        count={t.lists.apiCount({ count: listing.total })}
        creation={acts ? [`${RESOURCES}/new`, create] : undefined}
      />
      <Filters
        path={RESOURCES}
        search={{ label: t.lists.searchApis, q: list.q }}
        selects={[useStatusFilter(list.filters.status, [t.clients.on, t.clients.off])]}
        kept={{ sort: list.sortText }}
        filtered={isFiltered(list)}
      />
      {listing.items.length === 0 ? (
        <EmptyList list={list} icon="code" none={none} noMatch={t.lists.nothingFound({ q: list.q })} />
      ) : (
        <Table label={title} columns={columns}>
          {listing.items.map((resource) => (
            <ResourceRow key={resource.id} resource={resource} />
          ))}
        </Table>
      )}
      <ListPages list={list} total={listing.total} />
    </>
  );
}

function ResourceRow({ resource }: { readonly resource: OAuthResource }) {
  const { t } = useView();
  const { id, name, identifier, scopes, createdAt } = resource;
  return (
    <tr>
      <Cell>
        <a class="whole" href={`${RESOURCES}/${id}`}>
          {name}
        </a>
        <small class="mono">{identifier}</small>
      </Cell>
      <Cell label={t.resources.scopes}>
        <span class="num">{t.resources.scopeCount({ total: scopes.length })}</span>
      </Cell>
      <Cell label={t.console.status}>
        <ResourceTag resource={resource} />
      </Cell>
      <Cell label={t.console.created}>
        <Time at={createdAt} />
      </Cell>
    </tr>
  );
}

export function ResourceTag({ resource: { disabled } }: { readonly resource: OAuthResource }) {
  const { t } = useView();
  return disabled ? <Tag kind="bad">{t.clients.off}</Tag> : <Tag kind="good">{t.clients.on}</Tag>;
}

/** `/admin/resources`: the registered APIs, newest first, with search, filter and orders. */
export function resourcesPage(deps: SignedInUserDeps): Page {
  return consolePage(deps, {
    path: RESOURCES,
    async get(call: ConsoleCall) {
      const { admin: caller, query, view } = call;
      const list = resourceListIn(query);
      const listing = await listAllResources(deps, { caller, search: boundedSearch(list), page: list.page });
      const done = resultText(view, resourceActions, call.result);
      const body = <ResourcesBody list={list} listing={listing} acts={mayAct(caller)} />;
      return showConsole(call, { at: RESOURCES, title: view.t.resources.title, body, done });
    },
  });
}

/** `/admin/resources/export`: the matching APIs as CSV. */
export function resourcesExportPage(deps: SignedInUserDeps): Page {
  return consolePage(deps, {
    path: "/admin/resources/export",
    limitsGet: true,
    async get({ admin: caller, query }: ConsoleCall) {
      const found = await searchResources(deps, { caller, search: boundedSearch(resourceListIn(query)) });
      const rows = found.map(({ id, name, identifier, scopes, disabled, createdAt }) => {
        const names = scopes.map((scope) => scope.name).join(" ");
        return [id, name, identifier, names, disabled ? "disabled" : "enabled", createdAt.toISOString()];
      });
      return csvReply("apis.csv", [CSV_HEAD, ...rows]);
    },
  });
}

const CSV_HEAD = ["id", "name", "identifier", "scopes", "status", "created_at"];
