/** Creation, change and deletion of groups of members (docs/contract.md, section 34.1). */
import { NAME_FLAW, normalizeName, validateDescription } from "../../base/display-name.ts";
import { type FieldFlaw, hasFlaws, invalidFields, invalidInput } from "../../base/invalid-input.ts";
import { type Refusal, refusal } from "../../base/problem.ts";
import type { RequestContext } from "../../base/request-context.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Sql } from "../../database/database.ts";
import { type DisplayedVersion, isVersion, lockName } from "../../database/statement.ts";
import type { EmailDeps, SessionDeps } from "../../deps.ts";
import { MEMBER_GROUPS_MAX } from "../../limits/group-limits.ts";
import { ROLES_PER_MEMBER_MAX } from "../../limits/role-limits.ts";
import { insertAudit } from "../../models/audit/audit.ts";
import {
  followGroups,
  listRoleIdsOfGroup,
  replaceRolesOfGroup,
  wouldExceedRoles,
} from "../../models/member-group/group-roles.ts";
import {
  countGroups,
  deleteGroup,
  insertGroup,
  type ListedGroup,
  listGroupMemberIds,
  type MemberGroup,
  updateGroup,
} from "../../models/member-group/member-group.ts";
import type { OrganizationRole } from "../../models/organization-role/organization-role.ts";
import { logChangeOfOrganization, ROLES_CHANGED, type SessionEvent } from "../../models/session/revocation.ts";
import type { AuditAction } from "../../vocabulary/audit-action.ts";
import { validateRoleIds } from "../roles/assign-roles.ts";
import { userAuditEvent } from "../steps/audit/audit-event.ts";
import type { OrganizationCaller } from "../steps/authorization/authorize-member.ts";
import { authorizeMemberGrant } from "../steps/channels/authorize-member-grant.ts";
import type { ChannelHolder } from "../steps/channels/channels.ts";
import { channelMetadata, notifyConfirmation } from "../steps/channels/notify-grant.ts";
import { mailCreationsOfMembers } from "../steps/creations/creations.ts";
import { endUncoveredSessions } from "../steps/power/end-uncovered-sessions.ts";
import { tokensDeadAt } from "../steps/sessions/end-sessions.ts";
import { authorizeGroupEdit, lockManualGroup } from "./authorize-group-edit.ts";
import { findMemberGroup } from "./list-groups.ts";

const NAME_TAKEN = refusal("conflict", "A group with this name exists.");
const CHANGED_SINCE = refusal("conflict", "Another editor has changed the group since the display.");
const TOO_MANY_GROUPS = refusal("conflict", `There are already ${MEMBER_GROUPS_MAX} groups.`);
export const TOO_MANY_ROLES = invalidInput("role_ids", "too_long", `at most ${ROLES_PER_MEMBER_MAX} for every member`);
/** Changes of the groups of an organization run in sequence: names are unique, and the number is bounded. */
async function lockGroups(sql: Sql, organizationId: string): Promise<void> {
  await lockName(sql, `groups of ${organizationId}`);
}

interface GroupInput {
  /** Has `members.role`. */
  readonly caller: OrganizationCaller;
  readonly client: RequestContext;
}

/** The changeable settings of a group. */
export interface GroupSettings {
  readonly name: string;
  /** May be empty. */
  readonly description: string;
  readonly roleIds: readonly string[];
}

type GroupProblem = Refusal<"conflict" | "forbidden" | "invalid_input" | "not_found">;

