/** The texts of the pages: `<language>.json` beside this file. docs/pages.md describes the files for translators. */

import { messageCatalogue, messageText } from "../../base/message-catalogue.ts";
import { FALLBACK_LANGUAGE, type Language, spokenLanguage } from "../../vocabulary/languages.ts";
import type { Texts } from "./page-texts.gen.ts";

export type { Language, Texts };

export const TEXTS = messageCatalogue<Texts>(import.meta.dirname, messageText);

/** The language of a tag such as `de-AT`; English for a language without texts. */
export function languageOf(tag: string | null | undefined): Language {
  return (tag && spokenLanguage(tag)) || FALLBACK_LANGUAGE;
}
