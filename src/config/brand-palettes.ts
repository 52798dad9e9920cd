/** The style sheets that define the brand, in the order in which pages load the sheets. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { LRUCache } from "lru-cache";
import { type BrandPalette, brandPalette } from "../base/brand-palette.ts";
import { BRAND_STYLES_MAX } from "../limits/brand-limits.ts";
import type { Config } from "./config.ts";

export const PAGE_STYLES = join(import.meta.dirname, "../pages/styles/tokens.css");

/** The colours of the brand: the tokens of the pages, SERVICE_BRAND_ACCENT, and the file SERVICE_BRAND_STYLE. */
export function brandPaletteOf(brand: Partial<Pick<Config["brand"], "accent" | "style">>): BrandPalette {
  return brandPalette(stylesOf(brand));
}

/**
 * The colours of tenants: an accent of a tenant replaces the accent of the deployment, and the neutrals remain. The
 * last palettes stay in memory.
 */
export function tenantPalettes(brand: Pick<Config["brand"], "accent" | "style">): (accent: string) => BrandPalette {
  const styles = stylesOf(brand);
  const palettes = new LRUCache<string, BrandPalette>({
    max: BRAND_STYLES_MAX,
    memoMethod: (accent) => brandPalette([...styles, `--brand: ${accent}`]),
  });
  return (accent) => palettes.memo(accent);
}

function stylesOf({ accent, style }: Partial<Pick<Config["brand"], "accent" | "style">>): readonly string[] {
  const files = [PAGE_STYLES, ...(style === undefined ? [] : [style])];
  const [tokens = "", ...overrides] = files.map((file) => readFileSync(file, "utf8"));
  return [tokens, ...(accent === undefined ? [] : [`--brand: ${accent}`]), ...overrides];
}
