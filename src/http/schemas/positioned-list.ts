import { type TSchema, Type } from "@sinclair/typebox";
import { PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX } from "../../limits/limits.ts";
import { nullable, text } from "./common.ts";

/** A list by page or by cursor (docs/contract.md, section 36.4). Items `User` make the component `UserList`. */
export function positionedListOf<Item extends TSchema>(item: Item) {
  return Type.Object(
    {
      items: Type.Array(item),
      total: Type.Integer({ description: "items of all pages", documented: { minimum: 0 }, examples: [1] }),
      page: Type.Optional(
        Type.Integer({ description: "absent with `cursor`", documented: { minimum: 1 }, examples: [1] }),
      ),
      page_size: Type.Integer({ documented: { minimum: 1, maximum: PAGE_SIZE_MAX }, examples: [PAGE_SIZE_DEFAULT] }),
      next_cursor: Type.Optional(
        nullable(text("MDE5OGMwZGU…", "for `cursor` of the next request"), {
          description: "with `cursor` alone; null at the end",
        }),
      ),
    },
    item.$id === undefined ? {} : { $id: `${item.$id}List` },
  );
}

/** The query member of a list by cursor. */
export const CursorMember = Type.Optional(
  Type.String({
    maxLength: 200,
    description: "empty: from the oldest item by id; then `next_cursor`. Excludes `page`, `q` and `sort`",
    examples: [""],
  }),
);
