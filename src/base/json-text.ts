/** JSON texts of third parties: content that parsers resolve differently (RFC 8259, section 4; RFC 7493). */
import { JSON_MAX_DEPTH } from "../limits/limits.ts";

/** Keys that change the prototype of an object when the body is copied (prototype pollution). */
const PROTOTYPE_NAMES = new Set(["__proto__", "constructor", "prototype"]);
const BRACKETS = { open: "{[", close: "}]" } as const;

/** Finds content that JSON.parse accepts and the contract refuses. `text` must be valid JSON. */
export function findJsonFlaw(text: string): string | undefined {
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
