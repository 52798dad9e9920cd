/** The style sheet of pages, joined from parts at start, and the style of a deployment (`SERVICE_BRAND_STYLE`). */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { BrandPalette } from "../base/brand-palette.ts";
import { brandPaletteOf } from "../config/brand-palettes.ts";
import type { Config } from "../config/config.ts";

/** The order of rules: a later part takes precedence over an earlier part of the same layer and specificity. */
const PARTS = [
  "tokens",
  "base",
  "parts",
  "marks",
  "buttons",
  "fields",
  "stage",
  "navigation",
  "shell",
  "boxes",
  "folds",
  "tables",
  "charts",
  "media",
] as const;

export async function readStyleSheet(): Promise<string> {
  const folder = join(import.meta.dirname, "styles");
  const parts = await Promise.all(PARTS.map((part) => readFile(join(folder, `${part}.css`), "utf8")));
  return minified(parts.join("\n"));
}

/** The end of a file and the beginning of the next: the files from `parts` on are one layer. */
const LAYER = "}@layer parts{";

/** Removes comments and spaces, and joins the files of a layer. Spaces inside selectors and values remain single. */
function minified(css: string): string {
  return css
    .replace(/\/\*.*?\*\//gs, "")
    .replace(/\s+/g, " ")
    .replace(/ ?([{};,>]) ?/g, "$1")
    .replaceAll(": ", ":")
    .replace(/(?<=[ :,(-])0(?=\.\d)/g, "")
    .replaceAll(";}", "}")
    .replaceAll(LAYER, (opening, at: number, whole: string) => (whole.indexOf(LAYER) === at ? opening : ""))
    .trim();
}

/** In earlier releases, `--accent` was the colour of buttons too, with the text colour `--on-accent`. */
const EARLIER_ACCENT =
  ":root{--brand:var(--accent);--fill:var(--accent);--on-accent:light-dark(#fff,#10131f);--on-fill:var(--on-accent)}\n";

type BrandStyle = Pick<Config["brand"], "accent" | "radius" | "style">;

/** The style of a deployment: the rule of its settings, then its file. Undefined without both. */
export async function readBrandStyle(brand: BrandStyle): Promise<string | undefined> {
  const rule = settingsRule(brand);
  const file = brand.style === undefined ? "" : brandStyleOf(await readFile(brand.style, "utf8"));
  return rule + file || undefined;
}

function settingsRule(brand: BrandStyle): string {
  const { accent, radius } = brand;
  return styleRule(":root", { accent, radius, palette: brandPaletteOf(brand) });
}

interface StyleValues {
  readonly accent: string | undefined;
  /** Pixels. */
  readonly radius: number | undefined;
  /** The palette of the accent. */
  readonly palette: BrandPalette | undefined;
}

/** The colours are computed values, so the contrast of texts is the contrast that the tests measure. */
export function styleRule(selector: string, { accent, radius, palette }: StyleValues): string {
  const values = [
    ...(accent === undefined || palette === undefined ? [] : colourValues(accent, palette)),
    ...(radius === undefined ? [] : [`--radius:${radius}px`]),
  ];
  return values.length === 0 ? "" : `${selector}{${values.join(";")}}\n`;
}

/** A style of an earlier release may have set the colour of texts on buttons. */
function colourValues(accent: string, { light, dark }: BrandPalette): readonly string[] {
  const colour = (name: "fill" | "accent" | "tint") => `--${name}:light-dark(${light[name]},${dark[name]})`;
  return [`--brand:${accent}`, colour("fill"), "--on-fill:#fff", colour("accent"), colour("tint")];
}

/** A file of an earlier release keeps its colours of buttons. */
function brandStyleOf(css: string): string {
  const isEarlier = /--accent\s*:/.test(css) && !/--(?:brand|fill)\s*:/.test(css);
  return isEarlier ? EARLIER_ACCENT + css : css;
}
