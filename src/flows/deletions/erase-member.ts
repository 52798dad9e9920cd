import { type Refusal, refusal } from "../../base/problem.ts";
import type { RequestContext } from "../../base/request-context.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { SignInDeps } from "../../deps.ts";
import { isMemberOrRecord } from "../../models/directory/managed-account.ts";
import { findPower, lockMemberships, lockOwners } from "../../models/member/members.ts";
import { lockClosingUser } from "../../models/user/closing-user.ts";
import { findManagedUser, releaseIndependentUser } from "../../models/user/managed-user.ts";
import { mayChange } from "../../vocabulary/member-power.ts";
import type { Permission } from "../../vocabulary/permissions.ts";
import { authorizePrincipal, isProgram, type OrganizationCaller } from "../steps/authorization/authorize-member.ts";
import type { Principal } from "../steps/authorization/authorize-platform-role.ts";
import { requirePersonalStepUp } from "../steps/authorization/personal-step-up.ts";
import { refuseProtected } from "../steps/authorization/protected-users.ts";
import {
  type ClosedAccount,
  closeAccount,
  lockBeforeClosing,
  type PendingDeletion,
} from "../steps/deletion/close-account.ts";
import { announceSuspensionChange } from "../steps/sessions/end-organization-sessions.ts";

const NO_SUCH_MEMBER = refusal("not_found", "There is no such member.");
const ABOVE_CALLER = refusal("forbidden", "This member has a permission that you do not have.");
const NOT_MANAGED = refusal("conflict", "The organization does not manage this account: the user decides.");
/** The reason in the record of the deletion, which the user reads as a deletion by an administrator. */
const REASON = "Erasure by the managing organization";

/** Authorizes a caller with the permission, and with a step-up. */
export async function authorizeMemberErasure(
  deps: Pick<SignInDeps, "clock" | "database">,
  principal: Principal,
  organizationId: string,
  permission: Permission,
): Promise<Result<OrganizationCaller, Refusal<"forbidden" | "mfa_required" | "not_found" | "sso_required">>> {
  const caller = await authorizePrincipal(deps, principal, organizationId, permission);
  if (!caller.ok) return caller;
  const steppedUp = requirePersonalStepUp(deps, principal);
  return steppedUp.ok ? caller : steppedUp;
}

/**
 * POST /v1/orgs/:org_id/members/:user_id/erasure (docs/contract.md, section 31.9): closes and later erases the account
 * of a managed user, under the rules of the user's own request.
 */
export async function requestMemberErasure(
  deps: SignInDeps,
  input: { readonly caller: OrganizationCaller; readonly userId: string; readonly client: RequestContext },
): Promise<Result<PendingDeletion, Refusal<"conflict" | "forbidden" | "not_found">>> {
  const { caller, userId, client } = input;
  const { organizationId, actor } = caller;
  const at = new Date(deps.clock.now());
  const closed = await deps.database.transaction(
    "user.erase_member",
    async (sql): Promise<Result<ClosedAccount, Refusal<"conflict" | "forbidden" | "not_found">>> => {
      // Unlocked, so that foreign accounts cannot be locked by their ids.
      if (!(await isMemberOrRecord(sql, organizationId, userId))) return err(NO_SUCH_MEMBER);
      await lockBeforeClosing(sql, userId);
      await lockOwners(sql, organizationId);
      await lockMemberships(sql, organizationId, [actor.userId, userId]);
      const isKnown = await isMemberOrRecord(sql, organizationId, userId);
      if (!isKnown || !(await lockClosingUser(sql, userId))) return err(NO_SUCH_MEMBER);
      const own = isProgram(caller) ? caller : await findPower(sql, organizationId, actor.userId);
      const target = await findPower(sql, organizationId, userId);
      const unprotected = await refuseProtected(sql, caller, [userId]);
      if (!unprotected.ok) return unprotected;
      if (!own || (target && !mayChange(own, target))) return err(ABOVE_CALLER);
      await releaseIndependentUser(sql, userId, organizationId);
      if (!(await findManagedUser(sql, userId, organizationId))) return err(NOT_MANAGED);
      return await closeAccount(deps, sql, { userId, actor, reason: REASON, client, at });
    },
  );
  if (!closed.ok) return closed;
  deps.outbox.wake();
  await announceSuspensionChange(deps, closed.value.events);
  return ok(closed.value.deletion);
}
