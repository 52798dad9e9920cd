import { BODY_READ_DEADLINE_MS, JSON_BODY_MAX_BYTES, JSON_MAX_DEPTH } from "../base/limits.ts";
import { ok, type Result } from "../base/result.ts";
import { invalidBody, readBytes } from "./body.ts";

export type JsonObject = Record<string, unknown>;

const JSON_TYPE = /^application\/json\s*(?:;|$)/i;

/**
 * The body of a request as an object, or `invalid_input` (decisions, section 1). Refused before it is read whole: a
 * wrong content type, more than 64 KiB, a body that trickles. Refused after: what is not JSON in UTF-8 (RFC 8259), not
 * an object, nested deeper than any body of ours, says a member twice, of which two readers would choose differently,
 * or holds an unpaired surrogate, which is no text at all (RFC 7493, section 2.1) and which PostgreSQL refuses in JSON.
 */
export async function readJsonObject(request: Request): Promise<Result<JsonObject>> {
  if (!JSON_TYPE.test(request.headers.get("content-type") ?? ""))
    return invalidBody("the content type must be application/json");
  const bytes = await readBytes(request, { maxBytes: JSON_BODY_MAX_BYTES, deadlineMs: BODY_READ_DEADLINE_MS });
  if (!bytes.ok) return bytes;
  const text = decode(bytes.value);
  if (text === undefined) return invalidBody("the body is not UTF-8");
  return parseObject(text);
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Parses strict JSON. Exported for the tests of its grammar. */
export function parseObject(text: string): Result<JsonObject> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return invalidBody("the body is not JSON");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return invalidBody("the body is not a JSON object");
  const flaw = findFlaw(text);
  return flaw ? invalidBody(flaw) : ok(value as JsonObject);
}

/** Names that reach the prototype of an object that somebody copies the body into. */
const PROTOTYPE_NAMES = new Set(["__proto__", "constructor", "prototype"]);
const STRING_OR_BRACKET = /"(?:[^"\\]|\\.)*"|[{}[\]]/g;

/**
 * Walks text that is known to be JSON, and finds what JSON.parse lets pass: a repeated name, depth, prototype names,
 * surrogates.
 */
function findFlaw(text: string): string | undefined {
  const open: (Set<string> | undefined)[] = [];
  for (const match of text.matchAll(STRING_OR_BRACKET)) {
    const [token] = match;
    if (token === "{" || token === "[") {
      if (open.push(token === "{" ? new Set() : undefined) > JSON_MAX_DEPTH) return "the body is nested too deeply";
    } else if (token === "}" || token === "]") {
      open.pop();
    } else {
      if (!isWellFormed(token)) return "the body holds an unpaired surrogate";
      const names = open.at(-1);
      if (!names || !isName(text, match.index + token.length)) continue;
      const name: string = JSON.parse(token);
      if (PROTOTYPE_NAMES.has(name)) return "the body has a member that is not allowed";
      if (names.has(name)) return "the body says a member twice";
      names.add(name);
    }
  }
  return undefined;
}

/** The bytes were UTF-8, so that only an escape can have made a surrogate. */
function isWellFormed(token: string): boolean {
  return !token.includes("\\u") || (JSON.parse(token) as string).isWellFormed();
}

/** In valid JSON a string is a member name exactly when a colon follows it. */
function isName(text: string, end: number): boolean {
  let position = end;
  while (" \t\n\r".includes(text.charAt(position)) && position < text.length) position += 1;
  return text.charAt(position) === ":";
}
