import type { Listing } from "../../../database/listing.ts";
import { identityOf } from "../../../flows/oauth/clients/client-identity.ts";
import { listAllClients, type SearchClients, searchClients } from "../../../flows/oauth/clients/list-clients.ts";
import type { OAuthClient } from "../../../models/oauth-client/oauth-client.ts";
import { resultText } from "../../action.ts";
import { applicationName } from "../../components/application.tsx";
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
import { clientActions } from "./client-actions.ts";
import { CLIENTS } from "./paths.ts";

const SORTS = ["-created_at", "created_at", "name", "-name"] as const;
const TYPES = ["web", "native"] as const;
type ClientListQuery = ListQuery<(typeof SORTS)[number], "status" | "type">;

function clientListIn(query: Fields): ClientListQuery {
  return listQueryIn({ path: CLIENTS, sorts: SORTS, filters: { status: STATUSES, type: TYPES } }, query);
}

function clientSearch(list: ClientListQuery): NonNullable<SearchClients["search"]> {
  return { ...boundedSearch(list), type: TYPES.find((each) => each === list.filters.type) };
}

interface ListProps {
  readonly list: ClientListQuery;
  readonly listing: Listing<OAuthClient>;
  readonly acts: boolean;
}

function ClientsBody({ list, listing, acts }: ListProps) {
  const { t } = useView();
  const columns = [
    sortColumn(list, t.clients.name, "name"),
    t.clients.type,
    t.console.status,
    sortColumn(list, t.console.created, "created_at", "-"),
  ];
  return (
    <>
      <ListHead
        list={list}
        title={t.clients.title}
        count={t.clients.count({ total: listing.total })}
        creation={acts ? [`${CLIENTS}/new`, t.clients.create] : undefined}
      />
      <ClientFilters list={list} />
      {listing.items.length === 0 ? (
        <EmptyList list={list} icon="apps" none={t.clients.none} noMatch={t.clients.noMatch({ q: list.q })} />
      ) : (
        <Table label={t.clients.title} columns={columns}>
          {listing.items.map((client) => (
            <ClientRow key={client.id} client={client} />
          ))}
        </Table>
      )}
      <ListPages list={list} total={listing.total} />
      <p>
        <a href="/admin/registration-tokens">{t.registration.title}</a>
      </p>
      <p>
        <a href="/admin/blocked-hosts">{t.blockedHosts.title}</a>
      </p>
    </>
  );
}

function ClientFilters({ list }: Pick<ListProps, "list">) {
  const { t } = useView();
  const type = {
    name: "type",
    label: t.clients.type,
    value: list.filters.type,
    options: [["", t.lists.anyType] as const, ...TYPES.map((each) => [each, t.clients.types[each]] as const)],
  };
  return (
    <Filters
      path={CLIENTS}
      search={{ label: t.clients.search, q: list.q }}
      selects={[useStatusFilter(list.filters.status, [t.clients.on, t.clients.off]), type]}
      days={[
        ["created_from", t.lists.createdFrom, list.createdFrom],
        ["created_to", t.lists.createdTo, list.createdTo],
      ]}
      kept={{ sort: list.sortText }}
      filtered={isFiltered(list)}
    />
  );
}

function ClientRow({ client }: { readonly client: OAuthClient }) {
  const view = useView();
  const { t } = view;
  const { id, applicationType, createdAt } = client;
  return (
    <tr>
      <Cell>
        <a class="whole" href={`${CLIENTS}/${id}`}>
          {applicationName(view, identityOf(client))}
        </a>
      </Cell>
      <Cell label={t.clients.type}>{t.clients.types[applicationType]}</Cell>
      <Cell label={t.console.status}>
        <ClientTags client={client} />
      </Cell>
      <Cell label={t.console.created}>
        <Time at={createdAt} />
      </Cell>
    </tr>
  );
}

export function ClientTags({ client }: { readonly client: OAuthClient }) {
  const { t } = useView();
  return (
    <span class="tags">
      {client.disabled ? <Tag kind="bad">{t.clients.off}</Tag> : <Tag kind="good">{t.clients.on}</Tag>}
      {client.firstParty && <Tag>{t.clients.firstPartyTag}</Tag>}
      {!client.requireNonceOrPkce && <Tag kind="warn">{t.clients.unboundTag}</Tag>}
      {client.kind !== "registered" && <Tag>{t.clients.originTags[client.kind]}</Tag>}
    </span>
  );
}

/** `/admin/oauth-clients`: the applications that sign users in, newest first, with search, filters and orders. */
export function oauthClientsPage(deps: SignedInUserDeps): Page {
  return consolePage(deps, {
    path: CLIENTS,
    async get(call: ConsoleCall) {
      const { admin: caller, query, view } = call;
      const list = clientListIn(query);
      const listing = await listAllClients(deps, { caller, search: clientSearch(list), page: list.page });
      const done = resultText(view, clientActions, call.result);
      const body = <ClientsBody list={list} listing={listing} acts={mayAct(caller)} />;
      return showConsole(call, { at: CLIENTS, title: view.t.clients.title, body, done });
    },
  });
}

/** `/admin/oauth-clients/export`: the matching applications as CSV. */
export function oauthClientsExportPage(deps: SignedInUserDeps): Page {
  return consolePage(deps, {
    path: "/admin/oauth-clients/export",
    limitsGet: true,
    async get({ admin: caller, query }: ConsoleCall) {
      const found = await searchClients(deps, { caller, search: clientSearch(clientListIn(query)) });
      const rows = found.map(({ id, name, applicationType, disabled, firstParty, createdAt }) => [
        ...[id, name, applicationType, disabled ? "disabled" : "enabled", String(firstParty), createdAt.toISOString()],
      ]);
      return csvReply("applications.csv", [CSV_HEAD, ...rows]);
    },
  });
}

const CSV_HEAD = ["client_id", "client_name", "application_type", "status", "first_party", "created_at"];
