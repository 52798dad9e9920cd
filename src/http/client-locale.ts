import Negotiator from "negotiator";
import { spokenLanguage } from "../base/languages.ts";
import { LOCALE_MAX_CHARACTERS } from "../limits/email-limits.ts";
import { LANGUAGE_COOKIE } from "./cookies.ts";

/** The accepted subset of RFC 5646: a primary language of letters, subtags of letters and digits. */
const TAG = /^[a-z]{2,3}(?:-[a-z0-9]{1,8})*$/i;
const HEADER_MAX_CHARACTERS = 512;

const ASKED = new RegExp(`(?:^|; ?)${LANGUAGE_COOKIE}=([A-Za-z0-9-]+)(?:;|$)`);

/**
 * The language that an application requested, else the preferred language of Accept-Language (RFC 9110, section 12.5.4)
 * with page texts, else the preferred language; null without a valid language.
 */
export function clientLocale(request: Request): string | null {
  const requested = ASKED.exec(request.headers.get("cookie") ?? "")?.[1];
  if (requested && isLocale(requested)) return requested.toLowerCase();
  const header = request.headers.get("accept-language");
  if (header === null || header.length > HEADER_MAX_CHARACTERS) return null;
  const accepted = new Negotiator({ headers: { "accept-language": header } }).languages().filter(isLocale);
  return (accepted.find(spokenLanguage) ?? accepted[0])?.toLowerCase() ?? null;
}

/** Whether a text is a language tag of the accepted subset. */
export function isLocale(text: string): boolean {
  return text.length <= LOCALE_MAX_CHARACTERS && TAG.test(text);
}
