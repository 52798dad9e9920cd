import type { Refusal } from "../../../base/problem.ts";
import { err, type Result } from "../../../base/result.ts";
import type { StoreDeps } from "../../../deps.ts";
import type { SessionView } from "../../../models/session/session.ts";
import type { Permission } from "../../../vocabulary/permissions.ts";
import { authorizePermission, type MemberCaller } from "./authorize-member.ts";
import { isEntitledTo, ROLES_NOT_INCLUDED } from "./entitlement.ts";

/** Authorizes a member with a permission to read or change the roles of an organization. */
export async function authorizeRoles(
  deps: StoreDeps,
  session: SessionView,
  organizationId: string,
  permission: Extract<Permission, "members.list" | "members.role" | "roles.manage">,
): Promise<
  Result<MemberCaller, Refusal<"forbidden" | "mfa_required" | "not_found" | "payment_required" | "sso_required">>
> {
  const caller = await authorizePermission(deps, session, organizationId, permission);
  return caller.ok && !(await isEntitledTo(deps, "roles", organizationId)) ? err(ROLES_NOT_INCLUDED) : caller;
}
