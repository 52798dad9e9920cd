import { type Refusal, refusal } from "../../base/problem.ts";
import type { RequestContext } from "../../base/request-context.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Sql } from "../../database/database.ts";
import type { EmailDeps, SessionDeps } from "../../deps.ts";
import { recordAudit } from "../../models/audit/audit.ts";
import { findProgramHolder } from "../../models/channel/channel-holder.ts";
import { isProvisioned } from "../../models/directory/directory.ts";
import { findMember, findPower, lockMemberships, lockOwners, type Member } from "../../models/member/members.ts";
import type { SessionEvent } from "../../models/session/revocation.ts";
import { findPlatformRoleOf, includesRole } from "../../models/user/platform-role.ts";
import {
  holds,
  isAtLeast,
  MEMBER_ROLES,
  type MemberPower,
  type MemberRole,
  mayChange,
  mayGrant,
} from "../../vocabulary/member-power.ts";
import { changeMemberRole, revokeReceivedInvitations } from "../steps/accounts/change-member-role.ts";
import { endMembership } from "../steps/accounts/end-membership.ts";
import { keepBreakGlass } from "../steps/accounts/keep-break-glass.ts";
import { rememberRemoval } from "../steps/accounts/member-removal.ts";
import { isProgramActor, userAuditEvent } from "../steps/audit/audit-event.ts";
import {
  authorizeLeaving,
  authorizePrincipal,
  type MembershipDeps,
  type MembershipProblem,
  type OrganizationCaller,
} from "../steps/authorization/authorize-member.ts";
import type { Principal } from "../steps/authorization/authorize-platform-role.ts";
import { HIGHER_ROLE, refuseProtected } from "../steps/authorization/protected-users.ts";
import { powerOverRoles } from "../steps/authorization/require-responsible.ts";
import { authorizeMemberGrant } from "../steps/channels/authorize-member-grant.ts";
import { channelMetadata, notifyConfirmation, notifyPromotion } from "../steps/channels/notify-grant.ts";
import type { ComposeDeps } from "../steps/email/compose-email.ts";
import { presentPower } from "../steps/power/holder-power.ts";

export interface MemberChange {
  /** Has `members.role` for a change, or is from `authorizeRemoval`. */
  readonly caller: OrganizationCaller;
  readonly userId: string;
  readonly client: RequestContext;
}

interface RoleChange extends MemberChange {
  readonly role: MemberRole;
  /** Accepts the channels whose people lack the power (docs/contract.md, section 32.9). */
  readonly confirm?: boolean | undefined;
}

const NO_SUCH_MEMBER = refusal("not_found", "There is no such member.");
const LAST_OWNER = refusal("conflict", "An organization keeps at least one owner.");
const PROVISIONED = refusal("conflict", "The directory of the organization manages this member.");
const NOT_ALLOWED = refusal("forbidden", "Your role does not permit this.");

/** The built-in roles grantable by a member, from least to most privileged. */
export function grantableRoles(power: MemberPower): readonly MemberRole[] {
  return MEMBER_ROLES.filter((each) => mayGrant(power, each));
}

export interface Removal {
  readonly organizationId: string;
  readonly userId: string;
  /** Needed for the removal of another user. */
  readonly permission: "members.remove";
}

/** Authorizes a caller with the permission, a key, or the member itself. */
export async function authorizeRemoval(
  deps: MembershipDeps,
  principal: Principal,
  { organizationId, userId, permission }: Removal,
): Promise<Result<OrganizationCaller, MembershipProblem>> {
  if ("key" in principal || userId !== principal.session.userId) {
    return await authorizePrincipal(deps, principal, organizationId, permission);
  }
  const leaving = await authorizeLeaving(deps, principal.session, organizationId);
  return leaving.ok ? ok(leaving.value.caller) : leaving;
}

/**
 * PATCH /v1/orgs/:org_id/members/:user_id (docs/contract.md, section 13.8). The member's sessions have the new role at
 * once; invitations beyond the new role are revoked.
 */
export async function changeRole(
  deps: SessionDeps & EmailDeps,
  input: RoleChange,
): Promise<Result<Member, Refusal<"conflict" | "forbidden" | "not_found">>> {
  const { caller, userId } = input;
  const outcome = await deps.database.transaction("member.change_role", (sql) => changeRoleIn(deps, sql, input));
  if (!outcome.ok) return outcome;
  deps.outbox.wake();
  await deps.revocations.announce(outcome.value);
  const member = await deps.database.run("member.find_one", (sql) => findMember(sql, caller.organizationId, userId));
  return member ? ok(member) : err(NO_SUCH_MEMBER);
}

/** Inside a transaction: as `changeRole`. Returns the events to announce after the commit. */
export async function changeRoleIn(
  deps: SessionDeps & ComposeDeps,
  sql: Sql,
  input: RoleChange,
): Promise<Result<readonly SessionEvent[], Refusal<"conflict" | "forbidden" | "not_found">>> {
  const current = await authorizeChange(sql, input, input.role);
  if (!current.ok) return current;
  return current.value === input.role ? ok([]) : await persistRole(deps, sql, input, current.value);
}

