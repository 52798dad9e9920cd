import { invalidInput } from "../../base/invalid-input.ts";
import { type Refusal, refusal } from "../../base/problem.ts";
import type { RequestContext } from "../../base/request-context.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Sql } from "../../database/database.ts";
import type { Deps, EmailDeps, SessionDeps } from "../../deps.ts";
import { ROLES_PER_MEMBER_MAX } from "../../limits/role-limits.ts";
import { recordAudit } from "../../models/audit/audit.ts";
import type { AssignedRole } from "../../models/conditions/member-grants.ts";
import { findMember, findPower, type Member } from "../../models/member/members.ts";
import { listAssignedRoles, listHeldRoleIds, replaceMemberRoles } from "../../models/organization-role/member-role.ts";
import { findRoles, type OrganizationRole } from "../../models/organization-role/organization-role.ts";
import { ROLES_CHANGED, type SessionEvent } from "../../models/session/revocation.ts";
import { mayChange } from "../../vocabulary/member-power.ts";
import { userAuditEvent } from "../steps/audit/audit-event.ts";
import type { OrganizationCaller } from "../steps/authorization/authorize-member.ts";
import { authorizeRole, type LockedEditor, lockEditor } from "../steps/authorization/authorize-role-edit.ts";
import { refuseProtected } from "../steps/authorization/protected-users.ts";
import { authorizeMemberGrant } from "../steps/channels/authorize-member-grant.ts";
import { channelMetadata, notifyConfirmation, notifyPromotion } from "../steps/channels/notify-grant.ts";
import { mailCreations } from "../steps/creations/creations.ts";
import { logPowerChange } from "../steps/power/end-uncovered-sessions.ts";
import { turnOf } from "./role-owner.ts";

export interface AssignRolesInput {
  /** Has `members.role`. */
  readonly caller: OrganizationCaller;
  readonly userId: string;
  readonly roleIds: readonly string[];
  /** Accepts the channels whose people lack the power (docs/contract.md, section 32.9). */
  readonly confirm?: boolean | undefined;
  readonly client: RequestContext;
}

type AssignmentProblem = Refusal<"conflict" | "forbidden" | "invalid_input" | "not_found">;

const NO_SUCH_MEMBER = refusal("not_found", "There is no such member.");
const OWN_ROLES = refusal("forbidden", "You cannot change your own roles.");
const ABOVE_CALLER = refusal("forbidden", "This member has a permission that you do not have.");
const TOO_MANY = invalidInput("role_ids", "too_long", `at most ${ROLES_PER_MEMBER_MAX}`);
const UNKNOWN_ROLE = invalidInput("role_ids", "unknown_value", "a role that the organization cannot use");

/** Validates the ids of roles; returns each id once. */
export function validateRoleIds(roleIds: readonly string[]): Result<readonly string[], Refusal<"invalid_input">> {
  const unique = [...new Set(roleIds.map((id) => id.toLowerCase()))];
  return unique.length > ROLES_PER_MEMBER_MAX ? err(TOO_MANY) : ok(unique);
}

/**
 * PUT /v1/orgs/:org_id/members/:user_id/roles (docs/contract.md, section 32.6): replaces the manually assigned roles.
 * The member's sessions have the new permissions at once.
 */
export async function assignRoles(
  deps: SessionDeps & EmailDeps,
  input: AssignRolesInput,
): Promise<Result<Member, AssignmentProblem>> {
  const { caller, userId } = input;
  if (userId === caller.actor.userId) return err(OWN_ROLES);
  const roleIds = validateRoleIds(input.roleIds);
  if (!roleIds.ok) return roleIds;
  const outcome = await deps.database.transaction(
    "member.assign_roles",
    (sql) => persistRoles(deps, sql, { ...input, roleIds: roleIds.value }),
    turnOf(caller.organizationId),
  );
  if (!outcome.ok) return outcome;
  deps.outbox.wake();
  await deps.revocations.announce(outcome.value);
  const member = await deps.database.run("member.find_one", (sql) => findMember(sql, caller.organizationId, userId));
  return member ? ok(member) : err(NO_SUCH_MEMBER);
}

