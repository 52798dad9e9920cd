import { type Refusal, refusal } from "../../../base/problem.ts";
import type { RequestContext } from "../../../base/request-context.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import type { StoreDeps } from "../../../deps.ts";
import { insertAudit } from "../../../models/audit/audit.ts";
import { findPower, lockMemberships } from "../../../models/member/members.ts";
import { deleteOrganizationFactor } from "../../../models/organization-factor/organization-factor.ts";
import { holds, mayChange } from "../../../vocabulary/member-power.ts";
import { userAuditEvent } from "../../steps/audit/audit-event.ts";
import { isProgram, type OrganizationCaller } from "../../steps/authorization/authorize-member.ts";
import { refuseProtected } from "../../steps/authorization/protected-users.ts";

export interface FactorReset {
  readonly caller: OrganizationCaller;
  readonly userId: string;
  readonly client: RequestContext;
}

const NO_SUCH_MEMBER = refusal("not_found", "There is no such member.");
const ABOVE_CALLER = refusal("forbidden", "This member has a permission that you lack.");

/**
 * DELETE /v1/orgs/:org_id/members/:user_id/factor (docs/contract.md, section 29.19): the member sets a new factor up
 * after the next single sign-on. Without the comparison of permissions, an administrator of the identity provider could
 * sign in as an owner.
 */
export async function resetOrganizationFactor(
  deps: StoreDeps,
  { caller, userId, client }: FactorReset,
): Promise<Result<void, Refusal<"forbidden" | "not_found">>> {
  const { organizationId, actor } = caller;
  const at = new Date(deps.clock.now());
  const resource = { type: "user", id: userId } as const;
  const entry = userAuditEvent(deps, actor, client, { action: "sso.factor.reset", at, resource });
  return await deps.database.transaction("organization_factor.reset", async (sql) => {
    await lockMemberships(sql, organizationId, [actor.userId, userId]);
    const own = isProgram(caller) ? caller : await findPower(sql, organizationId, actor.userId);
    const target = await findPower(sql, organizationId, userId);
    if (!target) return err(NO_SUCH_MEMBER);
    const unprotected = await refuseProtected(sql, caller, [userId]);
    if (!unprotected.ok) return unprotected;
    if (!own || !holds(own, "sso.manage") || !mayChange(own, target)) return err(ABOVE_CALLER);
    const factor = deleteOrganizationFactor(sql, { userId, organizationId });
    await sql`with deleted as (${factor}) ${insertAudit(sql, entry, sql`from deleted`)}`;
    return ok(undefined);
  });
}
