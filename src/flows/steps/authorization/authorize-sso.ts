import { type Refusal, refusal } from "../../../base/problem.ts";
import { err, type Result } from "../../../base/result.ts";
import type { StoreDeps } from "../../../deps.ts";
import { authorizePrincipal, type OrganizationCaller, type ResponsibleCaller } from "./authorize-member.ts";
import type { Principal } from "./authorize-platform-role.ts";
import { isEntitledTo } from "./entitlement.ts";
import { requirePersonalStepUp } from "./personal-step-up.ts";
import { requireResponsible } from "./require-responsible.ts";

const NOT_ENTITLED = refusal("payment_required", "Single sign-on is not part of this organization's tier.");

type SsoProblem = Refusal<"forbidden" | "mfa_required" | "not_found" | "payment_required" | "sso_required">;

/** Authorizes the reading of the settings of single sign-on. */
export async function authorizeSsoReader(
  deps: StoreDeps,
  principal: Principal,
  organizationId: string,
  permission: "sso.manage" | "sso.read" = "sso.read",
): Promise<Result<OrganizationCaller, SsoProblem>> {
  const caller = await authorizePrincipal(deps, principal, organizationId, permission);
  return caller.ok && !(await isEntitledTo(deps, "sso", organizationId)) ? err(NOT_ENTITLED) : caller;
}

/** Authorizes a change of the settings of single sign-on or, with `policies.manage`, of the policy; with a step-up. */
export async function authorizeSsoManager(
  deps: StoreDeps,
  principal: Principal,
  organizationId: string,
  permission: "policies.manage" | "sso.manage" = "sso.manage",
): Promise<Result<ResponsibleCaller, SsoProblem | Refusal<"mfa_required">>> {
  const caller = await authorizePrincipal(deps, principal, organizationId, permission);
  if (!caller.ok) return caller;
  if (!(await isEntitledTo(deps, "sso", organizationId))) return err(NOT_ENTITLED);
  const steppedUp = requirePersonalStepUp(deps, principal);
  return steppedUp.ok ? await requireResponsible(deps, caller.value) : steppedUp;
}
