/** The style rules of tenants, computed once for each pair of accent and radius. */
import { LRUCache } from "lru-cache";
import type { BrandPalette } from "../base/brand-palette.ts";
import { lazily } from "../base/lazily.ts";
import { tenantPalettes } from "../config/brand-palettes.ts";
import type { Config } from "../config/config.ts";
import type { TenantBrand } from "../flows/brand/resolve-brand.ts";
import { BRAND_STYLES_MAX } from "../limits/brand-limits.ts";
import { styleRule } from "./style-sheet.ts";

/** The whole page, or the preview of a page inside of a page. */
export type BrandSelector = ":root" | ".brand-preview";

export interface TenantStyles {
  /** The values are validated colours and numbers, so a rule contains no text of the tenant. */
  rule(selector: BrandSelector, values: Pick<TenantBrand, "accent" | "radius">): string;
  palette(accent: string): BrandPalette;
}

export function tenantStyles({ brand }: Pick<Config, "brand">): TenantStyles {
  const palettes = lazily(() => tenantPalettes(brand));
  const rules = new LRUCache<string, string>({ max: BRAND_STYLES_MAX });
  const make = (selector: BrandSelector, { accent, radius }: Pick<TenantBrand, "accent" | "radius">) =>
    styleRule(selector, { accent, radius, palette: accent === undefined ? undefined : palettes()(accent) });
  return {
    rule(selector, values) {
      const key = [selector, values.accent, values.radius].join();
      const rule = rules.get(key) ?? make(selector, values);
      rules.set(key, rule);
      return rule;
    },
    palette: (accent) => palettes()(accent),
  };
}
