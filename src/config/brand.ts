/** The style sheets that define the brand, in the order in which pages load the sheets. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type BrandPalette, brandPalette } from "../base/brand-palette.ts";
import type { Config } from "./config.ts";

export const PAGE_STYLES = join(import.meta.dirname, "../pages/styles/tokens.css");

/** Path of the logo as PNG: most e-mail clients display neither SVG nor WebP. */
export const EMAIL_LOGO_PATH = "/assets/email-logo.png";

/** The colours of the brand: the tokens of the pages, SERVICE_BRAND_ACCENT, and the file SERVICE_BRAND_STYLE. */
export function brandPaletteOf(brand: Partial<Pick<Config["brand"], "accent" | "style">>): BrandPalette {
  return brandPalette(stylesOf(brand));
}

/** The colours of tenants: an accent of a tenant replaces the accent of the deployment, and the neutrals remain. */
export function tenantPalettes(brand: Pick<Config["brand"], "accent" | "style">): (accent: string) => BrandPalette {
  const styles = stylesOf(brand);
  return (accent) => brandPalette([...styles, `--brand: ${accent}`]);
}

function stylesOf({ accent, style }: Partial<Pick<Config["brand"], "accent" | "style">>): readonly string[] {
  const files = [PAGE_STYLES, ...(style === undefined ? [] : [style])];
  const [tokens = "", ...overrides] = files.map((file) => readFileSync(file, "utf8"));
  return [tokens, ...(accent === undefined ? [] : [`--brand: ${accent}`]), ...overrides];
}
