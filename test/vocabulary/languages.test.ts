import { describe, expect, test } from "bun:test";
import {
  descriptionsOf,
  hourFormat,
  LANGUAGES,
  spokenLanguage,
  tagOf,
  withRegion,
} from "../../src/vocabulary/languages.ts";

describe("the languages", () => {
  test("are tags known to Intl", () => {
    const tags = LANGUAGES.map(tagOf);
    expect(Intl.getCanonicalLocales(tags)).toEqual(tags);
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
