/**
 * Filters (RFC 7644, section 3.4.2.2): recursive descent over the whole grammar, with bounds on length, nesting and
 * number of conditions. Clients deviate: values without quotes, `emails[type eq "work"].value eq "…"`, and the
 * latter without `.value`.
 */
import { ok } from "../../../base/result.ts";
import { isStorableText } from "../../../base/storable-text.ts";
import {
  SCIM_FILTER_DEPTH_MAX,
  SCIM_FILTER_MAX_CHARACTERS,
  SCIM_FILTER_NODES_MAX,
} from "../../../limits/directory-limits.ts";
import { type ScimResult, scimError } from "./scim-problem.ts";

export const COMPARE_OPERATORS = ["eq", "ne", "co", "sw", "ew", "gt", "ge", "lt", "le"] as const;
export type CompareOperator = (typeof COMPARE_OPERATORS)[number];
export type FilterValue = string | number | boolean | null;

/** A parsed filter. Paths are text as written. */
export type Filter =
  | { readonly kind: "and" | "or"; readonly left: Filter; readonly right: Filter }
  | { readonly kind: "not"; readonly filter: Filter }
  | { readonly kind: "present"; readonly path: string }
  | {
      readonly kind: "compare";
      readonly path: string;
      readonly operator: CompareOperator;
      readonly value: FilterValue;
    }
  /** `path[filter]`, and a condition after the bracket: `path[filter].value eq "…"`. */
  | { readonly kind: "some"; readonly path: string; readonly filter: Filter; readonly also?: Filter };

/** Internal to the parser: converted to a result before the parser returns. */
class FilterError extends Error {}

interface Reader {
  readonly text: string;
  position: number;
  nodes: number;
  depth: number;
}

