/** Shared parts of the console lists with filters: the download, the pages, the empty text. */
import { CSV_ROWS_MAX } from "../../limits/console-limits.ts";
import type { SelectFilter } from "../components/filters.tsx";
import { Icon, type IconName } from "../components/icon.tsx";
import { EmptyBox, Pages } from "../components/lists.tsx";
import { pathWith } from "../page.ts";
import { useView } from "../view.tsx";
import { isFiltered, type ListQuery, listPath, listValues, PAGE_SIZES, STATUSES } from "./list-query.ts";

/** The filter by `status`. `texts`: the words of on and off. */
export function useStatusFilter(status: string, [on, off]: readonly [string, string]): SelectFilter {
  const { t } = useView();
  const options = [
    ["", t.lists.anyStatus],
    [STATUSES[0], on],
    [STATUSES[1], off],
  ] as const;
  return { name: "status", label: t.console.status, value: status, options };
}

interface ListProps {
  readonly list: ListQuery<string, string>;
}

interface ListHeadProps extends ListProps {
  readonly title: string;
  readonly lead?: string;
  /** The number of rows, in words. */
  readonly count: string;
  /** The page that creates a row, and its name; undefined without the permission. */
  readonly creation: readonly [href: string, text: string] | undefined;
}

/** Title, number of rows, download and main action of a list. */
export function ListHead({ list, title, lead, count, creation }: ListHeadProps) {
  return (
    <header class="head">
      <div>
        <h1>{title}</h1>
        {lead && <p>{lead}</p>}
        <p class="num">{count}</p>
      </div>
      <div class="actions">
        <CsvLink list={list} />
        {creation && (
          <a class="button primary" href={creation[0]}>
            <Icon name="plus" small />
            {creation[1]}
          </a>
        )}
      </div>
    </header>
  );
}

/** A link to the rows that match the filters, as CSV. */
function CsvLink({ list }: ListProps) {
  const { t } = useView();
  const href = pathWith(`${list.path}/export`, listValues(list));
  return (
    <a class="button" href={href} title={t.lists.csvHint({ rows: CSV_ROWS_MAX })}>
      <Icon name="download" small />
      {t.lists.csv}
    </a>
  );
}

export function ListPages({ list, total }: ListProps & { readonly total: number }) {
  const sizes = PAGE_SIZES.map((size) => {
    const isStandard = size === PAGE_SIZES[0];
    return [size, listPath(list, { page_size: isStandard ? "" : String(size) })] as const;
  });
  return <Pages {...list.page} total={total} path={listPath(list)} sizes={sizes} />;
}

interface EmptyListProps extends ListProps {
  readonly icon: IconName;
  /** The text without filters. */
  readonly none: string;
  /** The text of a search without results. */
  readonly noMatch: string;
}

/** In place of a list without rows. */
export function EmptyList({ list, icon, none, noMatch }: EmptyListProps) {
  const { t } = useView();
  const filtered = isFiltered(list);
  return <EmptyBox icon={filtered ? "search" : icon} text={list.q ? noMatch : filtered ? t.lists.noMatch : none} />;
}
