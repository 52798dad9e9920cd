import Negotiator from "negotiator";
import { LOCALE_MAX_CHARACTERS } from "../base/limits.ts";

/** The subset of RFC 5646 that is accepted: a primary language of letters, subtags of letters and digits. */
const TAG = /^[a-z]{2,3}(?:-[a-z0-9]{1,8})*$/i;
const HEADER_MAX_CHARACTERS = 512;

/** The preferred language of Accept-Language (RFC 9110, section 12.5.4); null without a valid one. */
export function clientLocale(request: Request): string | null {
  const header = request.headers.get("accept-language");
  if (header === null || header.length > HEADER_MAX_CHARACTERS) return null;
  const [first] = new Negotiator({ headers: { "accept-language": header } }).languages();
  return first && TAG.test(first) && first.length <= LOCALE_MAX_CHARACTERS ? first.toLowerCase() : null;
}
