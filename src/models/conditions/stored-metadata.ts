/** The stored form of metadata, of any table with metadata (docs/contract.md, section 34.2). */
import type { Sql } from "../../database/database.ts";
import { json } from "../../database/json.ts";

export type JsonObject = Readonly<Record<string, unknown>>;

export interface Metadata {
  readonly publicMetadata: JsonObject;
  readonly privateMetadata: JsonObject;
}

/** The stored value: null in place of an empty object, because most rows have no metadata. */
export function storedMetadata(sql: Sql, metadata: JsonObject) {
  return Object.keys(metadata).length === 0 ? null : json(sql, metadata);
}
