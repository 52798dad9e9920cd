import { type Refusal, refusal } from "../../../base/problem.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import type { StoreDeps } from "../../../deps.ts";
import { authorizePrincipal, type OrganizationCaller } from "./authorize-member.ts";
import type { Principal } from "./authorize-platform-role.ts";
import { isEntitledTo } from "./entitlement.ts";
import { requirePersonalStepUp } from "./personal-step-up.ts";

const NOT_ENTITLED = refusal("payment_required", "Directories are not part of this organization's tier.");

type DirectoryProblem = Refusal<"forbidden" | "mfa_required" | "not_found" | "payment_required" | "sso_required">;

/** Authorizes the reading of a directory. */
export async function authorizeDirectoryReader(
  deps: StoreDeps,
  principal: Principal,
  organizationId: string,
): Promise<Result<OrganizationCaller, DirectoryProblem>> {
  const caller = await authorizePrincipal(deps, principal, organizationId, "directory.manage");
  return caller.ok && !(await isEntitledTo(deps, "scim", organizationId)) ? err(NOT_ENTITLED) : caller;
}

/** Authorizes a change of a directory, with a step-up. */
export async function authorizeDirectoryManager(
  deps: StoreDeps,
  principal: Principal,
  organizationId: string,
): Promise<Result<OrganizationCaller, DirectoryProblem | Refusal<"mfa_required">>> {
  const caller = await authorizeDirectoryReader(deps, principal, organizationId);
  if (!caller.ok) return caller;
  const steppedUp = requirePersonalStepUp(deps, principal);
  return steppedUp.ok ? ok(caller.value) : steppedUp;
}
