/** The roles that a group of a directory grants (docs/contract.md, section 31.6). */
import { createHash } from "node:crypto";
import { invalidInput } from "../../base/invalid-input.ts";
import { changedMeanwhile, type Refusal, refusal } from "../../base/problem.ts";
import type { RequestContext } from "../../base/request-context.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Sql } from "../../database/database.ts";
import { type DisplayedVersion, isVersion } from "../../database/statement.ts";
import type { EmailDeps, SessionDeps } from "../../deps.ts";
import { ROLE_PREVIEW_MAX } from "../../limits/directory-limits.ts";
import { insertAudit } from "../../models/audit/audit.ts";
import { lockDirectory } from "../../models/directory/directory.ts";
import {
  type DirectoryGroup,
  findDirectoryGroup,
  listMemberIds,
  listUsersOfRecords,
  updateGroupRole,
} from "../../models/directory/directory-group.ts";
import { type PreviewedRole, previewGroupRole } from "../../models/directory/managed-account.ts";
import { listRoleIdsOfGroup, replaceRolesOfGroup } from "../../models/member-group/group-roles.ts";
import type { OrganizationRole } from "../../models/organization-role/organization-role.ts";
import type { SessionEvent } from "../../models/session/revocation.ts";
import { isAtLeast } from "../../vocabulary/member-power.ts";
import { validateRoleIds } from "../roles/assign-roles.ts";
import { userAuditEvent } from "../steps/audit/audit-event.ts";
import type { OrganizationCaller } from "../steps/authorization/authorize-member.ts";
import {
  authorizeRole,
  type LockedEditor,
  lockEditor,
  ROLE_ABOVE_CALLER,
} from "../steps/authorization/authorize-role-edit.ts";
import { isEntitledTo, ROLES_NOT_INCLUDED } from "../steps/authorization/entitlement.ts";
import { authorizeMemberGrant } from "../steps/channels/authorize-member-grant.ts";
import { channelMetadata, notifyConfirmation } from "../steps/channels/notify-grant.ts";
import { type ListedGroup, NO_SUCH_DIRECTORY_GROUP, readDirectory, withCounts } from "./administer.ts";
import { changeRolesByGroups, withinEditor } from "./change-roles.ts";

const CHANGED_MEANWHILE = changedMeanwhile("The group or its members have changed since the preview.");
const OWN_ROLES = refusal("forbidden", "You cannot change your own roles.");
const UNKNOWN_ROLE = invalidInput("role_ids", "unknown_value", "a role that the organization cannot use");

export interface GroupMapping {
  readonly groupId: string;
  /** Null: the group grants no built-in role. */
  readonly role: DirectoryGroup["role"];
  /** Additional roles; undefined: unchanged. */
  readonly roleIds?: readonly string[];
}

interface MapInput extends GroupMapping {
  /** Has `directory.manage` and a step-up. */
  readonly caller: OrganizationCaller;
  /** Accepts the channels whose people lack the power (docs/contract.md, section 32.9). */
  readonly confirm?: boolean | undefined;
  /** The version of the preview that the caller confirms (`previewVersion`); undefined: no comparison. */
  readonly displayed?: string | undefined;
  /** The version of the group that the caller has read; undefined: no comparison. */
  readonly version?: DisplayedVersion | undefined;
  readonly client: RequestContext;
}

type MappingProblem = Refusal<"conflict" | "forbidden" | "invalid_input" | "not_found" | "payment_required">;

/** PATCH /v1/orgs/:org_id/directory/groups/:id: the roles that a group grants. */
export async function mapGroupRole(
  deps: SessionDeps & EmailDeps,
  input: MapInput,
): Promise<Result<ListedGroup, MappingProblem>> {
  const { caller, groupId } = input;
  const { organizationId } = caller;
  const roleIds = input.roleIds === undefined ? ok(undefined) : validateRoleIds(input.roleIds);
  if (!roleIds.ok) return roleIds;
  if (roleIds.value !== undefined && !(await isEntitledTo(deps, "roles", organizationId)))
    return err(ROLES_NOT_INCLUDED);
  const mapped = await withinEditor(deps, "directory_group.map_role", (sql) =>
    persistMapping(deps, sql, input, roleIds.value),
  );
  if (!mapped.ok) return mapped;
  deps.outbox.wake();
  await deps.revocations.announce(mapped.value);
  const directory = await readDirectory(deps, caller);
  const group = directory.ok
    ? await deps.database.run("directory_group.find", (sql) => findDirectoryGroup(sql, directory.value.id, groupId))
    : undefined;
  const [listed] = group ? await withCounts(deps, [group]) : [];
  return listed ? ok(listed) : err(NO_SUCH_DIRECTORY_GROUP);
}

