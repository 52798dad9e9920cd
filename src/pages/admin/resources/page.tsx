import { clampPage, type Listing } from "../../../database/listing.ts";
import { listAllResources } from "../../../flows/oauth-resources/administer-resources.ts";
import type { OAuthResource } from "../../../models/oauth-resource/oauth-resource.ts";
import { Pages, Tag, Time } from "../../components/lists.tsx";
import { Cell, Table } from "../../components/table.tsx";
import { type Page, pageNumber } from "../../page.ts";
import type { SignedInUserDeps } from "../../signed-in-user.ts";
import { useView } from "../../view.tsx";
import { type ConsoleCall, consolePage, mayAct, showConsole } from "../console.tsx";

export const RESOURCES = "/admin/resources";
const PER_PAGE = 25;

interface ListProps {
  readonly listing: Listing<OAuthResource>;
  readonly acts: boolean;
}

function ResourcesBody({ listing, acts }: ListProps) {
  const { t } = useView();
  const { title, lead, name, scopes, create, none } = t.resources;
  return (
    <>
      <header class="head">
        <h1>{title}</h1>
        <p class="soft">{lead}</p>
      </header>
      {acts && (
        <p>
          <a class="button primary" href={`${RESOURCES}/new`}>
            {create}
          </a>
        </p>
      )}
      {listing.items.length === 0 ? (
        <p class="empty soft">{none}</p>
      ) : (
        <Table label={title} columns={[name, scopes, t.console.status, t.console.created]}>
          {listing.items.map((resource) => (
            <ResourceRow key={resource.id} resource={resource} />
          ))}
        </Table>
      )}
      <Pages {...listing} path={RESOURCES} />
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
        <span class="num">{t.resources.scopeCount(scopes.length)}</span>
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

/** `/admin/resources`: the registered APIs, newest first. */
export function resourcesPage(deps: SignedInUserDeps): Page {
  return consolePage(deps, {
    path: RESOURCES,
    async get(call: ConsoleCall) {
      const { admin: caller, query, view } = call;
      const listing = await listAllResources(deps, { caller, page: clampPage(pageNumber(query), PER_PAGE) });
      const done = call.result === "deleted" ? view.t.resources.deleted : undefined;
      const body = <ResourcesBody listing={listing} acts={mayAct(caller)} />;
      return showConsole(call, { at: RESOURCES, title: view.t.resources.title, body, done });
    },
  });
}
