/** A membership that exists afterwards, added or changed (docs/contract.md, section 36.3). */
import { type Refusal, refusal } from "../../base/problem.ts";
import type { RequestContext } from "../../base/request-context.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Sql } from "../../database/database.ts";
import { decideInTransaction } from "../../database/decide.ts";
import type { EmailDeps, SessionDeps } from "../../deps.ts";
import { recordAudit } from "../../models/audit/audit.ts";
import { findMember, findPower, type Member } from "../../models/member/members.ts";
import { listAssignedRoles, replaceMemberRoles } from "../../models/organization-role/member-role.ts";
import { ROLES_CHANGED, type SessionEvent } from "../../models/session/revocation.ts";
import { lockPlatformRole } from "../../models/user/platform-role.ts";
import { findRecipient, type Recipient } from "../../models/user/user.ts";
import type { MemberRole } from "../../vocabulary/member-power.ts";
import { addMember, findGrantedRoles } from "../steps/accounts/add-member.ts";
import { userAuditEvent } from "../steps/audit/audit-event.ts";
import type { OrganizationCaller } from "../steps/authorization/authorize-member.ts";
import { permitRank } from "../steps/authorization/protected-users.ts";
import { authorizeMemberGrant } from "../steps/channels/authorize-member-grant.ts";
import { notifyPromotion } from "../steps/channels/notify-grant.ts";
import { logPowerChange } from "../steps/power/end-uncovered-sessions.ts";
import { changeRoleIn } from "./change.ts";

export interface PutMembership {
  readonly caller: OrganizationCaller;
  readonly user: Recipient & { readonly userId: string };
  /** Undefined: `member` for a new membership, else unchanged. */
  readonly role: MemberRole | undefined;
  /** Undefined: none for a new membership, else unchanged. */
  readonly roleIds: readonly string[] | undefined;
  readonly notify: boolean;
  readonly client: RequestContext;
  readonly at: Date;
}

export interface PutOutcome {
  readonly added: boolean;
  /** To announce after the commit. */
  readonly events: readonly SessionEvent[];
}

type PutProblem = Refusal<"conflict" | "forbidden" | "invalid_input" | "not_found">;

export interface PutMember extends Omit<PutMembership, "at" | "user"> {
  readonly userId: string;
}

const NO_SUCH_USER = refusal("not_found", "There is no such user.");

/** PUT /v1/admin/orgs/:id/members/:user_id. `caller`: with the power of an owner for the role `owner`. */
export async function putMember(
  deps: SessionDeps & EmailDeps,
  put: PutMember,
): Promise<Result<{ readonly member: Member; readonly added: boolean }, PutProblem>> {
  const { caller, userId } = put;
  const outcome = await decideInTransaction(deps.database, "member.put", (sql) => putIn(deps, sql, put));
  if (!outcome.ok) return outcome;
  deps.outbox.wake();
  await deps.revocations.announce(outcome.value.events);
  const member = await deps.database.run("member.find_one", (sql) => findMember(sql, caller.organizationId, userId));
  return member ? ok({ member, added: outcome.value.added }) : err(NO_SUCH_USER);
}

async function putIn(deps: SessionDeps & EmailDeps, sql: Sql, put: PutMember): Promise<Result<PutOutcome, PutProblem>> {
  const { caller, userId } = put;
  const target = await lockPlatformRole(sql, userId);
  const recipient = target && (await findRecipient(sql, userId));
  if (!target || !recipient) return err(NO_SUCH_USER);
  const { platformRole = null } = caller;
  const ranked = permitRank(platformRole, target.role);
  if (!ranked.ok) return ranked;
  return await putMembershipIn(deps, sql, { ...put, user: { ...recipient, userId }, at: new Date(deps.clock.now()) });
}

/** Inside a transaction that a refusal rolls back: adds the user, or changes role and additional roles. */
export async function putMembershipIn(
  deps: SessionDeps & EmailDeps,
  sql: Sql,
  put: PutMembership,
): Promise<Result<PutOutcome, PutProblem>> {
  const { caller, user, role, roleIds } = put;
  const { userId } = user;
  if (!(await findPower(sql, caller.organizationId, userId))) {
    const added = await addMember(deps, sql, {
      ...put,
      isNewUser: false,
      role: role ?? "member",
      roleIds: roleIds ?? [],
    });
    return added.ok ? ok({ added: true, events: [] }) : added;
  }
  const changed = role === undefined ? ok([]) : await changeRoleIn(deps, sql, { ...put, userId, role });
  if (!changed.ok) return changed;
  const roles = roleIds === undefined ? ok([]) : await replaceRoles(deps, sql, put, roleIds);
  return roles.ok ? ok({ added: false, events: [...changed.value, ...roles.value] }) : roles;
}

/** Replaces the manually assigned roles; unchanged roles are neither written nor recorded. */
async function replaceRoles(
  deps: SessionDeps & EmailDeps,
  sql: Sql,
  { caller, user: { userId }, client, at }: PutMembership,
  given: readonly string[],
): Promise<Result<readonly SessionEvent[], PutProblem>> {
  const { organizationId } = caller;
  const assigned = await listAssignedRoles(sql, organizationId, userId);
  const held = assigned.filter(({ source }) => source === "manual");
  // The caller needs the permissions of removed roles too.
  const known = await findGrantedRoles(sql, caller, [...given, ...held.map(({ id }) => id)]);
  if (!known.ok) return known;
  const wanted = known.value.filter(({ id }) => given.some((each) => each.toLowerCase() === id));
  const added = wanted.filter(({ id }) => held.every((each) => each.id !== id));
  const removed = held.filter(({ id }) => wanted.every((each) => each.id !== id));
  if (added.length + removed.length === 0) return ok([]);
  const power = { role: "member", granted: added.flatMap(({ permissions }) => permissions) } as const;
  const grant = { organizationId, grant: "additional_roles", userIds: [userId], added: power, at } as const;
  const compared = await authorizeMemberGrant(sql, grant, false);
  if (!compared.ok) return compared;
  const roleIds = wanted.map(({ id }) => id);
  await replaceMemberRoles(sql, { organizationId, userId, roleIds, source: "manual", at });
  const keys = (roles: readonly { readonly key: string }[]) => roles.map(({ key }) => key).join(" ");
  const resource = { type: "user", id: userId } as const;
  const metadata = { added: keys(added), removed: keys(removed) };
  const actor = { ...caller.actor, organizationId };
  const event = { action: "member.roles_changed", at, resource, metadata } as const;
  await recordAudit(sql, userAuditEvent(deps, actor, client, event));
  if (added.length > 0) await notifyPromotion(deps, sql, { organizationId, userId, client, at });
  const changed = { organizationId, userIds: [userId], actor, client, reason: ROLES_CHANGED, at };
  return ok(await logPowerChange(deps, sql, changed));
}

/** Whether `putMembershipIn` would write for a membership: a difference of role or manual roles. */
export async function membershipDiffers(
  sql: Sql,
  organizationId: string,
  userId: string,
  { role, roleIds }: Pick<PutMembership, "role" | "roleIds">,
): Promise<boolean> {
  const power = await findPower(sql, organizationId, userId);
  if (!power || (role !== undefined && power.role !== role)) return true;
  if (roleIds === undefined) return false;
  const assigned = await listAssignedRoles(sql, organizationId, userId);
  const held = new Set(assigned.filter(({ source }) => source === "manual").map(({ id }) => id));
  const wanted = new Set(roleIds.map((id) => id.toLowerCase()));
  return held.size !== wanted.size || [...wanted].some((id) => !held.has(id));
}
