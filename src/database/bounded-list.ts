/** Lists of tables with a small bound, which a statement reads as a whole: filters, order and page in memory. */
import { type Listing, type Page, pageBounds } from "./listing.ts";

export type BoundedSort = "name" | "-name" | "at" | "-at";

/** Filters of a list; undefined: no filter. */
export interface BoundedSearch {
  /** Part of a text of the item. */
  readonly q?: string | undefined;
  readonly isOn?: boolean | undefined;
  /** Inclusive bounds of the time (RFC 3339). */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** Default: the order of the statement. */
  readonly sort?: BoundedSort | undefined;
}

/** What the filters and orders compare. */
export interface ListedItem {
  readonly name: string;
  /** The further text that a search finds. */
  readonly text: string;
  readonly isOn: boolean;
  readonly at: Date;
}

/** The matching items in the given order. */
export function searchBounded<Item>(
  items: readonly Item[],
  itemOf: (item: Item) => ListedItem,
  { q, isOn, from, to, sort }: BoundedSearch,
): readonly Item[] {
  const wanted = q?.toLowerCase() ?? "";
  const earliest = from === undefined ? Number.NEGATIVE_INFINITY : Date.parse(from);
  const latest = to === undefined ? Number.POSITIVE_INFINITY : Date.parse(to);
  const found = items
    .map((item) => ({ item, listed: itemOf(item) }))
    .filter(({ listed: { name, text, at, ...state } }) => {
      const isWithin = at.getTime() >= earliest && at.getTime() <= latest;
      return (
        isWithin && (isOn === undefined || state.isOn === isOn) && `${name} ${text}`.toLowerCase().includes(wanted)
      );
    });
  if (sort === undefined) return found.map(({ item }) => item);
  const direction = sort.startsWith("-") ? -1 : 1;
  const isByName = sort.endsWith("name");
  const compared = found.sort(({ listed: a }, { listed: b }) => {
    return direction * (isByName ? a.name.localeCompare(b.name) : a.at.getTime() - b.at.getTime());
  });
  return compared.map(({ item }) => item);
}

/** A page of items that are all in memory. */
export function pageOf<Item>(items: readonly Item[], page: Page): Listing<Item> {
  const { limit, offset } = pageBounds(page);
  return { ...page, items: items.slice(offset, offset + limit), total: items.length };
}
