/** The position of a list that is read by page or by cursor (docs/contract.md, sections 2.5 and 36.4). */
import { type FieldFlaw, hasFlaws, invalidFields, invalidInput } from "../base/invalid-input.ts";
import { makeListCursor, readListCursor } from "../base/list-cursor.ts";
import type { Refusal } from "../base/problem.ts";
import { err, ok, type Result } from "../base/result.ts";
import { clampPage, type ItemsAfter, type Listing, type Page } from "../database/listing.ts";
import type { Deps } from "../deps.ts";
import { LIST_CURSOR_LIFETIME_MS } from "../limits/management-limits.ts";
import { reply } from "./reply.ts";

/** A page, or the items after an id in the order of ids; null: from the oldest item. */
export type ListPosition =
  | { readonly page: Page; readonly after?: undefined }
  | { readonly after: string | null; readonly pageSize: number; readonly page?: undefined };

type CursorDeps = Pick<Deps, "clock" | "codeKey">;

interface ListQuery {
  readonly page?: number;
  readonly page_size?: number;
  readonly cursor?: string;
  readonly q?: string;
  readonly sort?: string;
}

const BAD_CURSOR = invalidInput("cursor", "format", "empty, or next_cursor of a response of the last hour");

/** Reads the position. `list`: the name of the list; the filters are the further members of the query. */
export function listPosition(
  deps: CursorDeps,
  list: string,
  query: ListQuery,
): Result<ListPosition, Refusal<"invalid_input">> {
  const page = clampPage(query.page, query.page_size);
  if (query.cursor === undefined) return ok({ page });
  const flaws = (["page", "q", "sort"] as const)
    .filter((field) => query[field] !== undefined)
    .map((field): FieldFlaw => ({ field, rule: "conflicting", text: "excludes cursor" }));
  if (hasFlaws(flaws)) return err(invalidFields(flaws));
  if (query.cursor === "") return ok({ after: null, pageSize: page.pageSize });
  const read = { list: nameOf(list, query), nowMs: deps.clock.now(), lifetimeMs: LIST_CURSOR_LIFETIME_MS };
  const after = readListCursor(deps.codeKey, query.cursor, read);
  return after === undefined ? err(BAD_CURSOR) : ok({ after, pageSize: page.pageSize });
}

function nameOf(list: string, { cursor: _cursor, page_size: _size, ...filters }: ListQuery): string {
  return JSON.stringify([list, Object.entries(filters).sort(([a], [b]) => (a < b ? -1 : 1))]);
}

/** The response of a list, in the form of the request. */
export function positionReply<Item, Body>(
  deps: CursorDeps,
  list: string,
  query: ListQuery,
  found: ItemsAfter<Item> | Listing<Item>,
  body: (item: Item) => Body,
) {
  const { items, total, pageSize } = found;
  const common = { items: items.map(body), total, page_size: pageSize };
  if ("page" in found) return reply(200, { ...common, page: found.page });
  const { last } = found;
  const cursor =
    last === null ? null : makeListCursor(deps.codeKey, { after: last, list: nameOf(list, query) }, deps.clock.now());
  return reply(200, { ...common, next_cursor: cursor });
}
