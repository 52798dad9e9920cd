import type { BrandTenants } from "../base/brand-values.ts";
import type { Deps } from "../deps.ts";
import { resolveBrand } from "../flows/brand/resolve-brand.ts";
import { deploymentBrand, pageBrand } from "./page-brand.ts";
import type { View } from "./view.tsx";

/** The view with the brand of the tenants, and of no other tenant (docs/guarantees.md, G142). */
export async function brandedView(deps: Pick<Deps, "brands">, view: View, tenants: BrandTenants): Promise<View> {
  const tenant = await resolveBrand(deps, tenants);
  return { ...view, brand: tenant ? pageBrand(view.site, tenant) : deploymentBrand(view.site) };
}
