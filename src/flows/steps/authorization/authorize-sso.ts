import { type Refusal, refusal } from "../../../base/problem.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import type { StoreDeps } from "../../../deps.ts";
import type { SessionView } from "../../../models/session/session.ts";
import { requireStepUp } from "../sessions/step-up.ts";
import {
  authorizePermission,
  authorizePrincipal,
  type MemberCaller,
  type OrganizationCaller,
  type Principal,
} from "./authorize-member.ts";
import { isEntitledTo } from "./entitlement.ts";

const NOT_ENTITLED = refusal("payment_required", "Single sign-on is not part of this organization's tier.");

type SsoProblem = Refusal<"forbidden" | "mfa_required" | "not_found" | "payment_required" | "sso_required">;

/** Authorizes the reading of the settings of single sign-on: a member with `sso.manage`, or a key with `sso.read`. */
export async function authorizeSsoReader(
  deps: StoreDeps,
  principal: Principal,
  organizationId: string,
): Promise<Result<OrganizationCaller, SsoProblem>> {
  const caller = await authorizePrincipal(deps, principal, organizationId, "sso.manage");
  return caller.ok && !(await isEntitledTo(deps, "sso", organizationId)) ? err(NOT_ENTITLED) : caller;
}

/** Authorizes a change of the settings of single sign-on or, with `policies.manage`, of the policy; with a step-up. */
export async function authorizeSsoManager(
  deps: StoreDeps,
  session: SessionView,
  organizationId: string,
  permission: "policies.manage" | "sso.manage" = "sso.manage",
): Promise<Result<MemberCaller, SsoProblem | Refusal<"mfa_required">>> {
  const caller = await authorizePermission(deps, session, organizationId, permission);
  if (!caller.ok) return caller;
  if (!(await isEntitledTo(deps, "sso", organizationId))) return err(NOT_ENTITLED);
  const steppedUp = requireStepUp(deps, session);
  return steppedUp.ok ? ok(caller.value) : steppedUp;
}
