/** Colours of the brand: every accent yields texts that can be read. */
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { brandPalette, TEXT_CONTRAST_MIN } from "../../src/base/brand-palette.ts";
import { contrastOf, hexOfOklch, oklchOf } from "../../src/base/colour.ts";
import { PAGE_STYLES } from "../../src/config/brand-palettes.ts";

const TOKENS = readFileSync(PAGE_STYLES, "utf8");
const RANDOM_ACCENTS = 200;
const EXTREMES = ["#000000", "#ffffff", "#ffff00", "#00ff00", "#0000ff", "#ff0000", "#808080"];

function accents(): string[] {
  const random = Array.from({ length: RANDOM_ACCENTS }, () => Math.floor(Math.random() * 0x1000000));
  return [...EXTREMES, ...random.map((value) => `#${value.toString(16).padStart(6, "0")}`)];
}

describe("a colour", () => {
  test("has the contrast of WCAG 2.2", () => {
    expect(contrastOf("#ffffff", "#000000")).toBeCloseTo(21, 5);
    expect(contrastOf("#777777", "#fff")).toBeCloseTo(4.48, 2);
  });

  test("is the same colour after a conversion to OKLCH and back", () => {
    for (const accent of accents()) expect(hexOfOklch(oklchOf(accent))).toBe(accent);
    const { lightness, chroma, hue } = oklchOf("#ff0000");
    expect([lightness, chroma, (hue * 180) / Math.PI].map((value) => value.toFixed(2))).toEqual([
      "0.63",
      "0.26",
      "29.23",
    ]);
  });
});

describe("the palette of 200 random accents", () => {
  test("has contrast 4.5 for white on buttons, links on every surface and secondary text, in both themes", () => {
    for (const accent of accents()) {
      const palette = brandPalette([TOKENS, `:root { --brand: ${accent} }`]);
      for (const { fill, accent: link, card, paper, tint, soft, ink } of [palette.light, palette.dark]) {
        const pairs = [
          ...[
            ["#ffffff", fill],
            [soft, card],
            [soft, paper],
            [ink, card],
            [ink, paper],
            [ink, tint],
          ],
          ...[card, paper, tint].map((surface) => [link, surface]),
        ] as [string, string][];
        const low = pairs.filter(([text, surface]) => contrastOf(text, surface) < TEXT_CONTRAST_MIN);
        expect([accent, low]).toEqual([accent, []]);
      }
    }
  });

  test("keeps the hue of the accent", () => {
    const { light } = brandPalette([TOKENS, "--brand: #ffd500"]);
    expect(Math.abs(oklchOf(light.fill).hue - oklchOf("#ffd500").hue)).toBeLessThan(0.1);
  });

  test("reads an accent of the brand's style sheet, and ignores values except hex colours", () => {
    const style = ":root { --accent: light-dark(#0a7a3f, #7fe0ae); --paper: oklch(1 0 0) }";
    expect(brandPalette([TOKENS, style]).light).toEqual(brandPalette([TOKENS, "--brand: #0a7a3f"]).light);
  });
});
