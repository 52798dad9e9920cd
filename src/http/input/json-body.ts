import type { Refusal } from "../../base/problem.ts";
import { ok, type Result } from "../../base/result.ts";
import { BODY_READ_DEADLINE_MS, JSON_BODY_MAX_BYTES, JSON_MAX_DEPTH } from "../../limits/limits.ts";
import { invalidBody, readBytes } from "./body.ts";

export type JsonObject = Record<string, unknown>;

const JSON_TYPE = /^application\/json\s*(?:;|$)/i;

/**
 * Reads a JSON object (docs/contract.md, section 2.2). Refused before the body is read completely: a wrong content
 * type, more than the bound, a body that is not complete in time. Refused afterwards: invalid JSON or UTF-8 (RFC 8259),
 * no object, too much nesting, duplicate keys, which parsers resolve differently, and unpaired surrogates, which are
 * not text (RFC 7493, section 2.1) and which PostgreSQL rejects.
 */
export async function readJsonObject(
  request: Request,
  maxBytes: number = JSON_BODY_MAX_BYTES,
): Promise<Result<JsonObject, Refusal<"invalid_input">>> {
  if (!JSON_TYPE.test(request.headers.get("content-type") ?? ""))
    return invalidBody("The content type must be application/json.");
  const bytes = await readBytes(request, { maxBytes, deadlineMs: BODY_READ_DEADLINE_MS });
  if (!bytes.ok) return bytes;
  const text = decode(bytes.value);
  if (text === undefined) return invalidBody("The body is not UTF-8.");
  return parseObject(text);
}

/** Without the option `stream`, no call of `decode` depends on an earlier call. */
const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function decode(bytes: Uint8Array): string | undefined {
  try {
    return UTF8.decode(bytes);
  } catch {
    return undefined;
  }
}

/** Exported for tests of the grammar. */
export function parseObject(text: string): Result<JsonObject, Refusal<"invalid_input">> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return invalidBody("The body is not JSON.");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return invalidBody("The body is not a JSON object.");
  const flaw = findFlaw(text);
  return flaw ? invalidBody(flaw) : ok(value as JsonObject);
}

/** Keys that change the prototype of an object when the body is copied (prototype pollution). */
const PROTOTYPE_NAMES = new Set(["__proto__", "constructor", "prototype"]);
const BRACKETS = { open: "{[", close: "}]" } as const;

/** Finds content that JSON.parse accepts and the contract refuses. `text` must be valid JSON. */
function findFlaw(text: string): string | undefined {
  const open: (Set<string> | undefined)[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === '"') {
      const end = endOfString(text, at);
      const flaw = findStringFlaw(text, at, end, open.at(-1));
      if (flaw) return flaw;
      at = end;
    } else if (BRACKETS.open.includes(character)) {
      if (open.push(character === "{" ? new Set() : undefined) > JSON_MAX_DEPTH)
        return "The body is nested too deeply.";
    } else if (BRACKETS.close.includes(character)) open.pop();
  }
  return undefined;
}

/** The position of the closing quotation mark: no backslash, or an even number of backslashes, precedes the mark. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); ; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text.charAt(end - 1 - backslashes) === "\\") backslashes += 1;
    if (backslashes % 2 === 0) return end;
  }
}

/** `names`: the keys so far of the object around the string; undefined in an array. */
function findStringFlaw(text: string, start: number, end: number, names: Set<string> | undefined): string | undefined {
  const raw = text.slice(start, end + 1);
  const isEscaped = raw.includes("\\");
  // The bytes were valid UTF-8, so only a \u escape can produce a surrogate.
  if (isEscaped && !(JSON.parse(raw) as string).isWellFormed()) return "The body contains an unpaired surrogate.";
  if (!names || !isName(text, end + 1)) return undefined;
  const name: string = isEscaped ? JSON.parse(raw) : raw.slice(1, -1);
  if (PROTOTYPE_NAMES.has(name)) return "The body contains a key that is not allowed.";
  if (names.has(name)) return "Duplicate key in the JSON body.";
  names.add(name);
  return undefined;
}

/** In valid JSON a string is a key exactly if a colon follows the string. */
function isName(text: string, end: number): boolean {
  let position = end;
  while (" \t\n\r".includes(text.charAt(position)) && position < text.length) position += 1;
  return text.charAt(position) === ":";
}