/** POST /v1/orgs/:org_id/groups. */
export async function createGroup(
  deps: SessionDeps,
  { caller, client, settings }: GroupInput & { readonly settings: GroupSettings },
): Promise<Result<ListedGroup, GroupProblem>> {
  const at = new Date(deps.clock.now());
  const valid = validateSettings(settings);
  if (!valid.ok) return valid;
  const { organizationId } = caller;
  const { name, description, roleIds } = valid.value;
  const group = { id: deps.random.uuid(), organizationId, name, description, createdAt: at, updatedAt: at };
  const created = await deps.database.transaction("member_group.create", async (sql) => {
    await lockGroups(sql, organizationId);
    const edit = { caller, before: [], after: roleIds, userIds: [], changed: roleIds };
    const roles = await authorizeGroupEdit(sql, edit);
    if (!roles.ok) return roles;
    const { total, isNameTaken } = await countGroups(sql, organizationId, name);
    if (isNameTaken) return err(NAME_TAKEN);
    if (total >= MEMBER_GROUPS_MAX) return err(TOO_MANY_GROUPS);
    const entry = auditOf(deps, { caller, client }, "group.created", group, roles.value);
    await sql`with created as (${insertGroup(sql, group)}) ${insertAudit(sql, entry, sql`from created`)}`;
    await replaceRolesOfGroup(sql, "member_group_roles", group.id, roleIds);
    return ok(undefined);
  });
  return created.ok ? await findMemberGroup(deps, caller, group.id) : created;
}

interface ChangeGroupInput extends GroupInput {
  readonly id: string;
  readonly change: Partial<GroupSettings>;
  /** Accepts the channels whose people lack the power (docs/contract.md, section 32.9). */
  readonly confirm?: boolean | undefined;
  /** The version that a form displayed; a changed group is a `conflict`. Undefined: no condition. */
  readonly displayed?: DisplayedVersion;
}

/** PATCH …/groups/:id: absent members keep their values. Members have the new roles within a second. */
export async function changeGroup(
  deps: SessionDeps & EmailDeps,
  input: ChangeGroupInput,
): Promise<Result<ListedGroup, GroupProblem>> {
  const changed = await deps.database.transaction("member_group.update", (sql) => persistChange(deps, sql, input));
  if (!changed.ok) return changed;
  deps.outbox.wake();
  await deps.revocations.announce(changed.value);
  return await findMemberGroup(deps, input.caller, input.id);
}

async function persistChange(
  deps: SessionDeps & EmailDeps,
  sql: Sql,
  { caller, client, id, change, displayed, confirm = false }: ChangeGroupInput,
): Promise<Result<readonly SessionEvent[], GroupProblem>> {
  const { organizationId } = caller;
  await lockGroups(sql, organizationId);
  const group = await lockManualGroup(sql, organizationId, id);
  if (!group.ok) return group;
  if (displayed !== undefined && !isVersion(group.value.updatedAt, displayed)) return err(CHANGED_SINCE);
  const before = await listRoleIdsOfGroup(sql, id);
  const valid = validateSettings({ ...group.value, roleIds: before, ...change });
  if (!valid.ok) return valid;
  const { name, description, roleIds: after } = valid.value;
  const changed = [
    ...before.filter((each) => !after.includes(each)),
    ...after.filter((each) => !before.includes(each)),
  ];
  const userIds = changed.length === 0 ? [] : await listGroupMemberIds(sql, id);
  const roles = await authorizeGroupEdit(sql, { caller, before, after, userIds, changed });
  if (!roles.ok) return roles;
  if ((await countGroups(sql, organizationId, name, id)).isNameTaken) return err(NAME_TAKEN);
  const counted = { organizationId, groupId: id, userIds, max: ROLES_PER_MEMBER_MAX };
  if (await wouldExceedRoles(sql, counted, after)) return err(TOO_MANY_ROLES);
  const at = new Date(deps.clock.now());
  const added = roles.value.filter((role) => after.includes(role.id) && !before.includes(role.id));
  const power = { role: "member", granted: added.flatMap(({ permissions }) => permissions) } as const;
  const accepted = await authorizeMemberGrant(
    sql,
    { organizationId, grant: "group", userIds, added: power, at },
    confirm,
  );
  if (!accepted.ok) return accepted;
  const updated = { ...group.value, name, description, updatedAt: at };
  const granted = roles.value.filter((role) => after.includes(role.id));
  const entry = auditOf(deps, { caller, client }, "group.updated", updated, granted, accepted.value);
  await sql`with updated as (${updateGroup(sql, updated)}) ${insertAudit(sql, entry, sql`from updated`)}`;
  await replaceRolesOfGroup(sql, "member_group_roles", id, after);
  await notifyConfirmation(deps, sql, { organizationId, channels: accepted.value, client, at });
  const loses = before.some((each) => !after.includes(each));
  return ok(await changeRoles(deps, sql, { caller, client }, { userIds, at, loses }));
}

