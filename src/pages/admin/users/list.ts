/** Filters and orders of the list of users. */
import { isUuid } from "../../../base/random.ts";
import type { UserSearch } from "../../../flows/users/search.ts";
import type { PlatformRole } from "../../../models/user/platform-role.ts";
import { USER_SORTS } from "../../../vocabulary/list-orders.ts";
import type { Fields } from "../../page.ts";
import { createdBounds, type ListQuery, listQueryIn } from "../../shared/list-query.ts";

export const USERS = "/admin/users";
type UserFilterName = "status" | "platform_role" | "mfa_enabled" | "organization_id";
export type UserListQuery = ListQuery<(typeof USER_SORTS)[number], UserFilterName>;

export const USER_FILTERS = {
  status: ["enabled", "disabled"],
  platform_role: ["viewer", "admin", "owner"],
  mfa_enabled: ["true", "false"],
} as const;

export function userListIn(query: Fields): UserListQuery {
  const organizationId = query.text("organization_id");
  const filters = { ...USER_FILTERS, organization_id: isUuid(organizationId) ? [organizationId] : [] };
  return listQueryIn({ path: USERS, sorts: USER_SORTS, filters }, query);
}

export function userSearch(list: UserListQuery): UserSearch {
  const { status, platform_role: role, mfa_enabled: factor, organization_id: organizationId } = list.filters;
  return {
    q: list.q || undefined,
    disabled: status === "" ? undefined : status === "disabled",
    platformRole: role === "" ? undefined : (role as PlatformRole),
    mfaEnabled: factor === "" ? undefined : factor === "true",
    organizationId: organizationId || undefined,
    ...createdBounds(list),
    sort: list.sort,
  };
}
