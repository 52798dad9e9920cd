import Negotiator from "negotiator";
import { isLanguageTag, type Language, spokenLanguage, tagOf } from "../vocabulary/languages.ts";
import { CHOSEN_LANGUAGE_COOKIE, LANGUAGE_COOKIE } from "./cookies.ts";

const HEADER_MAX_CHARACTERS = 512;

const cookieValue = (name: string) => new RegExp(`(?:^|; ?)${name}=([A-Za-z0-9-]+)(?:;|$)`);
const CHOSEN = cookieValue(CHOSEN_LANGUAGE_COOKIE);
const ASKED = cookieValue(LANGUAGE_COOKIE);

/**
 * The language that the user chose on a page, else the language that an application requested, else the preferred
 * language of Accept-Language (RFC 9110, section 12.5.4) with page texts, else the preferred language; null without a
 * valid language.
 */
export function clientLocale(request: Request): string | null {
  const cookies = request.headers.get("cookie") ?? "";
  const chosen = spokenLanguage(CHOSEN.exec(cookies)?.[1] ?? "");
  if (chosen) return localeIn(chosen, request);
  const requested = ASKED.exec(cookies)?.[1];
  if (requested && isLanguageTag(requested)) return requested.toLowerCase();
  const accepted = acceptedLocales(request);
  return (accepted.find(spokenLanguage) ?? accepted[0])?.toLowerCase() ?? null;
}

/** The tag of a language with the region that the browser prefers, such as `de-at`. */
export function localeIn(language: Language, request: Request): string {
  const accepted = acceptedLocales(request).find((tag) => spokenLanguage(tag) === language);
  return (accepted ?? tagOf(language)).toLowerCase();
}

/** The languages of Accept-Language in the order of preference. */
function acceptedLocales(request: Request): readonly string[] {
  const header = request.headers.get("accept-language");
  if (header === null || header.length > HEADER_MAX_CHARACTERS) return [];
  return new Negotiator({ headers: { "accept-language": header } }).languages().filter(isLanguageTag);
}
