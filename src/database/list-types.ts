import type postgres from "postgres";
import { parse } from "postgres-array";

/** Lists of texts and numbers; a statement that the driver sends again already has the list as text. */
type ListType = postgres.PostgresType<readonly unknown[] | string>;

/**
 * The array types of the statements; OIDs from PostgreSQL's pg_type.dat. The driver would read the types from the
 * server before the first statement of every connection: an additional round trip, and version 3.4.9 does not handle a
 * failure of that statement. A connection lost at that moment (failover) ended the process, and a connection refused at
 * that moment (a pooler without a server) sent lists as malformed text from then on.
 */
export const LIST_TYPES: Readonly<Record<string, ListType>> = {
  int2: listType(1005, Number),
  text: listType(1009, String),
  int8: listType(1016, String),
  float8: listType(1022, Number),
  timestamptz: listType(1185, (text) => new Date(text)),
  uuid: listType(2951, String),
};

/**
 * PostgreSQL refuses a list with this element. An error thrown here would leave the driver's statement without an end.
 */
const MALFORMED = 'x"';

function listType(oid: number, readElement: (text: string) => unknown): ListType {
  return {
    to: oid,
    from: [oid],
    serialize: (list) => (typeof list === "string" ? list : `{${list.map(writeElement).join(",")}}`),
    parse: (text: string) => parse(text, readElement),
  };
}

/** PostgreSQL manual, section 8.15.6: in quotes every element is literal, except for quotes and backslashes. */
function writeElement(value: unknown): string {
  if (value === null) return "null";
  if (typeof value !== "string" && typeof value !== "number") return MALFORMED;
  const text = String(value);
  return `"${text.replace(/["\\]/g, "\\$&")}"`;
}
