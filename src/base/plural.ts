/** Texts that depend on a number, by the plural rules of a language (`Intl.PluralRules`, Unicode CLDR). */
import { type DescriptionLanguage, tagOf } from "./languages.ts";

/** The categories of each language; a test compares the table with `Intl`. */
export const PLURAL_CATEGORIES = {
  en: ["one", "other"],
  de: ["one", "other"],
  fr: ["one", "many", "other"],
  es: ["one", "many", "other"],
  it: ["one", "many", "other"],
  pt: ["one", "many", "other"],
  nl: ["one", "other"],
  pl: ["one", "few", "many", "other"],
  ja: ["other"],
} as const satisfies Record<DescriptionLanguage, readonly Intl.LDMLPluralRule[]>;

/** The forms of a text: exactly one for each category of the language. */
export type PluralForms<In extends DescriptionLanguage> = Readonly<
  Record<(typeof PLURAL_CATEGORIES)[In][number], string>
>;

/** The place of the number in a form. */
const NUMBER = "#";

/** Returns a function that completes the form of a number, with the number in the digits and groups of the language. */
export function pluralIn<In extends DescriptionLanguage>(
  language: In,
): (count: number, forms: PluralForms<In>) => string {
  let formats: readonly [Intl.PluralRules, Intl.NumberFormat] | undefined;
  return (count, forms) => {
    // Created at first use: a process displays texts of few languages, and creation takes longer than use.
    formats ??= [new Intl.PluralRules(tagOf(language)), new Intl.NumberFormat(tagOf(language))];
    const [rules, number] = formats;
    const byCategory: Partial<Record<Intl.LDMLPluralRule, string>> = forms;
    return (byCategory[rules.select(count)] ?? "").replaceAll(NUMBER, () => number.format(count));
  };
}
