/** Filters and orders of the list of organizations. */
import type { OrganizationSearch } from "../../../flows/organizations/search.ts";
import type { Tier } from "../../../models/organization/organization.ts";
import { ORGANIZATION_SORTS } from "../../../vocabulary/list-orders.ts";
import type { Fields } from "../../page.ts";
import { createdBounds, type ListQuery, listQueryIn } from "../../shared/list-query.ts";

export const ORGANIZATIONS = "/admin/organizations";
export type OrganizationListQuery = ListQuery<(typeof ORGANIZATION_SORTS)[number], "status" | "tier">;

export const ORGANIZATION_FILTERS = {
  status: ["active", "suspended"],
  tier: ["standard", "enterprise"],
} as const;

export function organizationListIn(query: Fields): OrganizationListQuery {
  return listQueryIn({ path: ORGANIZATIONS, sorts: ORGANIZATION_SORTS, filters: ORGANIZATION_FILTERS }, query);
}

export function organizationSearch(list: OrganizationListQuery): OrganizationSearch {
  const { status, tier } = list.filters;
  return {
    q: list.q || undefined,
    suspended: status === "" ? undefined : status === "suspended",
    tier: tier === "" ? undefined : (tier as Tier),
    ...createdBounds(list),
    sort: list.sort,
  };
}
