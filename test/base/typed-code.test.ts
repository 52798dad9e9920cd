import { describe, expect, test } from "bun:test";
import { typedCode, typedDigits } from "../../src/base/typed-code.ts";

describe("a typed code", () => {
  test.each([
    ["spaces", " 123 456 "],
    ["no-break and narrow spaces", "123\u00a0456\u202f"],
    ["full-width digits", "１２３４５６"],
    ["Arabic-Indic digits", "١٢٣٤٥٦"],
    ["Devanagari digits", "१२३४५६"],
    ["a hyphen", "123-456"],
    ["an en dash", "123–456"],
    ["a non-breaking hyphen and a minus sign", "12\u201134\u221256"],
    ["zero-width characters", "\u200b123\u200d456\ufeff"],
    ["a soft hyphen", "123\u00ad456"],
    ["a label", "Code: 123456"],
    ["a Japanese label", "認証コード：１２３４５６"],
  ])("is read with %s (G458)", (_, text) => {
    expect(typedDigits(text)).toBe("123456");
  });

  test("of another length or with letters matches no code (G458)", () => {
    for (const text of ["12345", "1234567", "12345a", "abc", "", "123456 654321"])
      expect(typedDigits(text)).not.toMatch(/^[0-9]{6}$/);
  });

  test("of recovery is read with dashes of every kind, spaces and capitals (G458)", () => {
    for (const text of [
      "K7M2P-X9Q4R",
      "k7m2p–x9q4r",
      "k7m2p\u2011x9q4r",
      " k7m2p x9q4r\u200b",
      "ｋ７ｍ２ｐ－ｘ９ｑ４ｒ",
    ])
      expect(typedCode(text)).toBe("k7m2px9q4r");
  });
});
