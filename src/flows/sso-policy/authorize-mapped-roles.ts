import { type FieldFlaw, invalidFields } from "../../base/invalid-input.ts";
import type { Refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Sql } from "../../database/database.ts";
import { findRolesByKeys } from "../../models/organization-role/organization-role.ts";
import { isBuiltInRole, type RoleRule } from "../../models/sso-policy/sso-policy.ts";
import type { MemberCaller } from "../steps/authorization/authorize-member.ts";
import { authorizeRole, lockEditor } from "../steps/authorization/authorize-role-edit.ts";

const UNKNOWN_ROLE: FieldFlaw = { field: "role_rules.role", rule: "unknown_value", text: "a role of the organization" };

/** The keys of custom roles in rules, each once. */
function customKeys(rules: readonly RoleRule[]): string[] {
  return [...new Set(rules.map(({ role }) => role).filter((role) => !isBuiltInRole(role)))];
}

/**
 * Authorizes the custom roles whose rules change: the caller has every permission of these roles and has none of the
 * roles (docs/contract.md, section 32.5). `invalid_input`: a rule names an unknown role.
 */
export async function authorizeMappedRoles(
  sql: Sql,
  { organizationId, actor }: MemberCaller,
  { before, after }: { readonly before: readonly RoleRule[]; readonly after: readonly RoleRule[] },
): Promise<Result<void, Refusal<"forbidden" | "invalid_input">>> {
  const isIn = (rules: readonly RoleRule[], rule: RoleRule) =>
    rules.some(({ from, value, role }) => from === rule.from && value === rule.value && role === rule.role);
  const added = after.filter((rule) => !isIn(before, rule));
  const changed = customKeys([...added, ...before.filter((rule) => !isIn(after, rule))]);
  if (changed.length === 0) return ok(undefined);
  const roles = await findRolesByKeys(sql, organizationId, changed);
  const known = new Set(roles.map(({ key }) => key));
  if (!customKeys(added).every((key) => known.has(key))) return err(invalidFields([UNKNOWN_ROLE]));
  const lock = { organizationId, userId: actor.userId, roleIds: roles.map(({ id }) => id) };
  const editor = await lockEditor(sql, { ...lock, permission: "policies.manage" });
  if (!editor.ok) return editor;
  for (const { id, permissions } of editor.value.roles) {
    const authorized = authorizeRole(editor.value, permissions, id);
    if (!authorized.ok) return authorized;
  }
  return ok(undefined);
}
