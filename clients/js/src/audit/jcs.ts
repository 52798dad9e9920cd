/** The JSON Canonicalization Scheme (RFC 8785), for documents that arrive as text. */

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** Levels of objects and arrays. Records have a few levels; the stack of a recursive parser suffices for many more. */
const LEVELS_MAX = 128;

/** `JSON.parse` with a bound on levels. Throws a SyntaxError for invalid JSON and for too many levels. */
export function parseJson(text: string): Json {
  if (countOpenings(text) > LEVELS_MAX) validateLevels(text);
  return JSON.parse(text);
}

/**
 * Returns the canonical form of a JSON text. Throws a SyntaxError for invalid JSON, for more than 128 levels, for an
 * object with duplicate names, where two readers could see different values (RFC 8785, section 3.1: I-JSON), and for a
 * number that is too large (section 3.2.2.3) and would be written as null.
 */
export function canonicalize(text: string): string {
  return parseCanonical(text).canonical;
}

/** Returns the canonical form with the parsed value. */
export function parseCanonical(text: string): { readonly value: Json; readonly canonical: string } {
  const value = parseJson(text);
  const written = { members: 0 };
  const canonical = write(value, written);
  if (countNames(text) !== written.members) throw new SyntaxError("an object has two members of one name");
  return { value, canonical };
}

/** A text with fewer brackets, in strings or not, cannot have too many levels: most records need no closer look. */
function countOpenings(text: string): number {
  let openings = 0;
  for (const opening of ["{", "["]) {
    for (let at = text.indexOf(opening); at !== -1; at = text.indexOf(opening, at + 1)) openings += 1;
  }
  return openings;
}

function validateLevels(text: string): void {
  let level = 0;
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\]]/gs)) {
    if (token === "{" || token === "[") level += 1;
    if (token === "}" || token === "]") level -= 1;
    if (level > LEVELS_MAX) throw new SyntaxError(`more than ${LEVELS_MAX} levels of objects and arrays`);
  }
}

/** RFC 8785, section 3.2. ECMAScript's notation of numbers and strings; names are sorted by UTF-16 code units. */
function write(value: Json, written: { members: number }): string {
  if (typeof value === "number" && !Number.isFinite(value)) throw new SyntaxError("a number is too large");
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if (isList(value)) return `[${value.map((each) => write(each, written)).join()}]`;
  const names = Object.keys(value).sort();
  written.members += names.length;
  return `{${names.map((name) => `${JSON.stringify(name)}:${write(value[name] ?? null, written)}`).join()}}`;
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

/** The number of member names in a JSON text: the strings before a colon. */
function countNames(text: string): number {
  let names = 0;
  for (let begin = text.indexOf('"'); begin !== -1; ) {
    let end = text.indexOf('"', begin + 1);
    while (isEscaped(text, end)) end = text.indexOf('"', end + 1);
    let next = end + 1;
    while (isSpace(text.charCodeAt(next))) next += 1;
    if (text.charAt(next) === ":") names += 1;
    begin = text.indexOf('"', next);
  }
  return names;
}

/** Whether an odd number of backslashes stands before a character. */
function isEscaped(text: string, at: number): boolean {
  let before = at - 1;
  while (text.charAt(before) === "\\") before -= 1;
  return (at - before) % 2 === 0;
}

/** Space, tab, line feed, carriage return (RFC 8259, section 2). */
function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0x0a || code === 0x0d;
}
