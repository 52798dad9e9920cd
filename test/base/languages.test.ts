import { describe, expect, test } from "bun:test";
import {
  DESCRIPTION_LANGUAGES,
  descriptionsOf,
  hourFormat,
  LANGUAGES,
  spokenLanguage,
  tagOf,
  withRegion,
} from "../../src/base/languages.ts";
import { PLURAL_CATEGORIES, pluralIn } from "../../src/base/plural.ts";

describe("the languages", () => {
  test("are tags known to Intl, each with descriptions of scopes", () => {
    const tags = DESCRIPTION_LANGUAGES.map(tagOf);
    expect(Intl.getCanonicalLocales(tags)).toEqual(tags);
    expect(LANGUAGES.every((language) => DESCRIPTION_LANGUAGES.includes(language))).toBe(true);
  });

  test("have hours without a leading zero on a clock of twelve hours alone", () => {
    expect(["en-US", "en-GB", "de", "ja"].map(hourFormat)).toEqual(["numeric", "2-digit", "2-digit", "2-digit"]);
  });

  test("are found by the primary subtag; dates keep the region of the reader", () => {
    expect(["de-AT", "DE", "de-x-unknown"].map(spokenLanguage)).toEqual(["de", "de", "de"]);
    expect(["und", "", "deu", "tlh"].map(spokenLanguage)).toEqual([undefined, undefined, undefined, undefined]);
    expect([tagOf("pt"), tagOf("ja")]).toEqual(["pt-BR", "ja"]);
    expect([withRegion("pt", "pt-PT"), withRegion("pt", null), withRegion("de", "pt-BR")]).toEqual([
      "pt-PT",
      "pt-BR",
      "de",
    ]);
  });

  test("An object without descriptions has the members of earlier releases alone.", () => {
    expect(descriptionsOf(() => null)).toEqual({ description_en: null, description_de: null });
    expect(descriptionsOf((language) => (language === "ja" ? "請求書の表示" : null))).toEqual({
      description_en: null,
      description_de: null,
      description_ja: "請求書の表示",
    });
  });
});

describe("the plural rules", () => {
  test("have the categories of Intl in every language", () => {
    for (const language of DESCRIPTION_LANGUAGES) {
      const { pluralCategories } = new Intl.PluralRules(tagOf(language)).resolvedOptions();
      expect<string[]>([...PLURAL_CATEGORIES[language]].sort()).toEqual(pluralCategories.sort());
    }
  });

  test("complete the form of a number with its digits and groups", () => {
    const keys = { one: "# klucz", few: "# klucze", many: "# kluczy", other: "# klucza" };
    const polish = pluralIn("pl");
    expect([1, 2, 5, 22, 12].map((count) => polish(count, keys))).toEqual([
      "1 klucz",
      "2 klucze",
      "5 kluczy",
      "22 klucze",
      "12 kluczy",
    ]);
    expect(pluralIn("en")(1204, { one: "# key", other: "# keys" })).toBe("1,204 keys");
    expect(pluralIn("ja")(1, { other: "キー#件" })).toBe("キー1件");
  });
});
