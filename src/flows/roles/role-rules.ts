import { NAME_FLAW, normalizeName, validateDescription } from "../../base/display-name.ts";
import { type FieldFlaw, hasFlaws, type InputFlaw, invalidFields } from "../../base/invalid-input.ts";
import type { Refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { PERMISSIONS_PER_ROLE_MAX } from "../../limits/role-limits.ts";
import type { ResourceIndex } from "../../models/oauth-resource/resource-index.ts";
import { isRoleKey, type OrganizationRole } from "../../models/organization-role/organization-role.ts";
import { MEMBER_ROLES } from "../../vocabulary/member-power.ts";
import { isKnownPermission } from "./known-permissions.ts";

/** The changeable settings of a role. */
export type RoleSettings = Pick<OrganizationRole, "name" | "description" | "permissions">;

/** Permissions that no template contains: a template reaches every organization. */
const NOT_IN_TEMPLATES: readonly string[] = ["organization.delete", "policies.manage", "roles.manage", "support.grant"];

/** Whether a template can contain a permission. */
export function isTemplatePermission(permission: string): boolean {
  return !NOT_IN_TEMPLATES.includes(permission);
}

const BUILT_IN: InputFlaw = { rule: "not_allowed", text: "the key of a built-in role" };
const KEY_FORM: InputFlaw = { rule: "format", text: "a lower-case letter, then 1 to 39 of a-z, 0-9, _ and -" };
const TOO_MANY: InputFlaw = { rule: "too_long", text: `at most ${PERMISSIONS_PER_ROLE_MAX}` };
const UNKNOWN: InputFlaw = { rule: "unknown_value", text: "unknown" };
const PLATFORM_ONLY: InputFlaw = { rule: "not_allowed", text: "not allowed in a template" };

/** Validates a role; returns the role with normalized texts and sorted permissions. */
export function validateRole(
  role: OrganizationRole,
  registered: ResourceIndex,
): Result<OrganizationRole, Refusal<"invalid_input">> {
  const name = normalizeName(role.name);
  const description = role.description.trim() === "" ? ok("") : validateDescription(role.description);
  const flaws: readonly FieldFlaw[] = [
    ...flawOf("key", keyFlaw(role.key)),
    ...flawOf("name", name === undefined ? NAME_FLAW : undefined),
    ...flawOf("description", description.ok ? undefined : description.error),
    ...permissionFlaws(role, registered),
  ];
  if (hasFlaws(flaws)) return err(invalidFields(flaws));
  const permissions = [...new Set(role.permissions)].sort();
  return ok({ ...role, name: name ?? role.name, description: description.ok ? description.value : "", permissions });
}

function flawOf(field: string, flaw: InputFlaw | undefined): readonly FieldFlaw[] {
  return flaw ? [{ field, ...flaw }] : [];
}

function keyFlaw(key: string): InputFlaw | undefined {
  if ((MEMBER_ROLES as readonly string[]).includes(key)) return BUILT_IN;
  return isRoleKey(key) ? undefined : KEY_FORM;
}

function permissionFlaws({ permissions, organizationId }: OrganizationRole, registered: ResourceIndex) {
  if (permissions.length > PERMISSIONS_PER_ROLE_MAX) return flawOf("permissions", TOO_MANY);
  return permissions.flatMap((permission, index) => {
    const isReserved = organizationId === null && !isTemplatePermission(permission);
    const flaw = isKnownPermission(registered, permission) ? (isReserved ? PLATFORM_ONLY : undefined) : UNKNOWN;
    return flaw ? [{ field: "permissions", path: `permissions.${index}`, ...flaw }] : [];
  });
}