/** Returns the events to announce after the commit; none for unchanged roles. */
async function persistRoles(
  deps: SessionDeps & EmailDeps,
  sql: Sql,
  { caller, userId, roleIds, client, confirm = false }: AssignRolesInput,
): Promise<Result<readonly SessionEvent[], AssignmentProblem>> {
  const { organizationId, actor } = caller;
  const unprotected = await refuseProtected(sql, caller, [userId]);
  if (!unprotected.ok) return unprotected;
  const before = await listAssignedRoles(sql, organizationId, userId);
  const manual = before.filter(({ source }) => source === "manual").map(({ id }) => id);
  const lock = { caller, targetIds: [userId], roleIds: [...roleIds, ...manual] };
  const editor = await lockEditor(sql, { ...lock, permission: "members.role" });
  if (!editor.ok) return editor;
  const current = await listAssignedRoles(sql, organizationId, userId);
  const authorized = await authorizeAssignment(sql, editor.value, { organizationId, userId, roleIds, current });
  if (!authorized.ok) return authorized;
  const { added, removed } = authorized.value;
  if (added.length + removed.length === 0) return ok([]);
  const at = new Date(deps.clock.now());
  const power = { role: "member", granted: added.flatMap(({ permissions }) => permissions) } as const;
  const grant = { organizationId, grant: "additional_roles", userIds: [userId], added: power, at } as const;
  const granted = await authorizeMemberGrant(sql, grant, confirm);
  if (!granted.ok) return granted;
  await replaceMemberRoles(sql, { organizationId, userId, roleIds, source: "manual", at });
  const resource = { type: "user", id: userId } as const;
  const metadata = { added: keysOf(added), removed: keysOf(removed), ...channelMetadata(granted.value) };
  const event = { action: "member.roles_changed", at, resource, metadata } as const;
  await recordAudit(sql, userAuditEvent(deps, actor, client, event));
  if (added.length > 0) await notifyPromotion(deps, sql, { organizationId, userId, client, at });
  if (removed.length > 0) await mailCreations(deps, sql, { organizationId, userId, client, at });
  await notifyConfirmation(deps, sql, { organizationId, channels: granted.value, client, at });
  const changed = { organizationId, userIds: [userId], actor, client, reason: ROLES_CHANGED, at };
  return ok(await logPowerChange(deps, sql, changed));
}

interface RoleDifference {
  readonly added: readonly OrganizationRole[];
  readonly removed: readonly OrganizationRole[];
}

/** Authorizes the member, and every role that the assignment adds or removes. */
async function authorizeAssignment(
  sql: Sql,
  editor: LockedEditor,
  wanted: Pick<AssignRolesInput, "roleIds" | "userId"> & {
    readonly organizationId: string;
    readonly current: readonly AssignedRole[];
  },
): Promise<Result<RoleDifference, Refusal<"forbidden" | "invalid_input" | "not_found">>> {
  const { organizationId, userId, roleIds, current } = wanted;
  const target = await findPower(sql, organizationId, userId);
  if (!target) return err(NO_SUCH_MEMBER);
  if (!mayChange(editor, target)) return err(ABOVE_CALLER);
  const held = current.filter(({ source }) => source === "manual").map(({ id }) => id);
  const roles = new Map(editor.roles.map((role) => [role.id, role]));
  if (!roleIds.every((id) => roles.has(id))) return err(UNKNOWN_ROLE);
  const others = new Set(current.filter(({ source }) => source !== "manual").map(({ id }) => id));
  if (new Set([...others, ...roleIds]).size > ROLES_PER_MEMBER_MAX) return err(TOO_MANY);
  const added = roleIds.filter((id) => !held.includes(id)).flatMap((id) => roles.get(id) ?? []);
  const removed = held.filter((id) => !roleIds.includes(id)).flatMap((id) => roles.get(id) ?? []);
  for (const { id, permissions } of [...added, ...removed]) {
    const authorized = authorizeRole(editor, permissions, id);
    if (!authorized.ok) return authorized;
  }
  return ok({ added, removed });
}

function keysOf(roles: readonly OrganizationRole[]): string {
  return roles.map(({ key }) => key).join(" ");
}

/** The roles of an invitation, each of which the caller could assign now. */
export async function authorizeInvitedRoles(
  deps: Pick<Deps, "database">,
  caller: OrganizationCaller,
  roleIds: readonly string[],
): Promise<Result<readonly string[], Refusal<"forbidden" | "invalid_input">>> {
  const valid = validateRoleIds(roleIds);
  if (!valid.ok || valid.value.length === 0) return valid;
  const { organizationId } = caller;
  const roles = await deps.database.run("organization_role.find", (sql) => findRoles(sql, organizationId, valid.value));
  if (roles.length < valid.value.length) return err(UNKNOWN_ROLE);
  const heldRoleIds = await deps.database.run("member.list_held_roles", (sql) =>
    listHeldRoleIds(sql, organizationId, caller.actor.userId),
  );
  const editor = { ...caller, heldRoleIds, roles };
  const refused = roles
    .map(({ id, permissions }) => authorizeRole(editor, permissions, id))
    .find(({ ok: isOk }) => !isOk);
  return refused && !refused.ok ? refused : valid;
}
