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
