import Negotiator from "negotiator";
import { LOCALE_MAX_CHARACTERS } from "../base/limits.ts";

/** A language tag as far as we need one (RFC 5646): subtags of letters and digits. */
const TAG = /^[a-z]{2,3}(?:-[a-z0-9]{1,8})*$/i;
const HEADER_MAX_CHARACTERS = 512;

/** The language that a client asks for first (RFC 9110, section 12.5.4); null when it names none. */
export function clientLocale(request: Request): string | null {
  const header = request.headers.get("accept-language");
  if (header === null || header.length > HEADER_MAX_CHARACTERS) return null;
  const [first] = new Negotiator({ headers: { "accept-language": header } }).languages();
  return first && TAG.test(first) && first.length <= LOCALE_MAX_CHARACTERS ? first.toLowerCase() : null;
}
