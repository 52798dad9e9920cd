/** The opening of an organization to the users of its domains (docs/contract.md, sections 32.5 and 34.3). */
import type { PolicySettings } from "../../base/organization-policy.ts";
import { type Refusal, refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Sql } from "../../database/database.ts";
import { lockName } from "../../database/statement.ts";
import { isAtLeast } from "../../models/member/member.ts";
import { findPolicy } from "../../models/sso-policy/sso-policy.ts";
import { ssoPolicyLock } from "../sso-policy/policy-lock.ts";
import type { MemberCaller } from "../steps/authorization/authorize-member.ts";
import { lockCaller } from "../steps/authorization/authorize-role-edit.ts";

const ABOVE_CALLER = {
  ...refusal("forbidden", "domain_join: the role of users who join is above your own."),
  reason: "policy_join_role",
} as const;

/**
 * Authorizes a change to `domain_join: join`, under lock on the caller: users of the domain join with the default role
 * of the policy for single sign-on, which the caller could not grant otherwise. `inForce`: null for the defaults.
 */
export async function authorizeOpening(
  sql: Sql,
  caller: MemberCaller,
  { inForce, settings }: { readonly inForce: PolicySettings | null; readonly settings: PolicySettings },
): Promise<Result<void, Refusal<"forbidden">>> {
  if (settings.domainJoin !== "join" || inForce?.domainJoin === "join") return ok(undefined);
  const { organizationId } = caller;
  await lockName(sql, ssoPolicyLock(organizationId));
  const { defaultRole } = await findPolicy(sql, organizationId);
  const power = await lockCaller(sql, caller, "policies.manage");
  if (!power.ok) return power;
  return isAtLeast(power.value.role, defaultRole) ? ok(undefined) : err(ABOVE_CALLER);
}