async function persistMapping(
  deps: SessionDeps & EmailDeps,
  sql: Sql,
  { caller, client, groupId, role, confirm = false, displayed, version }: MapInput,
  roleIds: readonly string[] | undefined,
): Promise<Result<readonly SessionEvent[], MappingProblem>> {
  const { organizationId, actor } = caller;
  const directory = await lockDirectory(sql, organizationId);
  const group = directory && (await findDirectoryGroup(sql, directory.id, groupId));
  if (!directory || !group) return err(NO_SUCH_DIRECTORY_GROUP);
  if (version !== undefined && !isVersion(group.updatedAt, version)) return err(CHANGED_MEANWHILE);
  if (displayed !== undefined) {
    const preview = await previewGroupRole(sql, directory, { groupId, role, limit: ROLE_PREVIEW_MAX });
    if (displayed !== previewVersion({ group, role, ...preview })) return err(CHANGED_MEANWHILE);
  }
  const before = await listRoleIdsOfGroup(sql, groupId, "directory_group_roles");
  const after = roleIds ?? before;
  const lock = { caller, roleIds: [...before, ...after] };
  const editor = await lockEditor(sql, { ...lock, permission: "directory.manage" });
  if (!editor.ok) return editor;
  // Both roles: a group of admins is neither made nor ended below admin, also while the group is empty.
  const builtIn = group.role === role ? [] : [group.role, role];
  if (!builtIn.every((each) => each === null || isAtLeast(editor.value.role, each))) return err(ROLE_ABOVE_CALLER);
  const recordIds = await listMemberIds(sql, groupId);
  const holders = await listUsersOfRecords(sql, directory.id, recordIds);
  const changed = authorizeRoles(editor.value, { before, after }, holders.includes(actor.userId));
  if (!changed.ok) return changed;
  if (group.role === role && changed.value.length === 0) return ok([]);
  const at = new Date(deps.clock.now());
  const added = {
    role: (group.role !== role && role) || "member",
    granted: changed.value.filter(({ id }) => after.includes(id)).flatMap(({ permissions }) => permissions),
  };
  const grant = { organizationId, grant: "group_mapping", userIds: holders, added, powers: [added], at } as const;
  const granted = await authorizeMemberGrant(sql, grant, confirm);
  if (!granted.ok) return granted;
  const keys = editor.value.roles.filter(({ id }) => after.includes(id)).map(({ key }) => key);
  const metadata = { from: group.role, to: role, roles: keys.join(" "), ...channelMetadata(granted.value) };
  const resource = { type: "directory_group", id: groupId } as const;
  const entry = userAuditEvent(deps, actor, client, { action: "directory_group.role_mapped", at, resource, metadata });
  await sql`with mapped as (${updateGroupRole(sql, groupId, role, at)}) ${insertAudit(sql, entry, sql`from mapped`)}`;
  await replaceRolesOfGroup(sql, "directory_group_roles", groupId, after);
  await notifyConfirmation(deps, sql, { organizationId, channels: granted.value, client, at });
  const changes = { directory, recordIds, actor, client, editor: editor.value };
  return ok(await changeRolesByGroups(deps, sql, changes));
}

/** Authorizes the added and removed roles; returns these roles. */
function authorizeRoles(
  editor: LockedEditor,
  { before, after }: { readonly before: readonly string[]; readonly after: readonly string[] },
  isInGroup: boolean,
): Result<readonly OrganizationRole[], Refusal<"forbidden" | "invalid_input">> {
  const roles = new Map(editor.roles.map((role) => [role.id, role]));
  if (!after.every((id) => roles.has(id) || before.includes(id))) return err(UNKNOWN_ROLE);
  const changed = [...roles.values()].filter(({ id }) => before.includes(id) !== after.includes(id));
  if (changed.length > 0 && isInGroup) return err(OWN_ROLES);
  for (const { id, permissions } of changed) {
    const authorized = authorizeRole(editor, permissions, id);
    if (!authorized.ok) return authorized;
  }
  return ok(changed);
}

/** The changes of roles that `mapGroupRole` would make, without an effect: at most `ROLE_PREVIEW_MAX` members. */
export async function readRolePreview(
  deps: Pick<SessionDeps, "database">,
  { caller, groupId, role }: Pick<MapInput, "caller" | "groupId" | "role">,
): Promise<Result<RolePreview, Refusal<"not_found">>> {
  const directory = await readDirectory(deps, caller);
  if (!directory.ok) return directory;
  const { value } = directory;
  const previewed = { groupId, role, limit: ROLE_PREVIEW_MAX };
  return await deps.database.transaction("directory_group.preview_role", async (sql) => {
    const group = await findDirectoryGroup(sql, value.id, groupId);
    return group
      ? ok({ group, role, ...(await previewGroupRole(sql, value, previewed)) })
      : err(NO_SUCH_DIRECTORY_GROUP);
  });
}

export interface RolePreview {
  readonly items: readonly PreviewedRole[];
  readonly total: number;
  readonly group: DirectoryGroup;
  readonly role: DirectoryGroup["role"];
}

/** The version of a preview: a confirmation applies the displayed changes alone. */
export function previewVersion({ items, total, group, role }: RolePreview): string {
  const changes = items.map(({ userId, from, to }) => [userId, from, to]).sort();
  const displayed = JSON.stringify([group.id, group.displayName, group.role, role, total, changes]);
  return createHash("sha256").update(displayed).digest("base64url");
}