/** DELETE …/groups/:id: members lose the roles of the group within a second. */
export async function removeGroup(
  deps: SessionDeps & EmailDeps,
  { caller, client, id }: GroupInput & { readonly id: string },
): Promise<Result<void, GroupProblem>> {
  const { organizationId } = caller;
  const at = new Date(deps.clock.now());
  const removed = await deps.database.transaction("member_group.delete", async (sql) => {
    const group = await lockManualGroup(sql, organizationId, id);
    if (!group.ok) return group;
    const before = await listRoleIdsOfGroup(sql, id);
    const userIds = before.length === 0 ? [] : await listGroupMemberIds(sql, id);
    const roles = await authorizeGroupEdit(sql, { caller, before, after: [], userIds, changed: before });
    if (!roles.ok) return roles;
    const entry = auditOf(deps, { caller, client }, "group.deleted", { ...group.value, updatedAt: at }, roles.value);
    await sql`with deleted as (${deleteGroup(sql, id)}) ${insertAudit(sql, entry, sql`from deleted`)}`;
    return ok(await changeRoles(deps, sql, { caller, client }, { userIds, at, loses: true }));
  });
  if (!removed.ok) return removed;
  deps.outbox.wake();
  await deps.revocations.announce(removed.value);
  return ok(undefined);
}

/**
 * Sets the roles of the members by their groups; one event for all sessions of the organization. `loses`: emails the
 * owners what the members created and is still valid.
 */
async function changeRoles(
  deps: SessionDeps & EmailDeps,
  sql: Sql,
  { caller: { organizationId, actor }, client }: GroupInput,
  { userIds, at, loses }: { readonly userIds: readonly string[]; readonly at: Date; readonly loses: boolean },
): Promise<readonly SessionEvent[]> {
  const changed = await followGroups(sql, "group", organizationId, userIds, at);
  if (changed.length === 0) return [];
  const stale = { reason: ROLES_CHANGED, at, tokensDeadAt: tokensDeadAt(deps, at) };
  const ended = await endUncoveredSessions(deps, sql, { organizationId, userIds, actor, client });
  if (loses) await mailCreationsOfMembers(deps, sql, userIds, { organizationId, client, at });
  return [...ended, ...(await logChangeOfOrganization(sql, organizationId, stale))];
}

function validateSettings(settings: GroupSettings): Result<GroupSettings, Refusal<"invalid_input">> {
  const name = normalizeName(settings.name);
  const description = settings.description.trim() === "" ? ok("") : validateDescription(settings.description);
  const flaws: readonly FieldFlaw[] = [
    ...(name === undefined ? [{ field: "name", ...NAME_FLAW }] : []),
    ...(description.ok ? [] : [{ field: "description", ...description.error }]),
  ];
  if (hasFlaws(flaws)) return err(invalidFields(flaws));
  const roleIds = validateRoleIds(settings.roleIds);
  if (!roleIds.ok) return roleIds;
  return ok({
    name: name ?? settings.name,
    description: description.ok ? description.value : "",
    roleIds: roleIds.value,
  });
}

function auditOf(
  deps: Pick<SessionDeps, "random">,
  { caller, client }: GroupInput,
  action: Extract<AuditAction, `group.${string}`>,
  { id, name, updatedAt: at }: MemberGroup,
  roles: readonly OrganizationRole[],
  accepted: readonly ChannelHolder[] = [],
) {
  const metadata = { name, roles: roles.map(({ key }) => key).join(" "), ...channelMetadata(accepted) };
  return userAuditEvent(deps, caller.actor, client, { action, at, resource: { type: "group", id }, metadata });
}
