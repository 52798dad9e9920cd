/** The one catalogue of what pages say. English defines its shape; a language that lacks a text does not compile. */
import { de } from "./de.ts";
import { en, type Texts } from "./en.ts";

export type { Texts };

export const TEXTS = { en, de } as const satisfies Record<string, Texts>;
export type Language = keyof typeof TEXTS;

/** The language of a tag such as `de-AT`; English for one that has no texts. */
export function languageOf(tag: string | null | undefined): Language {
  return tag?.toLowerCase().split("-")[0] === "de" ? "de" : "en";
}
