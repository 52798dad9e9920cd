/** The choice of a brand for the emails of a preview. */
import type { Deps } from "../../../deps.ts";
import { type BrandedSearch, listBranded, ownerKey, tenantsOfKey } from "../../../flows/brand/list-branded.ts";
import { BRANDS_OFFERED_MAX } from "../../../limits/brand-limits.ts";
import { pathWith } from "../../addresses.ts";
import { Filters } from "../../components/filters.tsx";
import { useView } from "../../view.tsx";
import type { ConsoleCall } from "../console.tsx";

export interface BrandOffer extends BrandedSearch {
  readonly owners: Awaited<ReturnType<typeof listBranded>>;
}

/** The brand of the query: its tenants, and its owner by `ownerKey`, empty for the deployment. */
export function brandIn({ query }: ConsoleCall) {
  const owner = query.text("brand");
  const tenants = tenantsOfKey(owner);
  return { tenants, owner: tenants ? owner : "" };
}

/** The brands by the search in the address, with the chosen brand. */
export async function brandOfferIn(
  deps: Pick<Deps, "database">,
  { admin, query }: ConsoleCall,
  chosen: string,
): Promise<BrandOffer> {
  const search = { q: query.text("q"), chosen };
  return { ...search, owners: await listBranded(deps, admin, search) };
}

interface ChoiceProps {
  readonly path: string;
  readonly offer: BrandOffer;
  readonly kept: Readonly<Record<string, string>>;
}

/** The brand of the deployment, of an organization or of an application; a search where the list is long. */
export function BrandChoice({ path, offer: { owners, q, chosen }, kept }: ChoiceProps) {
  const { t, site } = useView();
  if (owners.length === 0 && q === "") return null;
  const isLong = owners.length === BRANDS_OFFERED_MAX || q !== "";
  const select = {
    name: "brand",
    label: t.brand.title,
    value: chosen,
    options: [["", site.config.brand.name] as const, ...owners.map((owner) => [ownerKey(owner), owner.name] as const)],
  };
  return (
    <Filters
      path={path}
      search={isLong ? { label: t.emailPreviews.findBrand, q } : undefined}
      selects={[select]}
      kept={kept}
      clear={pathWith(path, kept)}
      filtered={q !== "" || chosen !== ""}
    />
  );
}
