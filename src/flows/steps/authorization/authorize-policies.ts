import { type Refusal, refusal } from "../../../base/problem.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import type { StoreDeps } from "../../../deps.ts";
import type { SessionView } from "../../../models/session/session.ts";
import { holds } from "../../../vocabulary/member-power.ts";
import { requireStepUp } from "../sessions/step-up.ts";
import {
  authorizeMember,
  authorizePermission,
  lacksPermission,
  type MemberCaller,
  type MembershipProblem,
} from "./authorize-member.ts";
import { isEntitledTo } from "./entitlement.ts";

const NOT_ENTITLED = refusal("payment_required", "Policies are not part of this organization's tier.");

type PolicyProblem = MembershipProblem | Refusal<"payment_required">;

/** Authorizes the reading of policies: a member with `members.list` or `policies.manage`. */
export async function authorizePolicyReader(
  deps: StoreDeps,
  session: SessionView,
  organizationId: string,
): Promise<Result<MemberCaller, PolicyProblem>> {
  const caller = await authorizeMember(deps, session, organizationId);
  if (!caller.ok) return caller;
  const mayRead = holds(caller.value, "members.list") || holds(caller.value, "policies.manage");
  return mayRead ? await entitled(deps, caller.value) : err(lacksPermission("members.list"));
}

/** Authorizes a change of policies: a member with `policies.manage` and a step-up. */
export async function authorizePolicyManager(
  deps: StoreDeps,
  session: SessionView,
  organizationId: string,
): Promise<Result<MemberCaller, PolicyProblem>> {
  const manager = await authorizePermission(deps, session, organizationId, "policies.manage");
  const caller = manager.ok ? await entitled(deps, manager.value) : manager;
  if (!caller.ok) return caller;
  const steppedUp = requireStepUp(deps, session);
  return steppedUp.ok ? caller : steppedUp;
}

async function entitled(
  deps: StoreDeps,
  caller: MemberCaller,
): Promise<Result<MemberCaller, Refusal<"payment_required">>> {
  return (await isEntitledTo(deps, "organizationPolicies", caller.organizationId)) ? ok(caller) : err(NOT_ENTITLED);
}
