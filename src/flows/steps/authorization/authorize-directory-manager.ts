import { type Refusal, refusal } from "../../../base/problem.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import type { StoreDeps } from "../../../deps.ts";
import type { SessionView } from "../../../models/session/session.ts";
import { requireStepUp } from "../sessions/step-up.ts";
import { authorizePermission, type MemberCaller } from "./authorize-member.ts";
import { isEntitledTo } from "./entitlement.ts";

const NOT_ENTITLED = refusal("payment_required", "Directories are not part of this organization's tier.");

type DirectoryProblem = Refusal<"forbidden" | "mfa_required" | "not_found" | "payment_required" | "sso_required">;

/** Authorizes the reading of a directory. */
export async function authorizeDirectoryReader(
  deps: StoreDeps,
  session: SessionView,
  organizationId: string,
): Promise<Result<MemberCaller, DirectoryProblem>> {
  const caller = await authorizePermission(deps, session, organizationId, "directory.manage");
  return caller.ok && !(await isEntitledTo(deps, "scim", organizationId)) ? err(NOT_ENTITLED) : caller;
}

/** Authorizes a change of a directory, with a step-up. */
export async function authorizeDirectoryManager(
  deps: StoreDeps,
  session: SessionView,
  organizationId: string,
): Promise<Result<MemberCaller, DirectoryProblem | Refusal<"mfa_required">>> {
  const caller = await authorizeDirectoryReader(deps, session, organizationId);
  if (!caller.ok) return caller;
  const steppedUp = requireStepUp(deps, session);
  return steppedUp.ok ? ok(caller.value) : steppedUp;
}
