import { type Refusal, refusal } from "../../../base/problem.ts";
import type { RequestContext } from "../../../base/request-context.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import type { Sql } from "../../../database/database.ts";
import { lockName } from "../../../database/statement.ts";
import type { EmailDeps, SessionDeps } from "../../../deps.ts";
import { recordAudit } from "../../../models/audit/audit.ts";
import { findPower } from "../../../models/member/members.ts";
import type { SessionEvent } from "../../../models/session/revocation.ts";
import { deleteIdentity, lockIdentity } from "../../../models/sso-identity/identity-list.ts";
import { ssoPolicyLock } from "../../../models/sso-policy/policy-lock.ts";
import { mayChange } from "../../../vocabulary/member-power.ts";
import { userAuditEvent } from "../../steps/audit/audit-event.ts";
import type { OrganizationCaller } from "../../steps/authorization/authorize-member.ts";
import { lockCaller } from "../../steps/authorization/authorize-role-edit.ts";
import { refuseProtected } from "../../steps/authorization/protected-users.ts";
import { withdrawUnfoundedRolesIn } from "../../steps/roles/withdraw-unfounded-roles.ts";
import { endBoundSessionsIn } from "../../steps/sessions/end-bound-sessions.ts";
import type { IdentityCaller } from "./authorize-identities.ts";

const NO_SUCH_IDENTITY = refusal("not_found", "There is no such identity.");
const ABOVE_CALLER = refusal("forbidden", "This member has permissions that you do not have.");

/**
 * DELETE /v1/orgs/:org_id/sso/identities/:id (docs/contract.md, section 29.14): unlinks a subject from a user and ends
 * the sessions of the subject, and the roles that only the identity gave. The lock of the identity delays a sign-in
 * under way, which then finds no identity.
 */
export async function unlinkSsoIdentity(
  deps: SessionDeps & EmailDeps,
  {
    caller: { caller, scope },
    id,
    client,
  }: { readonly caller: IdentityCaller; readonly id: string; readonly client: RequestContext },
): Promise<Result<void, Refusal<"forbidden" | "not_found">>> {
  const { organizationId, actor } = caller;
  const unlinked = await deps.database.transaction<Result<readonly SessionEvent[], Refusal<"forbidden" | "not_found">>>(
    "sso_identity.unlink",
    async (sql) => {
      // In the order of a change of the policy: the lock of the policy before sessions and token families.
      await lockName(sql, ssoPolicyLock(organizationId));
      const identity = await lockIdentity(sql, scope, id);
      if (!identity) return err(NO_SUCH_IDENTITY);
      const { connectionId, userId, subjectHash } = identity;
      const authorized = await authorizeMember(sql, caller, userId);
      if (!authorized.ok) return authorized;
      const sessions = { connectionId, organizationId, subjectHash };
      const ended = await endBoundSessionsIn(deps, sql, {
        sessions,
        reason: "sso_connection_ended",
        actor,
        client,
      });
      await deleteIdentity(sql, id);
      const resource = { type: "user", id: userId } as const;
      const at = new Date(deps.clock.now());
      const event = { action: "auth.sso.unlinked", at, resource, metadata: { connection_id: connectionId } } as const;
      await recordAudit(sql, userAuditEvent(deps, actor, client, event));
      const withdrawn = await withdrawUnfoundedRolesIn(deps, sql, { organizationId, userId, actor, client });
      return ok([...ended.events, ...withdrawn]);
    },
  );
  if (!unlinked.ok) return unlinked;
  deps.outbox.wake();
  await deps.revocations.announce(unlinked.value);
  return ok(undefined);
}

/** Where required, a member without identity cannot sign in: the caller is the member, or may change the member. */
async function authorizeMember(
  sql: Sql,
  caller: OrganizationCaller,
  userId: string,
): Promise<Result<void, Refusal<"forbidden">>> {
  if (userId === caller.actor.userId) return ok(undefined);
  const unprotected = await refuseProtected(sql, caller, [userId]);
  if (!unprotected.ok) return unprotected;
  const power = await lockCaller(sql, caller, "sso.manage");
  if (!power.ok) return power;
  const member = await findPower(sql, caller.organizationId, userId);
  return member === undefined || mayChange(power.value, member) ? ok(undefined) : err(ABOVE_CALLER);
}
