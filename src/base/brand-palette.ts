/** The colours of the brand: one accent, from which the service computes every further colour of pages and emails. */
import { contrastOf, hexOfOklch, isHexColour, type Oklch, oklchOf } from "./colour.ts";

/** Hex values of one theme. */
export interface ThemePalette {
  readonly paper: string;
  readonly card: string;
  readonly ink: string;
  /** Text of secondary importance. */
  readonly soft: string;
  readonly line: string;
  /** Surface of a button; the text of the button is white. */
  readonly fill: string;
  /** Links. */
  readonly accent: string;
  readonly tint: string;
}

export interface BrandPalette {
  readonly light: ThemePalette;
  readonly dark: ThemePalette;
}

export type Theme = keyof BrandPalette;

/** The contrast of text (WCAG 2.2, success criterion 1.4.3). */
export const TEXT_CONTRAST_MIN = 4.5;
const LIGHTNESS_STEP = 0.005;
const ON_FILL = "#ffffff";

type Neutrals = Omit<ThemePalette, "fill" | "accent" | "tint">;

/** The colours of a theme for an accent: the hue stays, the lightness changes until every text can be read. */
function themeOf(brand: Oklch, theme: Theme, neutrals: Neutrals): ThemePalette {
  const isLight = theme === "light";
  const at = (lightness: number, chromaMax: number): Oklch => ({
    lightness,
    chroma: Math.min(brand.chroma, chromaMax),
    hue: brand.hue,
  });
  const tint = hexOfOklch(isLight ? at(0.963, 0.02) : at(0.3, 0.06));
  const fill = isLight ? at(Math.min(brand.lightness, 0.52), 0.24) : at(0.52, 0.24);
  const accent = isLight ? at(Math.min(brand.lightness, 0.49), 0.24) : at(Math.max(brand.lightness, 0.78), 0.12);
  return {
    ...neutrals,
    tint,
    fill: readable(fill, [ON_FILL], -LIGHTNESS_STEP),
    accent: readable(accent, [neutrals.card, neutrals.paper, tint], isLight ? -LIGHTNESS_STEP : LIGHTNESS_STEP),
  };
}

/** The colour, darker or lighter by `step` until the contrast with every other colour suffices for text. */
function readable(colour: Oklch, others: readonly string[], step: number): string {
  for (let { lightness } = colour; lightness >= 0 && lightness <= 1; lightness += step) {
    const hex = hexOfOklch({ ...colour, lightness });
    if (others.every((other) => contrastOf(hex, other) >= TEXT_CONTRAST_MIN)) return hex;
  }
  return step < 0 ? "#000000" : "#ffffff";
}

const HEX = "(#[0-9a-f]{3,6})\\b";
const TOKEN = new RegExp(
  `--(paper|card|ink|soft|line|brand|accent)\\s*:\\s*(?:light-dark\\(\\s*)?${HEX}(?:\\s*,\\s*${HEX})?`,
  "gi",
);

type Token = keyof Neutrals | "brand" | "accent";
type Tokens = ReadonlyMap<Token, Readonly<Record<Theme, string>>>;

/** The tokens of style sheets with hex values. A later sheet takes precedence. */
function readTokens(styleSheets: readonly string[]): Tokens {
  const tokens = new Map<Token, Readonly<Record<Theme, string>>>();
  for (const css of styleSheets) {
    const found = [...css.matchAll(TOKEN)].filter(([, , light = "", dark = light]) => [light, dark].every(isHexColour));
    // A sheet with an accent and without a brand replaces the brand of an earlier sheet.
    if (found.some(([, name]) => name === "accent")) tokens.delete("brand");
    for (const [, name, light = "", dark = light] of found) tokens.set(name as Token, { light, dark });
  }
  return tokens;
}

/** The palette of style sheets, in the order in which pages load the sheets. Throws if a token is missing. */
export function brandPalette(styleSheets: readonly string[]): BrandPalette {
  const tokens = readTokens(styleSheets);
  const hexValueOf = (token: Token, theme: Theme): string => {
    const value = tokens.get(token)?.[theme];
    if (value === undefined) throw new Error(`the style sheet has no hex value for --${token}`);
    return value;
  };
  const brand = oklchOf(hexValueOf(tokens.has("brand") ? "brand" : "accent", "light"));
  const palette = (theme: Theme): ThemePalette =>
    themeOf(brand, theme, {
      paper: hexValueOf("paper", theme),
      card: hexValueOf("card", theme),
      ink: hexValueOf("ink", theme),
      soft: hexValueOf("soft", theme),
      line: hexValueOf("line", theme),
    });
  return { light: palette("light"), dark: palette("dark") };
}
