import { LOCALE_MAX_CHARACTERS } from "../limits/email-limits.ts";
import languages from "./languages.json" with { type: "json" };

/**
 * The languages of the pages and emails, as primary subtags (RFC 5646), each with the name that speakers of the
 * language read in a list of languages. Each language has texts in src/pages/texts/ and src/providers/mail/texts/.
 */
export type Language = keyof typeof languages;
export const LANGUAGES = Object.keys(languages) as readonly Language[];
/** The language of a text that is absent in the language of the user. */
export const FALLBACK_LANGUAGE: Language = "en";

export function languageName(language: Language): string {
  return languages[language].name;
}

/** The label of a button that continues, for a page outside of the catalogue of texts. */
export function continueLabel(language: Language): string {
  return languages[language].continue;
}

/** The languages of the descriptions in the API. A new language is a change of the contract. */
export const DESCRIPTION_LANGUAGES = [
  "en",
  "de",
  "fr",
  "es",
  "it",
  "pt",
  "nl",
  "pl",
  "ja",
] as const satisfies readonly Language[];
export type DescriptionLanguage = (typeof DESCRIPTION_LANGUAGES)[number];

/** The page language of a tag such as `de-AT`; undefined for a language without pages. */
export function spokenLanguage(tag: string): Language | undefined {
  const [primary] = tag.toLowerCase().split("-");
  return LANGUAGES.find((language) => language === primary);
}

/** The region of the texts, where speakers of several regions use different words. */
const REGIONS: Partial<Record<string, string>> = { pt: "BR" };

/** The tag of the texts of a language, for `lang` attributes: `pt-BR` for `pt`. */
export function tagOf(language: string): string {
  const region = REGIONS[language];
  return region ? `${language}-${region}` : language;
}

/** The hour in times of a language: "9:40 PM" on a clock of twelve hours, "09:40" on a clock of 24 hours. */
export function hourFormat(locale: string): "numeric" | "2-digit" {
  return new Intl.DateTimeFormat(locale, { hour: "numeric" }).resolvedOptions().hour12 ? "numeric" : "2-digit";
}

/** The accepted subset of RFC 5646: a primary language of letters, subtags of letters and digits. */
const TAG = /^[a-z]{2,3}(?:-[a-z0-9]{1,8})*$/i;
export const LANGUAGE_TAG_RULE = `a language tag such as de-AT, at most ${LOCALE_MAX_CHARACTERS} characters`;

/** Whether a text is a language tag of the accepted subset. */
export function isLanguageTag(text: string): boolean {
  return text.length <= LOCALE_MAX_CHARACTERS && TAG.test(text);
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
    return requested.language === language && requested.region ? `${language}-${requested.region}` : tagOf(language);
  } catch {
    return tagOf(language);
  }
}

/** The member with a description in a language, such as `description_en`. */
export type DescriptionMember<In extends DescriptionLanguage = DescriptionLanguage> = `description_${In}`;

export function descriptionMember<In extends DescriptionLanguage>(language: In): DescriptionMember<In> {
  return `description_${language}`;
}

/** One value for every language, by member: an object with descriptions has a member for a new language. */
export function eachDescription<Value>(
  describe: (language: DescriptionLanguage) => Value,
): Record<DescriptionMember, Value> {
  const members = DESCRIPTION_LANGUAGES.map((language) => [descriptionMember(language), describe(language)]);
  return Object.fromEntries(members) as Record<DescriptionMember, Value>;
}

/** The languages whose members are always present, null without a description. */
const REQUIRED_LANGUAGES = ["en", "de"] as const satisfies readonly DescriptionLanguage[];
export type RequiredLanguage = (typeof REQUIRED_LANGUAGES)[number];

function isRequired(language: DescriptionLanguage): language is RequiredLanguage {
  return REQUIRED_LANGUAGES.some((required) => required === language);
}

/**
 * The descriptions of an object by member. The member of a language added later is absent without a description, so
 * objects of earlier releases stay equal.
 */
export type Descriptions = {
  readonly [In in RequiredLanguage as DescriptionMember<In>]: string | null;
} & {
  readonly [In in Exclude<DescriptionLanguage, RequiredLanguage> as DescriptionMember<In>]?: string | null;
};

export function descriptionsOf(describe: (language: DescriptionLanguage) => string | null): Descriptions {
  const members = DESCRIPTION_LANGUAGES.flatMap((language) => {
    const text = describe(language);
    return text === null && !isRequired(language) ? [] : [[descriptionMember(language), text]];
  });
  return Object.fromEntries(members) as unknown as Descriptions;
}