/** Compares a promotion with the channels that reach the account, and tells the member and the owners. */
async function persistRole(
  deps: SessionDeps & ComposeDeps,
  sql: Sql,
  { caller, userId, role: to, confirm = false, client }: RoleChange,
  from: MemberRole,
): Promise<Result<readonly SessionEvent[], Refusal<"conflict">>> {
  const { organizationId, actor } = caller;
  const at = new Date(deps.clock.now());
  const added = { role: to, granted: [] };
  const request = { organizationId, grant: "member_role", userIds: [userId], added, at } as const;
  const granted = await authorizeMemberGrant(sql, request, confirm);
  if (!granted.ok) return granted;
  const metadata = channelMetadata(granted.value);
  const member = { organizationId, actor, userId, client };
  const events = await changeMemberRole(deps, sql, member, { from, to, metadata });
  if (!isAtLeast(from, to)) await notifyPromotion(deps, sql, { ...member, at });
  await notifyConfirmation(deps, sql, { organizationId, channels: granted.value, client, at });
  return ok(events);
}

/**
 * DELETE /v1/orgs/:org_id/members/:user_id (docs/contract.md, section 13.9): revokes the member's sessions that are in
 * this organization or have just left this organization, and the member's invitations.
 */
export async function removeMember(
  deps: SessionDeps & EmailDeps,
  input: MemberChange,
): Promise<Result<void, Refusal<"conflict" | "forbidden" | "not_found">>> {
  const { caller, userId, client } = input;
  const { organizationId } = caller;
  const outcome = await deps.database.transaction("member.remove", async (sql) => {
    const current = await authorizeChange(sql, input, undefined);
    if (!current.ok) return current;
    const at = new Date(deps.clock.now());
    if (userId !== caller.actor.userId) {
      await rememberRemoval(deps, sql, organizationId, userId, at);
      await revokeReceivedInvitations(deps, sql, { organizationId, userId, actor: caller.actor, client });
    }
    const resource = { type: "user", id: userId } as const;
    const metadata = { role: current.value };
    const auditEvent = { action: "member.removed", at, resource, metadata } as const;
    await recordAudit(sql, userAuditEvent(deps, caller.actor, client, auditEvent));
    const membership = { organizationId, userId, actor: caller.actor, client };
    return ok(await endMembership(deps, sql, { ...membership, reason: "member_removed" }));
  });
  if (!outcome.ok) return outcome;
  deps.outbox.wake();
  await deps.revocations.announce(outcome.value);
  return ok(undefined);
}

/**
 * Authorizes the change under lock. Owners are locked first and in one order, so when two owners demote one another,
 * the second waits and then reads its own new role (G6). Returns the target's role. `to`: undefined for a removal.
 */
async function authorizeChange(
  sql: Sql,
  input: MemberChange,
  to: MemberRole | undefined,
): Promise<Result<MemberRole, Refusal<"conflict" | "forbidden" | "not_found">>> {
  const { caller, userId } = input;
  const { organizationId, actor } = caller;
  const owners = await lockOwners(sql, organizationId);
  const isMember = !isProgramActor(actor) && caller.platformRole === undefined;
  const acting = isMember ? actor.userId : caller.responsibleId;
  await lockMemberships(sql, organizationId, [...(acting === null ? [] : [acting]), userId]);
  const own = isMember ? await findPower(sql, organizationId, actor.userId) : powerOverRoles(caller);
  const isOfOrganization = isProgramActor(actor) && caller.platformProgram === undefined;
  const maker = isOfOrganization ? await findMakerPower(sql, caller) : own;
  const target = await findPower(sql, organizationId, userId);
  if (!own || !maker) return err(NOT_ALLOWED);
  if (!target) return err(NO_SUCH_MEMBER);
  const unprotected = await refuseProtected(sql, caller, [userId]);
  if (!unprotected.ok) return unprotected;
  if (!(await mayActOn(sql, caller, userId))) return err(HIGHER_ROLE);
  const isSelf = userId === actor.userId;
  if (!mayChange(own, target) || !mayChange(maker, target)) return err(NOT_ALLOWED);
  if (to !== undefined && !isAtLeast(own.role, to)) return err(NOT_ALLOWED);
  const needed = to === undefined ? "members.remove" : "members.role";
  if (!holds(maker, needed) && !(isSelf && to === undefined)) return err(NOT_ALLOWED);
  const isLastOwner = owners.every((owner) => owner === userId);
  if (target.role === "owner" && to !== "owner" && isLastOwner) return err(LAST_OWNER);
  if (target.role === "owner" && to !== "owner") {
    const kept = await keepBreakGlass(sql, userId, { organizationId });
    if (!kept.ok) return kept;
  }
  if (target.role !== "owner" && (await isProvisioned(sql, organizationId, userId))) return err(PROVISIONED);
  return ok(target.role);
}

/**
 * A key changes no more members than its maker could at the creation of the key and could now; undefined: the maker has
 * left, or is disabled or deleted.
 */
async function findMakerPower(sql: Sql, { organizationId, credential }: OrganizationCaller) {
  const maker = await findProgramHolder(sql, organizationId, credential.id);
  return maker && presentPower(maker);
}

/** An administrator of the platform changes no user with a higher platform role (docs/contract.md, section 14.1). */
async function mayActOn(sql: Sql, { platformRole }: OrganizationCaller, userId: string): Promise<boolean> {
  if (platformRole === undefined || platformRole === null) return true;
  const role = await findPlatformRoleOf(sql, userId);
  return role === null || includesRole(platformRole, role);
}
