import { PAGE_MAX, PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX } from "../limits/limits.ts";
import type { Fragment, Sql } from "./database.ts";

/** The requested page of a list (docs/contract.md, section 2.5): 1-indexed, size clamped to 1..100. */
export interface Page {
  readonly page: number;
  readonly pageSize: number;
}

/** One page of a list (docs/contract.md, section 2.5). `total` counts all pages. */
export interface Listing<Item> extends Page {
  readonly items: readonly Item[];
  readonly total: number;
}

export function clampPage(page: number = 1, pageSize: number = PAGE_SIZE_DEFAULT): Page {
  return {
    page: Math.min(Math.max(page, 1), PAGE_MAX),
    pageSize: Math.min(Math.max(pageSize, 1), PAGE_SIZE_MAX),
  };
}

/** LIMIT and OFFSET of a page. */
export interface PageBounds {
  readonly limit: number;
  readonly offset: number;
}

export function pageBounds({ page, pageSize }: Page): PageBounds {
  return { limit: pageSize, offset: (page - 1) * pageSize };
}

/** One page by cursor: the items after an id, in the order of ids. */
export interface ItemsAfter<Item> {
  readonly items: readonly Item[];
  readonly total: number;
  readonly pageSize: number;
  /** The id of the last item; null: the list ends here. */
  readonly last: string | null;
}

/** The page of at most `pageSize` items among one item more, by the id of an item. */
export function itemsAfter<Item>(
  found: readonly Item[],
  {
    total,
    pageSize,
    idOf,
  }: { readonly total: number; readonly pageSize: number; readonly idOf: (item: Item) => string },
): ItemsAfter<Item> {
  const items = found.slice(0, pageSize);
  const last = items.at(-1);
  return { items, total, pageSize, last: found.length > pageSize && last !== undefined ? idOf(last) : null };
}

/** The trimmed search term; `undefined` for a blank term, which lists everything. */
export function searchTerm(q: string | undefined): string | undefined {
  return q?.trim() || undefined;
}

/** A LIKE pattern that matches `text` literally anywhere: `%`, `_` and `\` are escaped (G19). */
export function likePattern(text: string): string {
  return `%${text.toLowerCase().replace(/[\\%_]/g, "\\$&")}%`;
}

/** Inclusive bounds of the creation of a row; undefined: no bound. */
export interface CreationBounds {
  readonly createdFrom: Date | undefined;
  readonly createdTo: Date | undefined;
}

/** Continues a condition on a row with `createdAt` by the bounds of the creation. */
export function andCreatedWithin(sql: Sql, createdAt: Fragment, { createdFrom, createdTo }: CreationBounds): Fragment {
  return sql`
    ${createdFrom === undefined ? sql`` : sql`and ${createdAt} >= ${createdFrom}`}
    ${createdTo === undefined ? sql`` : sql`and ${createdAt} <= ${createdTo}`}`;
}

/** The large tables whose row count is maintained by triggers in `row_counts`. */
type CountedRelation = "users" | "organizations";

/** Selects the exact row count of a large table as `total`. */
export function countRows(sql: Sql, relation: CountedRelation): Fragment {
  return sql`select coalesce(sum(count), 0)::int as total from row_counts where relation = ${relation}`;
}

/** A filter of a large table. */
interface CountedFilter {
  /** The filter matches few rows, or has no index for the complement. */
  readonly isNarrow: boolean;
  /** Table and condition: "users u where …". */
  readonly matching: Fragment;
  /** The ids of the rows that a filter with `isNarrow: false` excludes. */
  readonly excluded: readonly [Fragment | undefined, Fragment | undefined];
}

/**
 * The exact number of matching rows. A filter that most rows match is counted by the complement, which is small and
 * has an index: the number of all rows is a maintained count.
 */
export async function countFiltered(sql: Sql, relation: CountedRelation, filter: CountedFilter): Promise<number> {
  const { isNarrow, matching, excluded } = filter;
  const [first = noIds(sql), second = noIds(sql)] = excluded;
  const count = isNarrow
    ? sql`select count(*)::int as total from ${matching}`
    : sql`select (${countRows(sql, relation)}) - count(*)::int as total from (${first} union ${second}) excluded`;
  const [row] = await sql<{ total: number }[]>`${count}`;
  return row?.total ?? 0;
}

function noIds(sql: Sql): Fragment {
  return sql`select null::uuid where false`;
}
