import { type Refusal, refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";
import { findMembership, type MemberRole, type Permission, permissionsOf } from "../../models/member/member.ts";
import type { SessionView } from "../../models/session/session.ts";

export const NO_SUCH_ORGANIZATION = refusal("not_found", "There is no such organization.");

declare const authorized: unique symbol;

/**
 * A caller whose membership was read for this request. Only this file constructs one, so a flow with this parameter
 * cannot be called without the check.
 */
export interface MemberCaller {
  readonly [authorized]: true;
  readonly session: SessionView;
  /** Need not be the organization of the session. */
  readonly organizationId: string;
  readonly role: MemberRole;
}

/**
 * Authorizes a member of an organization, whatever the role (docs/contract.md, section 3.10). Refuses with `not_found`
 * for an organization that the caller does not belong to, whether it exists or not, and `forbidden` while it is
 * suspended.
 */
export async function authorizeMember(
  deps: Pick<Deps, "database">,
  session: SessionView,
  organizationId: string,
): Promise<Result<MemberCaller, Refusal<"forbidden" | "not_found">>> {
  const membership = await deps.database.run("member.find", (sql) =>
    findMembership(sql, session.userId, organizationId),
  );
  if (!membership) return err(NO_SUCH_ORGANIZATION);
  if (membership.suspended) return err(refusal("forbidden", "This organization is suspended."));
  return ok({ session, organizationId, role: membership.role } as MemberCaller);
}

/**
 * Authorizes a member whose role has a permission. Refuses as `authorizeMember` does, and with `forbidden` without it.
 */
export async function authorizePermission(
  deps: Pick<Deps, "database">,
  session: SessionView,
  organizationId: string,
  permission: Permission,
): Promise<Result<MemberCaller, Refusal<"forbidden" | "not_found">>> {
  const caller = await authorizeMember(deps, session, organizationId);
  if (!caller.ok || permissionsOf(caller.value.role).includes(permission)) return caller;
  return err(refusal("forbidden", `This needs the permission ${permission}.`));
}
