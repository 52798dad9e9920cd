import { REDIRECT_PATH_MAX_CHARACTERS } from "../limits/provider-limits.ts";

/** Printable ASCII without the backslash, because browsers read a backslash as a slash. */
const PATH_CHARACTERS = /^[\x21-\x5b\x5d-\x7e]+$/;
const ENCODED_DANGER = /%(?:0[0-9a-f]|1[0-9a-f]|7f|5c|2f)/i;

/**
 * Whether every browser resolves a text to a path of this origin (G11): exactly one leading slash in any encoding, no
 * control character, no backslash. Query and fragment belong to the application.
 */
export function isLocalPath(text: string, maxCharacters = REDIRECT_PATH_MAX_CHARACTERS): boolean {
  if (text.length > maxCharacters || !PATH_CHARACTERS.test(text)) return false;
  if (!text.startsWith("/") || text.startsWith("//")) return false;
  const base = "http://origin.invalid";
  if (!URL.canParse(text, base)) return false;
  const { origin, pathname } = new URL(text, base);
  return origin === base && !pathname.startsWith("//") && !ENCODED_DANGER.test(pathname);
}
