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

/** The trimmed search term; `undefined` for a blank term, which lists everything. */
export function searchTerm(q: string | undefined): string | undefined {
  return q?.trim() || undefined;
}

/** A LIKE pattern that matches `text` literally anywhere: `%`, `_` and `\` are escaped (G19). */
export function likePattern(text: string): string {
  return `%${text.toLowerCase().replace(/[\\%_]/g, "\\$&")}%`;
}

/**
 * Selects the exact row count of a large table as `total`, from the counters that triggers maintain in `row_counts`.
 */
export function countRows(sql: Sql, relation: "users" | "organizations"): Fragment {
  return sql`select coalesce(sum(count), 0)::int as total from row_counts where relation = ${relation}`;
}
