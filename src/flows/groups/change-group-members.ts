/** PUT, DELETE /v1/orgs/:org_id/groups/:id/members/:user_id (docs/contract.md, section 34.1). */
import { invalidInput } from "../../base/invalid-input.ts";
import { type Refusal, refusal } from "../../base/problem.ts";
import type { RequestContext } from "../../base/request-context.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Sql } from "../../database/database.ts";
import type { EmailDeps, SessionDeps } from "../../deps.ts";
import { MEMBERS_PER_GROUP_MAX } from "../../limits/group-limits.ts";
import { ROLES_PER_MEMBER_MAX } from "../../limits/role-limits.ts";
import { recordAudit } from "../../models/audit/audit.ts";
import { findPower } from "../../models/member/members.ts";
import { followGroups, listRoleIdsOfGroup, wouldExceedRoles } from "../../models/member-group/group-roles.ts";
import {
  deleteGroupMember,
  insertGroupMember,
  isInGroup,
  listGroupMemberIds,
} from "../../models/member-group/member-group.ts";
import { ROLES_CHANGED, type SessionEvent } from "../../models/session/revocation.ts";
import { userAuditEvent } from "../steps/audit/audit-event.ts";
import type { OrganizationCaller } from "../steps/authorization/authorize-member.ts";
import { authorizeMemberGrant } from "../steps/channels/authorize-member-grant.ts";
import { channelMetadata, notifyConfirmation, notifyPromotion } from "../steps/channels/notify-grant.ts";
import { mailCreations } from "../steps/creations/creations.ts";
import { logPowerChange } from "../steps/power/end-uncovered-sessions.ts";
import { authorizeGroupEdit, lockManualGroup } from "./authorize-group-edit.ts";

export interface GroupMemberChange {
  /** Has `members.role`. */
  readonly caller: OrganizationCaller;
  readonly groupId: string;
  readonly userId: string;
  readonly kind: "add" | "remove";
  /** Accepts the channels whose people lack the power (docs/contract.md, section 32.9). */
  readonly confirm?: boolean | undefined;
  readonly client: RequestContext;
}

type ChangeProblem = Refusal<"conflict" | "forbidden" | "invalid_input" | "not_found">;

const NO_SUCH_MEMBER = refusal("not_found", "There is no such member.");
const FULL = refusal("conflict", `The group already has ${MEMBERS_PER_GROUP_MAX} members.`);
const TOO_MANY_ROLES = invalidInput("user_id", "too_long", `a member has at most ${ROLES_PER_MEMBER_MAX} roles`);
/** Adds a member to a group, or removes the member; the member's sessions have the new permissions at once. */
export async function changeGroupMember(
  deps: SessionDeps & EmailDeps,
  change: GroupMemberChange,
): Promise<Result<void, ChangeProblem>> {
  const changed = await deps.database.transaction("member_group.change_member", (sql) =>
    persistChange(deps, sql, change),
  );
  if (!changed.ok) return changed;
  deps.outbox.wake();
  await deps.revocations.announce(changed.value);
  return ok(undefined);
}

async function persistChange(
  deps: SessionDeps & EmailDeps,
  sql: Sql,
  { caller, groupId, userId, kind, client, confirm = false }: GroupMemberChange,
): Promise<Result<readonly SessionEvent[], ChangeProblem>> {
  const { organizationId, actor } = caller;
  const group = await lockManualGroup(sql, organizationId, groupId);
  if (!group.ok) return group;
  const roleIds = await listRoleIdsOfGroup(sql, groupId);
  const edit = { caller, before: roleIds, after: roleIds, userIds: [userId], changed: roleIds };
  const roles = await authorizeGroupEdit(sql, edit);
  if (!(await findPower(sql, organizationId, userId))) return err(NO_SUCH_MEMBER);
  if (!roles.ok) return roles;
  const place = { groupId, organizationId, userId };
  if ((await isInGroup(sql, place)) === (kind === "add")) return ok([]);
  const at = new Date(deps.clock.now());
  const admitted = kind === "add" ? await validateAddition(sql, place, roleIds) : ok(undefined);
  if (!admitted.ok) return admitted;
  const permissions = kind === "add" ? roles.value.flatMap((role) => role.permissions) : [];
  const power = { role: "member", granted: permissions } as const;
  const grant = { organizationId, grant: "group", userIds: [userId], added: power, at } as const;
  const granted = await authorizeMemberGrant(sql, grant, confirm);
  if (!granted.ok) return granted;
  await (kind === "add" ? insertGroupMember(sql, place, at) : deleteGroupMember(sql, place));
  const action = kind === "add" ? "group.member_added" : "group.member_removed";
  const keys = roles.value.map(({ key }) => key).join(" ");
  const metadata = { user_id: userId, roles: keys, ...channelMetadata(granted.value) };
  const resource = { type: "group", id: groupId } as const;
  await recordAudit(sql, userAuditEvent(deps, actor, client, { action, at, resource, metadata }));
  const changed = await followGroups(sql, "group", organizationId, [userId], at);
  if (kind === "remove" && changed.length > 0) await mailCreations(deps, sql, { organizationId, userId, client, at });
  if (permissions.length > 0) await notifyPromotion(deps, sql, { organizationId, userId, client, at });
  await notifyConfirmation(deps, sql, { organizationId, channels: granted.value, client, at });
  const userIds = changed.length === 0 ? [] : [userId];
  return ok(await logPowerChange(deps, sql, { organizationId, userIds, actor, client, reason: ROLES_CHANGED, at }));
}

async function validateAddition(
  sql: Sql,
  { groupId, organizationId, userId }: { groupId: string; organizationId: string; userId: string },
  roleIds: readonly string[],
): Promise<Result<void, Refusal<"conflict" | "invalid_input">>> {
  if ((await listGroupMemberIds(sql, groupId)).length >= MEMBERS_PER_GROUP_MAX) return err(FULL);
  const counted = { organizationId, groupId, userIds: [userId], max: ROLES_PER_MEMBER_MAX };
  return (await wouldExceedRoles(sql, counted, roleIds)) ? err(TOO_MANY_ROLES) : ok(undefined);
}
