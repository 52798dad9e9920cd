import { refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";
import type { SessionView } from "../../models/session/session.ts";
import { findPlatformRoleOf, includesRole, type PlatformRole } from "../../models/user/platform-role.ts";

/**
 * The caller's platform role, if it is `least` or more (decisions, section 8). Read from Postgres each time: these routes are rare,
 * and a role that was taken away must not last as long as a cache. Refuses with `forbidden`.
 */
export async function authorizePlatformRole(
  deps: Pick<Deps, "database">,
  caller: SessionView,
  least: PlatformRole,
): Promise<Result<PlatformRole>> {
  const role = await deps.database.run("user.find_platform_role", (sql) => findPlatformRoleOf(sql, caller.userId));
  if (role !== null && includesRole(role, least)) return ok(role);
  return err(refusal("forbidden", `This needs the platform role ${least} or a higher one.`));
}