const PATH = /[a-z$][\w$.:-]*/iy;
const WORD = /[a-z]+/iy;
const STRING = /"(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/uy;
const BARE = /[^\s()[\]"]+/y;
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i;
const SPACE = /\s*/y;
const COMPARISON = /^\s+(?:eq|ne|co|sw|ew|gt|ge|lt|le|pr)(?:\s|$)/i;

/** Parses a filter. */
export function parseFilter(text: string): ScimResult<Filter> {
  return read(text, (reader) => {
    const filter = readOr(reader);
    skipSpace(reader);
    if (reader.position < reader.text.length) throw new FilterError("unexpected text after the filter");
    return filter;
  });
}

/** The path of a PATCH operation (RFC 7644, section 3.5.2): `path`, `path[filter]` or `path[filter].sub`. */
export interface OperationPath {
  readonly path: string;
  readonly filter: Filter | undefined;
  readonly sub: string | undefined;
}

export function parseOperationPath(text: string): ScimResult<OperationPath> {
  const parsed = read(text, (reader) => {
    const path = readPath(reader);
    const filter = peek(reader) === "[" ? readBrackets(reader) : undefined;
    const sub = filter && peek(reader) === "." ? readSub(reader) : undefined;
    if (reader.position < reader.text.length) throw new FilterError("unexpected text after the path");
    return { path, filter, sub };
  });
  return parsed.ok ? parsed : scimError("invalidPath", parsed.error.detail);
}

function read<T>(text: string, parse: (reader: Reader) => T): ScimResult<T> {
  if (text.length > SCIM_FILTER_MAX_CHARACTERS) {
    return scimError("invalidFilter", `The text is longer than ${SCIM_FILTER_MAX_CHARACTERS} characters.`);
  }
  try {
    return ok(parse({ text: text.trim(), position: 0, nodes: 0, depth: 0 }));
  } catch (error) {
    if (!(error instanceof FilterError)) throw error;
    return scimError("invalidFilter", `The filter or path is invalid: ${error.message}.`);
  }
}

function readOr(reader: Reader): Filter {
  let left = readAnd(reader);
  while (takeWord(reader, "or")) left = count(reader, { kind: "or", left, right: readAnd(reader) });
  return left;
}

function readAnd(reader: Reader): Filter {
  let left = readTerm(reader);
  while (takeWord(reader, "and")) left = count(reader, { kind: "and", left, right: readTerm(reader) });
  return left;
}

function readTerm(reader: Reader): Filter {
  skipSpace(reader);
  if (peek(reader) === "(") return readGroup(reader);
  const start = reader.position;
  if (takeWord(reader, "not")) {
    skipSpace(reader);
    if (peek(reader) === "(") return count(reader, { kind: "not", filter: readGroup(reader) });
    // An attribute may begin with the word.
    reader.position = start;
  }
  const path = readPath(reader);
  return peek(reader) === "[" ? readSome(reader, path) : readCondition(reader, path);
}

function readGroup(reader: Reader): Filter {
  return nested(reader, "(", ")");
}

function readBrackets(reader: Reader): Filter {
  return nested(reader, "[", "]");
}

function nested(reader: Reader, open: string, close: string): Filter {
  expect(reader, open);
  reader.depth += 1;
  if (reader.depth > SCIM_FILTER_DEPTH_MAX) throw new FilterError(`more than ${SCIM_FILTER_DEPTH_MAX} levels`);
  const filter = readOr(reader);
  skipSpace(reader);
  expect(reader, close);
  reader.depth -= 1;
  return filter;
}

function readSome(reader: Reader, path: string): Filter {
  const filter = readBrackets(reader);
  // Entra ID compares the value without its name.
  if (COMPARISON.test(reader.text.slice(reader.position))) {
    return count(reader, { kind: "some", path, filter, also: readCondition(reader, "value") });
  }
  if (peek(reader) !== ".") return count(reader, { kind: "some", path, filter });
  const sub = readSub(reader);
  return count(reader, { kind: "some", path, filter, also: readCondition(reader, sub) });
}

function readSub(reader: Reader): string {
  expect(reader, ".");
  return readPath(reader);
}

function readCondition(reader: Reader, path: string): Filter {
  if (!take(reader, /\s+/y)) throw new FilterError("an operator must follow the attribute");
  const operator = take(reader, WORD)?.toLowerCase();
  if (operator === "pr") return count(reader, { kind: "present", path });
  const known = COMPARE_OPERATORS.find((each) => each === operator);
  if (!known) throw new FilterError("the operator is unknown");
  if (!take(reader, /\s+/y)) throw new FilterError("a value must follow the operator");
  return count(reader, { kind: "compare", path, operator: known, value: readValue(reader) });
}

function readValue(reader: Reader): FilterValue {
  const quoted = take(reader, STRING);
  if (quoted !== undefined) return storable(JSON.parse(quoted));
  const bare = take(reader, BARE);
  if (bare === undefined) throw new FilterError("the value is missing or is not a JSON string");
  if (bare === "true" || bare === "false") return bare === "true";
  if (bare === "null") return null;
  return NUMBER.test(bare) && Number.isFinite(Number(bare)) ? Number(bare) : storable(bare);
}

/** PostgreSQL rejects NUL and unpaired surrogates. */
function storable(value: string): string {
  if (!isStorableText(value)) throw new FilterError("the value contains an invalid character");
  return value;
}

function readPath(reader: Reader): string {
  const path = take(reader, PATH);
  if (path === undefined) throw new FilterError("an attribute is missing");
  return path;
}

/** Consumes a keyword in any case; a longer word or a parenthesis may follow. */
function takeWord(reader: Reader, word: string): boolean {
  const start = reader.position;
  skipSpace(reader);
  const found = take(reader, WORD)?.toLowerCase() === word && /^(?:[\s([]|$)/.test(reader.text.slice(reader.position));
  if (!found) reader.position = start;
  return found;
}

function count(reader: Reader, filter: Filter): Filter {
  reader.nodes += 1;
  if (reader.nodes > SCIM_FILTER_NODES_MAX) throw new FilterError(`more than ${SCIM_FILTER_NODES_MAX} conditions`);
  return filter;
}

/** Consumes the text that a sticky pattern matches at the position. */
function take(reader: Reader, pattern: RegExp): string | undefined {
  pattern.lastIndex = reader.position;
  const [found] = pattern.exec(reader.text) ?? [];
  if (found !== undefined) reader.position += found.length;
  return found;
}

function skipSpace(reader: Reader): void {
  take(reader, SPACE);
}

function peek({ text, position }: Reader): string {
  return text.charAt(position);
}

function expect(reader: Reader, character: string): void {
  if (peek(reader) !== character) throw new FilterError(`"${character}" is missing`);
  reader.position += 1;
}
