/** The authorization of edits of groups: a group grants roles, so an edit of a group assigns roles to its members. */
import { invalidInput } from "../../base/invalid-input.ts";
import { type Refusal, refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Sql } from "../../database/database.ts";
import { findJointPower } from "../../models/member-group/group-roles.ts";
import { isDirectoryGroup, lockGroup, type MemberGroup } from "../../models/member-group/member-group.ts";
import type { OrganizationRole } from "../../models/organization-role/organization-role.ts";
import { mayChange } from "../../vocabulary/member-power.ts";
import type { OrganizationCaller } from "../steps/authorization/authorize-member.ts";
import { authorizeRole, lockEditor } from "../steps/authorization/authorize-role-edit.ts";
import { refuseProtected } from "../steps/authorization/protected-users.ts";
import { NO_SUCH_GROUP } from "./list-groups.ts";

const OWN_ROLES = refusal("forbidden", "You cannot change your own roles.");
const ABOVE_CALLER = refusal("forbidden", "A member has a permission that you do not have.");
const OF_DIRECTORY = refusal("conflict", "The directory of the organization manages this group.");
const UNKNOWN_ROLE = invalidInput("role_ids", "unknown_value", "a role that the organization cannot use");

/** Locks a manual group. `conflict`: a group of the directory. */
export async function lockManualGroup(
  sql: Sql,
  organizationId: string,
  id: string,
): Promise<Result<MemberGroup, Refusal<"conflict" | "not_found">>> {
  const group = await lockGroup(sql, organizationId, id);
  if (group) return ok(group);
  return err((await isDirectoryGroup(sql, organizationId, id)) ? OF_DIRECTORY : NO_SUCH_GROUP);
}

export interface GroupEdit {
  /** Has `members.role`. */
  readonly caller: OrganizationCaller;
  /** The roles of the group before the edit. */
  readonly before: readonly string[];
  /** The roles of the group after the edit. */
  readonly after: readonly string[];
  /** Members who gain or lose `changed`. */
  readonly userIds: readonly string[];
  readonly changed: readonly string[];
}

/**
 * Locks caller, members and roles, and authorizes an edit: the caller has every permission of the group's roles and of
 * the members, has no role that a member gains or loses, and is no such member (docs/contract.md, section 32.5).
 */
export async function authorizeGroupEdit(
  sql: Sql,
  { caller, before, after, userIds, changed }: GroupEdit,
): Promise<Result<readonly OrganizationRole[], Refusal<"forbidden" | "invalid_input">>> {
  const { organizationId, actor } = caller;
  const roleIds = [...new Set([...before, ...after])];
  const lock = { caller, targetIds: userIds, roleIds };
  const editor = await lockEditor(sql, { ...lock, permission: "members.role" });
  if (!editor.ok) return editor;
  const unprotected = await refuseProtected(sql, caller, userIds);
  if (!unprotected.ok) return unprotected;
  const { roles } = editor.value;
  const known = new Set(roles.map(({ id }) => id));
  // A role of the group may have been deleted meanwhile; a submitted role must exist.
  if (!after.every((id) => known.has(id) || before.includes(id))) return err(UNKNOWN_ROLE);
  for (const { id, permissions } of roles) {
    const authorized = authorizeRole(editor.value, permissions, changed.includes(id) ? id : undefined);
    if (!authorized.ok) return authorized;
  }
  if (changed.length > 0 && userIds.includes(actor.userId)) return err(OWN_ROLES);
  const joint = await findJointPower(sql, organizationId, userIds);
  const isAbove = joint.roles.some((role) => !mayChange(editor.value, { role, granted: joint.granted }));
  return isAbove ? err(ABOVE_CALLER) : ok(roles);
}
