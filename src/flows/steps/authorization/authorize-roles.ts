import type { Refusal } from "../../../base/problem.ts";
import { err, type Result } from "../../../base/result.ts";
import type { StoreDeps } from "../../../deps.ts";
import type { Permission } from "../../../vocabulary/permissions.ts";
import { authorizePrincipal, type OrganizationCaller } from "./authorize-member.ts";
import type { Principal } from "./authorize-platform-role.ts";
import { isEntitledTo, ROLES_NOT_INCLUDED } from "./entitlement.ts";

/** Authorizes a member or a program with a permission to read or change the roles of an organization. */
export async function authorizeRoles(
  deps: StoreDeps,
  principal: Principal,
  organizationId: string,
  permission: Extract<Permission, "members.list" | "members.role" | "roles.manage">,
): Promise<
  Result<OrganizationCaller, Refusal<"forbidden" | "mfa_required" | "not_found" | "payment_required" | "sso_required">>
> {
  const caller = await authorizePrincipal(deps, principal, organizationId, permission);
  return caller.ok && !(await isEntitledTo(deps, "roles", organizationId)) ? err(ROLES_NOT_INCLUDED) : caller;
}
