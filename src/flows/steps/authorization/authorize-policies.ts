import { type Refusal, refusal } from "../../../base/problem.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import type { StoreDeps } from "../../../deps.ts";
import { holds } from "../../../vocabulary/member-power.ts";
import {
  authorizeKey,
  authorizeMember,
  authorizePrincipal,
  lacksPermission,
  type MembershipProblem,
  type OrganizationCaller,
} from "./authorize-member.ts";
import type { Principal } from "./authorize-platform-role.ts";
import { isEntitledTo } from "./entitlement.ts";
import { requirePersonalStepUp } from "./personal-step-up.ts";

const NOT_ENTITLED = refusal("payment_required", "Policies are not part of this organization's tier.");

type PolicyProblem = MembershipProblem | Refusal<"payment_required">;

/** Authorizes the reading of policies: a member with `members.list` or `policies.manage`. */
export async function authorizePolicyReader(
  deps: StoreDeps,
  principal: Principal,
  organizationId: string,
): Promise<Result<OrganizationCaller, PolicyProblem>> {
  if ("key" in principal) {
    const program = await authorizeKey(deps, principal.key, organizationId);
    return program.ok ? await entitled(deps, program.value) : program;
  }
  const caller = await authorizeMember(deps, principal.session, organizationId);
  if (!caller.ok) return caller;
  const mayRead = holds(caller.value, "members.list") || holds(caller.value, "policies.manage");
  return mayRead ? await entitled(deps, caller.value) : err(lacksPermission("members.list"));
}

/** Authorizes a change of policies: a member with `policies.manage` and a step-up. */
export async function authorizePolicyManager(
  deps: StoreDeps,
  principal: Principal,
  organizationId: string,
): Promise<Result<OrganizationCaller, PolicyProblem>> {
  const manager = await authorizePrincipal(deps, principal, organizationId, "policies.manage");
  const caller = manager.ok ? await entitled(deps, manager.value) : manager;
  if (!caller.ok) return caller;
  const steppedUp = requirePersonalStepUp(deps, principal);
  return steppedUp.ok ? caller : steppedUp;
}

async function entitled(
  deps: StoreDeps,
  caller: OrganizationCaller,
): Promise<Result<OrganizationCaller, Refusal<"payment_required">>> {
  return (await isEntitledTo(deps, "organizationPolicies", caller.organizationId)) ? ok(caller) : err(NOT_ENTITLED);
}
