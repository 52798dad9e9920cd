import type { Fragment, Sql } from "./database.ts";
import { PAGE_MAX, PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX } from "./limits.ts";

/** Which part of a list is asked for (contract, section 8): 1-indexed, size clamped to 1..100. */
export interface Page {
  readonly page: number;
  readonly pageSize: number;
}

/** What every list answers (decisions, section 1). */
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
export function pageBounds({ page, pageSize }: Page): { readonly limit: number; readonly offset: number } {
  return { limit: pageSize, offset: (page - 1) * pageSize };
}

/** What is searched for, without the blanks around it; `undefined` when nothing is left: then all is listed. */
export function searchTerm(q: string | undefined): string | undefined {
  return q?.trim() || undefined;
}

/** A LIKE pattern that finds `text` anywhere, letter for letter: `%`, `_` and `\` of the searcher mean themselves. */
export function likePattern(text: string): string {
  return `%${text.toLowerCase().replace(/[\\%_]/g, "\\$&")}%`;
}

/** A query for the number of rows of a large table, as `total`: a sum of what triggers count, exact and as quick for a million. */
export function countRows(sql: Sql, relation: "users" | "organizations"): Fragment {
  return sql`select coalesce(sum(count), 0)::int as total from row_counts where relation = ${relation}`;
}
