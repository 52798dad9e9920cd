import { type TObject, type TSchema, Type } from "@sinclair/typebox";
import { PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX } from "../../base/limits.ts";

const UUID_PATTERN = "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$";

export const Uuid = Type.String({ pattern: UUID_PATTERN, description: "UUID" });
/** RFC 3339 in UTC with milliseconds (decisions, section 1). */
export const Timestamp = Type.String({
  description: "RFC 3339, UTC, milliseconds",
  examples: ["2026-01-02T03:04:05.678Z"],
});

/** What is searched for. Postgres has no text with NUL in it, so nothing can be found by one. */
export const SearchText = Type.String({ maxLength: 200, pattern: "^[^\\u0000]*$" });

export const PageQuery = Type.Object({
  page: Type.Optional(Type.Integer({ description: "1-indexed", default: 1 })),
  page_size: Type.Optional(Type.Integer({ description: `clamped to 1..${PAGE_SIZE_MAX}`, default: PAGE_SIZE_DEFAULT })),
});

/** What every list answers (decisions, section 1). */
export function listOf(item: TSchema): TObject {
  return Type.Object({
    items: Type.Array(item),
    total: Type.Integer(),
    page: Type.Integer(),
    page_size: Type.Integer(),
  });
}

/** The error envelope (contract, section 2.3). */
export const ErrorEnvelope = Type.Object({
  error: Type.Object({
    code: Type.String({ description: "stable, machine-readable" }),
    message: Type.String({ description: "for people; do not branch on it" }),
    type: Type.String({ description: "category" }),
  }),
});
