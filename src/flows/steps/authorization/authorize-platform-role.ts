import { type Refusal, refusal } from "../../../base/problem.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import type { StoreDeps } from "../../../deps.ts";
import type { SessionView } from "../../../models/session/session.ts";
import { findPlatformRoleOf, includesRole, type PlatformRole } from "../../../models/user/platform-role.ts";
import type { Actor } from "../audit/audit-event.ts";

declare const authorized: unique symbol;

/**
 * A caller whose platform role was read for this request. Only this file constructs a caller, so a flow with this
 * parameter cannot be called without the check.
 */
export interface PlatformCaller {
  readonly [authorized]: true;
  readonly session: SessionView;
  readonly role: PlatformRole;
  /**
   * The actor in audit records: of no organization, in any session, because the keys and webhooks of an organization
   * read the organization's records.
   */
  readonly actor: Actor;
}

/** `mfa_required` comes after the role: a caller without the role does not learn whether the rule is in force. */
export type PlatformRoleRefusal = Refusal<"forbidden" | "mfa_required">;

const NEEDS_SECOND_FACTOR = refusal("mfa_required", "A platform role needs a session with a second factor.");

const BOUND = refusal("forbidden", "A session of single sign-on has no platform role.");

/**
 * Authorizes a caller whose platform role is `least` or higher and whose session is `aal2` while
 * `SERVICE_ADMIN_REQUIRE_MFA` is on (docs/contract.md, sections 3.9 and 3.10). Reads the role from PostgreSQL each
 * time: the routes are rare, and a revoked role must not stay in effect until a cache expires.
 */
export async function authorizePlatformRole(
  deps: StoreDeps,
  session: SessionView,
  least: PlatformRole,
): Promise<Result<PlatformCaller, PlatformRoleRefusal>> {
  if (session.organizationBound) return err(BOUND);
  const role = await deps.database.run("user.find_platform_role", (sql) => findPlatformRoleOf(sql, session.userId));
  if (role === null || !includesRole(role, least)) {
    return err(refusal("forbidden", `This needs the platform role ${least} or a higher one.`));
  }
  if (deps.config.adminRequiresMfa && session.aal !== "aal2") return err(NEEDS_SECOND_FACTOR);
  const actor = { userId: session.userId, organizationId: null };
  return ok({ session, role, actor } as PlatformCaller);
}
