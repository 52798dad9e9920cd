import { isDeepStrictEqual } from "node:util";
import { type FieldFlaw, invalidFields } from "../../../base/invalid-input.ts";
import { type Refusal, refusal } from "../../../base/problem.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import type { Sql } from "../../../database/database.ts";
import { findRolesByKeys } from "../../../models/organization-role/organization-role.ts";
import { customKeys, type PolicySettings, type RoleRule } from "../../../models/sso-policy/sso-policy.ts";
import { isAtLeast } from "../../../vocabulary/member-power.ts";
import { isBuiltInRole } from "../../../vocabulary/sso/sso-policy-settings.ts";
import type { OrganizationCaller } from "../../steps/authorization/authorize-member.ts";
import { authorizeRole, lockEditor, ROLE_ABOVE_CALLER } from "../../steps/authorization/authorize-role-edit.ts";

const UNKNOWN_ROLE: FieldFlaw = { field: "role_rules.role", rule: "unknown_value", text: "a role of the organization" };
const ADMINS_ONLY = refusal("forbidden", "Rules that make or unmake admins need an admin.");

interface PolicyChange {
  readonly before: PolicySettings;
  readonly after: PolicySettings;
}

interface RuleChange {
  readonly added: readonly RoleRule[];
  readonly removed: readonly RoleRule[];
}

function changedRules({ before, after }: PolicyChange): RuleChange {
  const without = (rules: readonly RoleRule[], others: readonly RoleRule[]) =>
    rules.filter((rule) => !others.some((other) => isDeepStrictEqual(rule, other)));
  return {
    added: without(after.roleRules, before.roleRules),
    removed: without(before.roleRules, after.roleRules),
  };
}

/** Whether sign-ins make or unmake admins in another way: the first rule alone demotes admins without a match. */
function decidesAboutAdmins({ before, after }: PolicyChange, { added, removed }: RuleChange): boolean {
  const isBuiltIn = ({ role }: RoleRule) => isBuiltInRole(role);
  if (before.defaultRole !== after.defaultRole || [...added, ...removed].some(isBuiltIn)) return true;
  return before.sync !== after.sync && after.roleRules.some(isBuiltIn);
}

/**
 * Authorizes the roles of a change of the policy, under lock on the caller: built-in roles up to the caller's own, and
 * for changed rules of custom roles every permission of the roles, none of which the caller has (docs/contract.md,
 * section 32.5). `invalid_input`: a rule names an unknown role.
 */
export async function authorizeMappedRoles(
  sql: Sql,
  caller: OrganizationCaller,
  change: PolicyChange,
): Promise<Result<void, Refusal<"forbidden" | "invalid_input">>> {
  const { organizationId } = caller;
  const { added, removed } = changedRules(change);
  const roles = await findRolesByKeys(sql, organizationId, customKeys([...added, ...removed]));
  const known = new Set(roles.map(({ key }) => key));
  if (!customKeys(added).every((key) => known.has(key))) return err(invalidFields([UNKNOWN_ROLE]));
  const lock = { caller, roleIds: roles.map(({ id }) => id) };
  const editor = await lockEditor(sql, { ...lock, permission: "policies.manage" });
  if (!editor.ok) return editor;
  const { after } = change;
  const builtIn = [after.defaultRole, ...after.roleRules.map(({ role }) => role).filter(isBuiltInRole)];
  if (!builtIn.every((role) => isAtLeast(editor.value.role, role))) return err(ROLE_ABOVE_CALLER);
  if (decidesAboutAdmins(change, { added, removed }) && !isAtLeast(editor.value.role, "admin")) return err(ADMINS_ONLY);
  for (const { id, permissions } of editor.value.roles) {
    const authorized = authorizeRole(editor.value, permissions, id);
    if (!authorized.ok) return authorized;
  }
  return ok(undefined);
}
