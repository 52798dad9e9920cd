/** The query of a console list: search term, filters, order and page. An unknown value counts as absent. */
import type { BoundedSearch, BoundedSort } from "../../database/bounded-list.ts";
import { clampPage, type Page } from "../../database/listing.ts";
import type { SortColumn } from "../components/table.tsx";
import { type Fields, pageNumber, pathWith, searchText } from "../page.ts";

export const PAGE_SIZES = [25, 50, 100] as const;
const DAY_LAST_MOMENT = "T23:59:59.999Z";

export interface ListSpec<Sort extends string, Filter extends string> {
  readonly path: string;
  /** The first order is the default. A leading `-`: descending. */
  readonly sorts: readonly [Sort, ...Sort[]];
  /** The permitted values of each filter. */
  readonly filters: Readonly<Record<Filter, readonly string[]>>;
}

export interface ListQuery<Sort extends string, Filter extends string> {
  readonly path: string;
  readonly q: string;
  readonly sort: Sort;
  /** The default order is the empty text. */
  readonly sortText: string;
  /** A filter without a value is the empty text. */
  readonly filters: Readonly<Record<Filter, string>>;
  /** Days (YYYY-MM-DD, UTC) or the empty text. */
  readonly createdFrom: string;
  readonly createdTo: string;
  readonly page: Page;
}

export function listQueryIn<Sort extends string, Filter extends string>(
  { path, sorts, filters }: ListSpec<Sort, Filter>,
  query: Fields,
): ListQuery<Sort, Filter> {
  const [standard] = sorts;
  const sort = sorts.find((each) => each === query.text("sort")) ?? standard;
  const size = Number(query.text("page_size"));
  const chosen = (Object.keys(filters) as Filter[]).map((name) => {
    const text = query.text(name);
    return [name, filters[name].includes(text) ? text : ""] as const;
  });
  return {
    path,
    q: searchText(query),
    sort,
    sortText: sort === standard ? "" : sort,
    filters: Object.fromEntries(chosen) as Record<Filter, string>,
    createdFrom: dayIn(query.text("created_from")),
    createdTo: dayIn(query.text("created_to")),
    page: clampPage(pageNumber(query), PAGE_SIZES.find((each) => each === size) ?? PAGE_SIZES[0]),
  };
}

function dayIn(text: string): string {
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(`${text}${DAY_LAST_MOMENT}`)) ? text : "";
}

type AnyListQuery = ListQuery<string, string>;

/** The values of the address without the page. The default page size is absent. */
export function listValues(list: AnyListQuery): Record<string, string> {
  const { q, sortText, filters, createdFrom, createdTo, page } = list;
  const size = page.pageSize === PAGE_SIZES[0] ? "" : String(page.pageSize);
  return { q, ...filters, created_from: createdFrom, created_to: createdTo, sort: sortText, page_size: size };
}

/** The address of the list with changed values, on the first page. */
export function listPath(list: AnyListQuery, changes: Readonly<Record<string, string>> = {}): string {
  return pathWith(list.path, { ...listValues(list), ...changes });
}

/** Whether a search term or filter is set. */
export function isFiltered({ q, filters, createdFrom, createdTo }: AnyListQuery): boolean {
  return [q, createdFrom, createdTo, ...Object.values(filters)].some((value) => value !== "");
}

/** The bounds of the creation as times (RFC 3339) for the flow. */
export function createdBounds({ createdFrom, createdTo }: AnyListQuery) {
  return {
    createdFrom: createdFrom === "" ? undefined : `${createdFrom}T00:00:00Z`,
    createdTo: createdTo === "" ? undefined : `${createdTo}${DAY_LAST_MOMENT}`,
  };
}

/** The order of a list that is in memory: `sort` names the name or the time of the item. */
function boundedSort({ sort }: AnyListQuery): BoundedSort {
  const key = NAMES.has(sort.replace("-", "")) ? "name" : "at";
  return sort.startsWith("-") ? `-${key}` : key;
}

const NAMES: ReadonlySet<string> = new Set(["name", "key"]);

/** The search of a list that is in memory, with the filter `status`. */
export function boundedSearch(list: AnyListQuery & { readonly filters: { readonly status: string } }): BoundedSearch {
  const { createdFrom, createdTo } = createdBounds(list);
  const { status } = list.filters;
  const isOn = status === "" ? undefined : status === "enabled";
  return { q: list.q || undefined, isOn, from: createdFrom, to: createdTo, sort: boundedSort(list) };
}

/** The values of the filter `status`. */
export const STATUSES = ["enabled", "disabled"] as const;

/** A head that sorts by `key`; a second press reverses the order. `first`: the order of the first press. */
export function sortColumn(list: AnyListQuery, label: string, key: string, first: "" | "-" = ""): SortColumn {
  const isAscending = list.sort === key;
  const isDescending = list.sort === `-${key}`;
  const next = isAscending ? `-${key}` : isDescending ? key : `${first}${key}`;
  return {
    label,
    href: listPath(list, { sort: next }),
    direction: isAscending ? "ascending" : isDescending ? "descending" : undefined,
  };
}
