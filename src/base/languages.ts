/** The languages in which pages speak, as primary subtags (RFC 5646): those of src/pages/texts/catalogue.ts. */
export const LANGUAGES = ["en", "de"] as const;

/** The one that is meant by a tag such as `de-AT`; undefined where pages do not speak it. */
export function spokenLanguage(tag: string): (typeof LANGUAGES)[number] | undefined {
  const [primary] = tag.toLowerCase().split("-");
  return LANGUAGES.find((language) => language === primary);
}
