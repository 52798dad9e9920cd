import type { Refusal } from "../../../base/problem.ts";
import type { Result } from "../../../base/result.ts";
import type { StoreDeps } from "../../../deps.ts";
import type { SessionView } from "../../../models/session/session.ts";
import type { EndpointPermission } from "../../../vocabulary/key-scope.ts";
import { requireStepUp } from "../sessions/step-up.ts";
import {
  authorizePlatform,
  authorizePlatformRole,
  type PlatformCaller,
  type PlatformUser,
  type Principal,
} from "./authorize-platform-role.ts";
import { requirePersonalStepUp } from "./personal-step-up.ts";

/** Authorizes a platform Admin or higher with a step-up. */
export async function authorizeSteppedUpAdmin(
  deps: StoreDeps,
  session: SessionView,
): Promise<Result<PlatformUser, Refusal<"forbidden" | "mfa_required">>> {
  const caller = await authorizePlatformRole(deps, session, "admin");
  if (!caller.ok) return caller;
  const steppedUp = requireStepUp(deps, session);
  return steppedUp.ok ? caller : steppedUp;
}

/** As `authorizePlatform`, with a step-up of a user. A program met the step-up of the user who created its key. */
export async function authorizeSteppedUpPlatform(
  deps: StoreDeps,
  principal: Principal,
  permission: EndpointPermission,
): Promise<Result<PlatformCaller, Refusal<"forbidden" | "mfa_required">>> {
  const caller = await authorizePlatform(deps, principal, permission);
  if (!caller.ok) return caller;
  const steppedUp = requirePersonalStepUp(deps, principal);
  return steppedUp.ok ? caller : steppedUp;
}
