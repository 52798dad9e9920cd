import type { Refusal } from "../../../base/problem.ts";
import { ok, type Result } from "../../../base/result.ts";
import type { StoreDeps } from "../../../deps.ts";
import type { SessionView } from "../../../models/session/session.ts";
import { requireStepUp } from "../sessions/step-up.ts";
import { authorizePlatformRole, type PlatformUser } from "./authorize-platform-role.ts";

declare const grants: unique symbol;

/** A platform owner with a step-up. Only this file constructs a grantor. */
export type RoleGrantor = PlatformUser & { readonly [grants]: true };

/**
 * Authorizes granting and revoking platform roles (docs/contract.md, section 14.1): a platform owner, with a step-up.
 */
export async function authorizeRoleGrant(
  deps: StoreDeps,
  session: SessionView,
): Promise<Result<RoleGrantor, Refusal<"forbidden" | "mfa_required">>> {
  const caller = await authorizePlatformRole(deps, session, "owner");
  if (!caller.ok) return caller;
  const steppedUp = requireStepUp(deps, session);
  return steppedUp.ok ? ok(caller.value as RoleGrantor) : steppedUp;
}
