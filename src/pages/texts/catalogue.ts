/** The catalogue of page texts. English defines the shape; a language with a missing text does not compile. */
import { FALLBACK_LANGUAGE, type Language, spokenLanguage } from "../../base/languages.ts";
import { texts as de } from "./de/texts.ts";
import { texts as en, type Texts } from "./en/texts.ts";
import { texts as es } from "./es/texts.ts";
import { texts as fr } from "./fr/texts.ts";
import { texts as it } from "./it/texts.ts";
import { texts as ja } from "./ja/texts.ts";
import { texts as nl } from "./nl/texts.ts";
import { texts as pl } from "./pl/texts.ts";
import { texts as pt } from "./pt/texts.ts";

export type { Language, Texts };

export const TEXTS: Readonly<Record<Language, Texts>> = {
  en,
  de,
  es,
  fr,
  it,
  ja,
  nl,
  pl,
  pt,
};

/** The language of a tag such as `de-AT`; English for a language without texts. */
export function languageOf(tag: string | null | undefined): Language {
  return (tag && spokenLanguage(tag)) || FALLBACK_LANGUAGE;
}
