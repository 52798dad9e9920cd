import { refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";
import type { SessionView } from "../../models/session/session.ts";
import { findPlatformRoleOf, includesRole, type PlatformRole } from "../../models/user/platform-role.ts";

declare const authorized: unique symbol;

/**
 * A caller whose platform role was read for this request. Made here alone, so a flow that takes one is not reached
 * without.
 */
export interface PlatformCaller {
  readonly [authorized]: true;
  readonly session: SessionView;
  readonly role: PlatformRole;
}

/**
 * Authorizes a caller whose platform role is `least` or higher (docs/contract.md). Reads the role from Postgres each
 * time: these routes are rare, and a role that was revoked must not last as long as a cache. Refuses with `forbidden`.
 */
export async function authorizePlatformRole(
  deps: Pick<Deps, "database">,
  session: SessionView,
  least: PlatformRole,
): Promise<Result<PlatformCaller>> {
  const role = await deps.database.run("user.find_platform_role", (sql) => findPlatformRoleOf(sql, session.userId));
  if (role !== null && includesRole(role, least)) return ok({ session, role } as PlatformCaller);
  return err(refusal("forbidden", `This needs the platform role ${least} or a higher one.`));
}
