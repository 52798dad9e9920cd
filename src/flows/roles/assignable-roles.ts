import type { Deps } from "../../deps.ts";
import { listHeldRoleIds } from "../../models/organization-role/member-role.ts";
import type { OrganizationRole } from "../../models/organization-role/organization-role.ts";
import { holds } from "../../vocabulary/member-power.ts";
import type { OrganizationCaller } from "../steps/authorization/authorize-member.ts";
import { listUsableRoles } from "./administer-roles.ts";
import { ALL_ROLES } from "./read-roles.ts";

export interface AssignableRole {
  readonly role: OrganizationRole;
  /**
   * Why the caller cannot assign or remove the role: a role that the caller has, or a role with a permission that the
   * caller lacks (docs/contract.md, section 32.5).
   */
  readonly refusal: "own" | "above" | undefined;
}

/** Every role that the organization can use, for the forms of members, invitations and groups. */
export async function listAssignableRoles(
  deps: Pick<Deps, "database">,
  caller: OrganizationCaller,
): Promise<readonly AssignableRole[]> {
  const { organizationId, actor } = caller;
  const { items } = await listUsableRoles(deps, organizationId, ALL_ROLES);
  const held = await deps.database.run("member.list_held_roles", (sql) =>
    listHeldRoleIds(sql, organizationId, actor.userId),
  );
  const refusalOf = ({ id, permissions }: OrganizationRole) => {
    if (held.includes(id)) return "own";
    return permissions.every((permission) => holds(caller, permission)) ? undefined : "above";
  };
  return items.map((role) => ({ role, refusal: refusalOf(role) }));
}
