import type { Refusal } from "../../../base/problem.ts";
import type { Result } from "../../../base/result.ts";
import type { StoreDeps } from "../../../deps.ts";
import type { SessionView } from "../../../models/session/session.ts";
import { requireStepUp } from "../sessions/step-up.ts";
import { authorizePlatformRole, type PlatformCaller } from "./authorize-platform-role.ts";

/** Authorizes a platform Admin or higher with a step-up. */
export async function authorizeSteppedUpAdmin(
  deps: StoreDeps,
  session: SessionView,
): Promise<Result<PlatformCaller, Refusal<"forbidden" | "mfa_required">>> {
  const caller = await authorizePlatformRole(deps, session, "admin");
  if (!caller.ok) return caller;
  const steppedUp = requireStepUp(deps, session);
  return steppedUp.ok ? caller : steppedUp;
}
