/** The languages of the pages, as primary subtags (RFC 5646): the languages of src/pages/texts/catalogue.ts. */
export const LANGUAGES = ["en", "de"] as const;
export type Language = (typeof LANGUAGES)[number];
/** The language of a text that is absent in the language of the user. */
export const FALLBACK_LANGUAGE: Language = "en";

/** The page language of a tag such as `de-AT`; undefined for a language without pages. */
export function spokenLanguage(tag: string): Language | undefined {
  const [primary] = tag.toLowerCase().split("-");
  return LANGUAGES.find((language) => language === primary);
}

/** Languages with scripts from right to left, as primary subtags. */
const RIGHT_TO_LEFT = new Set(["ar", "ckb", "dv", "fa", "he", "ps", "sd", "ug", "ur", "yi"]);

export type Direction = "ltr" | "rtl";

export function directionOf(language: string): Direction {
  const [primary = ""] = language.toLowerCase().split("-");
  return RIGHT_TO_LEFT.has(primary) ? "rtl" : "ltr";
}

/**
 * The language with the region of a tag, for the format of dates: 28 November in en-GB, November 28 in en-US. The
 * result contains no extension, such as a request for different digits; a tag that `Intl` rejects has no region.
 */
export function withRegion(language: string, locale: string | null): string {
  try {
    const requested = new Intl.Locale(locale ?? language);
    return requested.language === language && requested.region ? `${language}-${requested.region}` : language;
  } catch {
    return language;
  }
}

/** The member with a description in a language, such as `description_en`. */
export type DescriptionMember<In extends Language = Language> = `description_${In}`;

export function descriptionMember<In extends Language>(language: In): DescriptionMember<In> {
  return `description_${language}`;
}

/** One value for every language, by member: an object with descriptions has a member for a new language. */
export function eachDescription<Value>(describe: (language: Language) => Value): Record<DescriptionMember, Value> {
  const members = LANGUAGES.map((language) => [descriptionMember(language), describe(language)]);
  return Object.fromEntries(members) as Record<DescriptionMember, Value>;
}
