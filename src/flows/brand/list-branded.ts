import type { BrandTenants } from "../../base/brand-values.ts";
import { isUuid } from "../../base/random.ts";
import { searchTerm } from "../../database/listing.ts";
import type { Deps } from "../../deps.ts";
import { BRANDS_OFFERED_MAX } from "../../limits/brand-limits.ts";
import { type BrandedOwner, listBrandedOwners } from "../../models/brand/brand.ts";
import type { PlatformCaller } from "../steps/authorization/authorize-platform-role.ts";

export interface BrandedSearch {
  /** A part of the name; blank: every owner. */
  readonly q: string;
  /** The chosen owner, by `ownerKey`, which is part of every result; any other text: none. */
  readonly chosen: string;
}

/** The organizations and applications with a brand, for the choice of a preview: the first `BRANDS_OFFERED_MAX`. */
export async function listBranded(
  deps: Pick<Deps, "database">,
  _caller: PlatformCaller,
  { q, chosen }: BrandedSearch,
): Promise<readonly BrandedOwner[]> {
  const { organizationId, clientId } = tenantsOfKey(chosen) ?? {};
  const search = { q: searchTerm(q), chosen: organizationId ?? clientId, limit: BRANDS_OFFERED_MAX };
  return await deps.database.run("brand.list_owners", (sql) => listBrandedOwners(sql, search));
}

/** The name of an owner in an address, such as `organization:<id>`. */
export function ownerKey({ kind, id }: Pick<BrandedOwner, "kind" | "id">): string {
  return `${kind}:${id}`;
}

/** The tenants that `ownerKey` names; undefined for any other text. */
export function tenantsOfKey(key: string): BrandTenants | undefined {
  const [kind, id = ""] = key.split(":");
  if (!isUuid(id)) return undefined;
  if (kind === "organization") return { organizationId: id };
  return kind === "application" ? { clientId: id } : undefined;
}
