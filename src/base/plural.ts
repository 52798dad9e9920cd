/** Texts that depend on a number, by the plural rules of a language (`Intl.PluralRules`, Unicode CLDR). */

/** The forms of a text. A language uses a part of the categories: English `one` and `other`, Japanese only `other`. */
export type PluralForms = { readonly [Category in Exclude<Intl.LDMLPluralRule, "other">]?: string } & {
  readonly other: string;
};

/** The place of the number in a form. */
const NUMBER = "#";

/** Returns a function that completes the form of a number, with the number in the digits and groups of the language. */
export function pluralIn(language: string): (count: number, forms: PluralForms) => string {
  const rules = new Intl.PluralRules(language);
  const number = new Intl.NumberFormat(language);
  return (count, forms) => (forms[rules.select(count)] ?? forms.other).replaceAll(NUMBER, number.format(count));
}
