import { refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";
import { findMembership, type MemberRole, type Permission, permissionsOf } from "../../models/member/member.ts";
import type { SessionView } from "../../models/session/session.ts";

export const NO_SUCH_ORGANIZATION = refusal("not_found", "There is no such organization.");

/**
 * The caller's role in an organization, which need not be the one that the session stands in (decisions, section 7). Refuses with
 * `not_found` for one that the caller does not belong to, whether it exists or not, and `forbidden` without the permission.
 */
export async function authorizeMember(
  deps: Pick<Deps, "database">,
  caller: SessionView,
  organizationId: string,
  permission: Permission,
): Promise<Result<MemberRole>> {
  const membership = await findOwnMembership(deps, caller, organizationId);
  if (!membership.ok) return membership;
  const allowed = permissionsOf(membership.value).includes(permission);
  return allowed ? membership : err(refusal("forbidden", `This needs the permission ${permission}.`));
}

/** The same, for what every member may do. */
export async function findOwnMembership(
  deps: Pick<Deps, "database">,
  caller: SessionView,
  organizationId: string,
): Promise<Result<MemberRole>> {
  const membership = await deps.database.run("member.find", (sql) =>
    findMembership(sql, caller.userId, organizationId),
  );
  if (!membership) return err(NO_SUCH_ORGANIZATION);
  if (membership.suspended) return err(refusal("forbidden", "This organization is suspended."));
  return ok(membership.role);
}
