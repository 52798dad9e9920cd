import { type Refusal, refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";
import type { SessionView } from "../../models/session/session.ts";
import { findPlatformRoleOf, includesRole, type PlatformRole } from "../../models/user/platform-role.ts";
import type { Actor } from "./audit-event.ts";

declare const authorized: unique symbol;

/**
 * A caller whose platform role was read for this request. Only this file constructs one, so a flow with this parameter
 * cannot be called without the check.
 */
export interface PlatformCaller {
  readonly [authorized]: true;
  readonly session: SessionView;
  readonly role: PlatformRole;
  /**
   * Who acts, in audit records: for the platform, whichever organization the session stands in. The keys and webhooks
   * of that read its records.
   */
  readonly actor: Actor;
}

/**
 * Authorizes a caller whose platform role is `least` or higher (docs/contract.md, section 3.10). Reads the role from
 * Postgres each time: these routes are rare, and a revoked role must not stay in effect until a cache expires. Refuses
 * with `forbidden`.
 */
export async function authorizePlatformRole(
  deps: Pick<Deps, "database">,
  session: SessionView,
  least: PlatformRole,
): Promise<Result<PlatformCaller, Refusal<"forbidden">>> {
  const role = await deps.database.run("user.find_platform_role", (sql) => findPlatformRoleOf(sql, session.userId));
  const actor = { userId: session.userId, organizationId: null };
  if (role !== null && includesRole(role, least)) return ok({ session, role, actor } as PlatformCaller);
  return err(refusal("forbidden", `This needs the platform role ${least} or a higher one.`));
}
