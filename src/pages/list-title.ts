import { type PageCall, pageNumber, searchText } from "./page.ts";
import type { View } from "./view.tsx";

/** The title with the search and the page of a list, so that two tabs and two entries of the history differ. */
export function titleOfList(
  { view: { t, dates }, query }: Pick<PageCall, "query"> & { readonly view: View },
  title: string,
): string {
  const [q, page] = [searchText(query), pageNumber(query)];
  const searched = q ? t.shell.titleOfSearch({ title, q }) : title;
  return page > 1 ? t.shell.titleOfPage({ title: searched, page: dates.number(page) }) : searched;
}
