import type { Listing } from "../../../database/listing.ts";
import type { Deps } from "../../../deps.ts";
import { listFeatureFlags, searchFlags } from "../../../flows/feature-flags/administer.ts";
import type { FeatureFlag } from "../../../models/feature-flag/feature-flag.ts";
import { Filters } from "../../components/filters.tsx";
import { Tag, Time } from "../../components/lists.tsx";
import { Cell, Table } from "../../components/table.tsx";
import { csvReply } from "../../csv.ts";
import { type Fields, type Page, pathWith } from "../../page.ts";
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

export const FLAGS = "/admin/flags";
const SORTS = ["key", "-key", "updated_at", "-updated_at"] as const;
type FlagListQuery = ListQuery<(typeof SORTS)[number], "status">;

function flagListIn(query: Fields): FlagListQuery {
  return listQueryIn({ path: FLAGS, sorts: SORTS, filters: { status: STATUSES } }, query);
}

interface ListProps {
  readonly list: FlagListQuery;
  readonly listing: Listing<FeatureFlag>;
  readonly acts: boolean;
}

function FlagsBody({ list, listing, acts }: ListProps) {
  const { t } = useView();
  const columns = [
    sortColumn(list, t.flags.key, "key"),
    t.console.status,
    t.flags.rolloutColumn,
    t.flags.overrides,
    sortColumn(list, t.flags.changed, "updated_at", "-"),
  ];
  return (
    <>
      <ListHead
        list={list}
        title={t.flags.title}
        lead={t.flags.lead}
        count={t.lists.flagCount({ count: listing.total })}
        creation={acts ? [`${FLAGS}/edit`, t.flags.create] : undefined}
      />
      <Filters
        path={FLAGS}
        search={{ label: t.lists.searchFlags, q: list.q }}
        selects={[useStatusFilter(list.filters.status, [t.flags.on, t.flags.off])]}
        kept={{ sort: list.sortText }}
        filtered={isFiltered(list)}
      />
      {listing.items.length === 0 ? (
        <EmptyList list={list} icon="flag" none={t.flags.none} noMatch={t.lists.nothingFound({ q: list.q })} />
      ) : (
        <Table label={t.flags.title} columns={columns}>
          {listing.items.map((flag) => (
            <FlagRow key={flag.key} flag={flag} />
          ))}
        </Table>
      )}
      <ListPages list={list} total={listing.total} />
    </>
  );
}

function FlagRow({ flag }: { readonly flag: FeatureFlag }) {
  const { t, dates } = useView();
  const { key, description, rolloutPercent, onOrganizations, offOrganizations, updatedAt } = flag;
  const [on, off] = [onOrganizations.length, offOrganizations.length];
  return (
    <tr>
      <Cell>
        <a class="whole mono" href={pathWith(`${FLAGS}/edit`, { key })}>
          {key}
        </a>
        {description && <small>{description}</small>}
      </Cell>
      <Cell label={t.console.status}>
        <FlagTag flag={flag} />
      </Cell>
      <Cell label={t.flags.rolloutColumn}>
        <span class="num">{dates.percent(rolloutPercent)}</span>
      </Cell>
      <Cell label={t.flags.overrides}>
        {on + off > 0 ? (
          dates.list([t.flags.overridesOn({ count: on }), t.flags.overridesOff({ count: off })])
        ) : (
          <span class="soft">{t.console.none}</span>
        )}
      </Cell>
      <Cell label={t.flags.changed}>
        <Time at={updatedAt} />
      </Cell>
    </tr>
  );
}

export function FlagTag({ flag: { enabled } }: { readonly flag: Pick<FeatureFlag, "enabled"> }) {
  const { t } = useView();
  return enabled ? <Tag kind="good">{t.flags.on}</Tag> : <Tag kind="plain">{t.flags.off}</Tag>;
}

/** `/admin/flags`: the feature flags of the platform, by key, with search, filter and orders. */
export function flagsPage(deps: SignedInUserDeps & Pick<Deps, "database">): Page {
  return consolePage(deps, {
    path: FLAGS,
    async get(call: ConsoleCall) {
      const { admin: caller, query, view } = call;
      const list = flagListIn(query);
      const listed = await listFeatureFlags(deps, { caller, search: boundedSearch(list), page: list.page });
      if (!listed.ok) return listed.error;
      const body = <FlagsBody list={list} listing={listed.value} acts={mayAct(caller)} />;
      return showConsole(call, { at: FLAGS, title: view.t.flags.title, body });
    },
  });
}

/** `/admin/flags/export`: the matching feature flags as CSV. */
export function flagsExportPage(deps: SignedInUserDeps): Page {
  return consolePage(deps, {
    path: "/admin/flags/export",
    limitsGet: true,
    async get({ admin: caller, query }: ConsoleCall) {
      const found = await searchFlags(deps, { caller, search: boundedSearch(flagListIn(query)) });
      const rows = found.map(({ key, description, enabled, rolloutPercent, updatedAt }) => [
        ...[key, description ?? "", String(enabled), String(rolloutPercent), updatedAt.toISOString()],
      ]);
      return csvReply("feature-flags.csv", [CSV_HEAD, ...rows]);
    },
  });
}

const CSV_HEAD = ["key", "description", "enabled", "rollout_percent", "updated_at"];
