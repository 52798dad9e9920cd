/** The languages of the pages, as primary subtags (RFC 5646): the languages of src/pages/texts/catalogue.ts. */
export const LANGUAGES = ["en", "de"] as const;

/** The page language of a tag such as `de-AT`; undefined for a language without pages. */
export function spokenLanguage(tag: string): (typeof LANGUAGES)[number] | undefined {
  const [primary] = tag.toLowerCase().split("-");
  return LANGUAGES.find((language) => language === primary);
}
