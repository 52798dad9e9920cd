import type { ProductPreset } from "../../flows/oauth/presets/product-presets.ts";
import type { View } from "../view.tsx";

/** A product name is a proper name; only the preset of no product has a translation. */
export function productName({ t }: View, { preset, name }: Pick<ProductPreset, "name" | "preset">): string {
  return preset === "generic" ? t.clients.products.other : name;
}
