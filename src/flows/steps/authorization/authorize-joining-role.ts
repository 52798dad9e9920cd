/** The role of users who join an organization by a domain (docs/contract.md, sections 32.5 and 34.3). */
import { type Refusal, refusal } from "../../../base/problem.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import type { Sql } from "../../../database/database.ts";
import { findPolicies } from "../../../models/organization-policy/organization-policy.ts";
import { findPolicy } from "../../../models/sso-policy/sso-policy.ts";
import { isAtLeast } from "../../../vocabulary/member-power.ts";
import type { OrganizationCaller } from "./authorize-member.ts";
import { lockCaller } from "./authorize-role-edit.ts";

const ABOVE_CALLER = {
  ...refusal("forbidden", "domain_join: the role of users who join is above your own."),
  reason: "policy_join_role",
} as const;

/** Whether users of the domains of an organization join without a decision of a member, now or after a date. */
export async function isOpenToDomains(sql: Sql, organizationId: string): Promise<boolean> {
  const { settings, previous } = await findPolicies(sql, organizationId);
  return settings.domainJoin === "join" || previous?.domainJoin === "join";
}

/**
 * Authorizes a caller to let users of a domain join, under lock on the caller: the users receive the default role of
 * the policy for single sign-on, which a caller below the role could not grant otherwise.
 */
export async function authorizeJoiningRole(
  sql: Sql,
  caller: OrganizationCaller,
  permission: "policies.manage" | "sso.manage",
): Promise<Result<void, Refusal<"forbidden">>> {
  const { defaultRole } = await findPolicy(sql, caller.organizationId);
  const power = await lockCaller(sql, caller, permission);
  if (!power.ok) return power;
  return isAtLeast(power.value.role, defaultRole) ? ok(undefined) : err(ABOVE_CALLER);
}
