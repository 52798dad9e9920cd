import { clampPage, type Listing } from "../../../database/listing.ts";
import { listAllClients } from "../../../flows/oauth-provider/administer-clients.ts";
import type { OAuthClient } from "../../../models/oauth-client/oauth-client.ts";
import { Pages, Tag, Time } from "../../components/lists.tsx";
import { Search } from "../../components/search.tsx";
import { Cell, Table } from "../../components/table.tsx";
import { type Page, pageNumber, pathWith, searchText } from "../../page.ts";
import type { SignedInUserDeps } from "../../signed-in-user.ts";
import { useView } from "../../view.tsx";
import { type ConsoleCall, consolePage, mayAct, showConsole } from "../console.tsx";

export const CLIENTS = "/admin/oauth-clients";
const PER_PAGE = 25;

interface ListProps {
  readonly listing: Listing<OAuthClient>;
  readonly q: string;
  readonly acts: boolean;
}

function ClientsBody({ listing, q, acts }: ListProps) {
  const { t } = useView();
  const { name, type } = t.clients;
  return (
    <>
      <header class="head">
        <h1>{t.clients.title}</h1>
        <p class="soft num">{t.clients.count(listing.total)}</p>
      </header>
      <Search path={CLIENTS} label={t.clients.search} q={q}>
        {acts && (
          <a class="button primary" href={`${CLIENTS}/new`}>
            {t.clients.create}
          </a>
        )}
      </Search>
      {listing.items.length === 0 ? (
        <p class="empty soft">{q ? t.clients.nobody(q) : t.clients.none}</p>
      ) : (
        <Table label={t.clients.title} columns={[name, type, t.console.status, t.console.created]}>
          {listing.items.map((client) => (
            <ClientRow key={client.id} client={client} />
          ))}
        </Table>
      )}
      <Pages {...listing} path={pathWith(CLIENTS, { q })} />
    </>
  );
}

function ClientRow({ client }: { readonly client: OAuthClient }) {
  const { t } = useView();
  const { id, name, applicationType, createdAt } = client;
  return (
    <tr>
      <Cell>
        <a class="whole" href={`${CLIENTS}/${id}`}>
          {name}
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
    </span>
  );
}

/** `/admin/oauth-clients`: the applications that sign users in, newest first, searched by name and identifier. */
export function oauthClientsPage(deps: SignedInUserDeps): Page {
  return consolePage(deps, {
    path: CLIENTS,
    async get(call: ConsoleCall) {
      const { admin: caller, query, view } = call;
      const q = searchText(query);
      const page = clampPage(pageNumber(query), PER_PAGE);
      const listing = await listAllClients(deps, { caller, q, page });
      const done = call.result === "deleted" ? view.t.clients.deleted : undefined;
      const body = <ClientsBody listing={listing} q={q} acts={mayAct(caller)} />;
      return showConsole(call, { at: CLIENTS, title: view.t.clients.title, body, done });
    },
  });
}
