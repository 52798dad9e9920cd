/** The JSON Canonicalization Scheme (RFC 8785), for documents that arrive as text. */

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** Matches each string of a JSON text, and whether a colon follows it: then it is the name of a member. */
const STRINGS = /"(?:[^"\\]|\\.)*"(\s*:)?/g;

/**
 * Returns the canonical form of a JSON text. Throws a SyntaxError for text that is no JSON, and for an object with two
 * members of one name, of which readers could each see another one (RFC 8785, section 3.1: I-JSON).
 */
export function canonicalize(text: string): string {
  return parseCanonical(text).canonical;
}

/** The same, with the value. */
export function parseCanonical(text: string): { readonly value: Json; readonly canonical: string } {
  const value: Json = JSON.parse(text);
  const written = { members: 0 };
  const canonical = write(value, written);
  let members = 0;
  for (const [, colon] of text.matchAll(STRINGS)) if (colon !== undefined) members += 1;
  if (members !== written.members) throw new SyntaxError("an object has two members of one name");
  return { value, canonical };
}

/** Section 3.2. Numbers and strings are as ECMAScript writes them, and names are sorted by UTF-16 code units. */
function write(value: Json, written: { members: number }): string {
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if (isList(value)) return `[${value.map((each) => write(each, written)).join()}]`;
  const names = Object.keys(value).sort();
  written.members += names.length;
  return `{${names.map((name) => `${JSON.stringify(name)}:${write(value[name] ?? null, written)}`).join()}}`;
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
