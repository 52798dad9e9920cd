import { type Refusal, refusal } from "../../base/problem.ts";
import type { RequestContext } from "../../base/request-context.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Sql } from "../../database/database.ts";
import type { StoreDeps } from "../../deps.ts";
import { insertAudit } from "../../models/audit/audit.ts";
import {
  lockRoleHolders,
  type PlatformRole,
  type RoleHolder,
  updatePlatformRole,
} from "../../models/user/platform-role.ts";
import { userAuditEvent } from "../steps/audit/audit-event.ts";
import type { RoleGrantor } from "../steps/authorization/authorize-role-grant.ts";

export interface GrantInput {
  readonly caller: RoleGrantor;
  readonly userId: string;
  /** Null revokes the role. */
  readonly role: PlatformRole | null;
  readonly client: RequestContext;
}

type GrantRefusal = Refusal<"conflict" | "forbidden" | "not_found">;

const OWN_ROLE = refusal("forbidden", "A user cannot change the user's own platform role.");
const NO_OWNER = refusal("forbidden", "This needs the platform role owner.");
const NO_SUCH_USER = refusal("not_found", "There is no such user.");
const NOT_CONTROLLED = refusal("conflict", "This user is disabled or has not confirmed the email address.");

/**
 * Grants or revokes a platform role (docs/contract.md, section 14.1). A user cannot change the user's own role, and the
 * grantor is read again under lock, so when two owners demote one another, one owner remains. A role is granted only to
 * an enabled user who has proven control of the mailbox: a third party can register with any address.
 */
export async function grantPlatformRole(
  deps: StoreDeps,
  { caller, userId, role, client }: GrantInput,
): Promise<Result<void, GrantRefusal>> {
  const actorId = caller.session.userId;
  if (userId === actorId) return err(OWN_ROLE);
  return await deps.database.transaction("user.grant_platform_role", async (sql) => {
    const holders = await lockRoleHolders(sql, userId, actorId);
    const target = holders.find((holder) => holder.userId === userId);
    const refused = authorizeGrant(holders, actorId, target, role);
    if (refused || !target) return err(refused ?? NO_SUCH_USER);
    if (target.role !== role) await persistRole(deps, sql, { caller, userId, role, client });
    return ok(undefined);
  });
}

function authorizeGrant(
  holders: readonly RoleHolder[],
  actorId: string,
  target: RoleHolder | undefined,
  role: PlatformRole | null,
): GrantRefusal | undefined {
  const actor = holders.find((holder) => holder.userId === actorId);
  if (actor?.role !== "owner" || actor.disabled) return NO_OWNER;
  if (!target) return NO_SUCH_USER;
  return role !== null && (target.disabled || !target.isMailboxOwner) ? NOT_CONTROLLED : undefined;
}

async function persistRole(deps: StoreDeps, sql: Sql, { caller, userId, role, client }: GrantInput): Promise<void> {
  const at = new Date(deps.clock.now());
  const entry = userAuditEvent(deps, caller.actor, client, {
    action: role === null ? "platform_role.revoked" : "platform_role.granted",
    at,
    resource: { type: "user", id: userId },
    metadata: { role: role ?? "none", source: "console" },
  });
  await sql`
    with changed as (${updatePlatformRole(sql, userId, role, at)})
    ${insertAudit(sql, entry, sql`from changed`)}`;
}
