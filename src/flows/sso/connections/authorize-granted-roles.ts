import { type Refusal, refusal } from "../../../base/problem.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import type { Sql } from "../../../database/database.ts";
import { findRolesByKeys } from "../../../models/organization-role/organization-role.ts";
import { findPolicy } from "../../../models/sso-policy/sso-policy.ts";
import { holds, isAtLeast, type MemberPower } from "../../../vocabulary/member-power.ts";
import { isBuiltInRole } from "../../../vocabulary/sso/sso-policy-settings.ts";

const ABOVE_CALLER = refusal(
  "forbidden",
  "The policy for single sign-on grants a role with a permission that you do not have.",
);

/**
 * Authorizes a caller to decide whose assertions an organization trusts: an identity provider of the caller's own would
 * grant every role of the policy's rules, so the caller has every permission of these roles (docs/contract.md, section
 * 32.5). `power`: of the caller, from `lockCaller`.
 */
export async function authorizeGrantedRoles(
  sql: Sql,
  organizationId: string,
  power: MemberPower,
): Promise<Result<void, Refusal<"forbidden">>> {
  const { defaultRole, roleRules } = await findPolicy(sql, organizationId);
  const names = roleRules.map(({ role }) => role);
  const isWithinBuiltIn = [defaultRole, ...names.filter(isBuiltInRole)].every((role) => isAtLeast(power.role, role));
  const keys = [...new Set(names.filter((role) => !isBuiltInRole(role)))];
  const roles = keys.length === 0 ? [] : await findRolesByKeys(sql, organizationId, keys);
  const isWithin = roles.every(({ permissions }) => permissions.every((permission) => holds(power, permission)));
  return isWithinBuiltIn && isWithin ? ok(undefined) : err(ABOVE_CALLER);
}
