import { type Refusal, refusal } from "../../../base/problem.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import type { Sql } from "../../../database/database.ts";
import { findPower, lockMemberships, lockOwners } from "../../../models/member/members.ts";
import { listHeldRoleIds } from "../../../models/organization-role/member-role.ts";
import type { OrganizationRole } from "../../../models/organization-role/organization-role.ts";
import { lockRoles } from "../../../models/organization-role/organization-role.ts";
import { holds, type MemberPower } from "../../../vocabulary/member-power.ts";
import { isProgram, lacksPermission, type OrganizationCaller } from "./authorize-member.ts";

export const ROLE_ABOVE_CALLER = refusal("forbidden", "You cannot grant a role above your own.");
const ABOVE_OWN = refusal("forbidden", "This role has a permission that you do not have.");
const OWN_ROLE = refusal("forbidden", "You cannot change a role that you have.");

/** An editor of roles under lock: power and roles are current, and unchanged until the transaction ends. */
export interface LockedEditor extends MemberPower {
  readonly heldRoleIds: readonly string[];
  /** The usable roles among the requested ids. */
  readonly roles: readonly OrganizationRole[];
}

type EditorPermission =
  | "directory.manage"
  | "machines.manage"
  | "members.invite"
  | "members.role"
  | "policies.manage"
  | "roles.manage"
  | "sso.manage";

export interface EditorLock {
  readonly caller: Pick<OrganizationCaller, "actor" | "credential" | "granted" | "organizationId" | "role">;
  /** Further members whose roles change. */
  readonly targetIds?: readonly string[];
  readonly roleIds: readonly string[];
  readonly permission: EditorPermission;
}

/**
 * Locks the editor's membership, then the roles in question and the roles of the editor, and authorizes the edit
 * afterwards: two editors who change one another's roles wait in one order, and the second editor decides with the
 * power that the first editor has left (docs/contract.md, section 32.5). A program has the power of its scopes and
 * holds no roles.
 */
export async function lockEditor(
  sql: Sql,
  { caller, targetIds = [], roleIds, permission }: EditorLock,
): Promise<Result<LockedEditor, Refusal<"forbidden">>> {
  const { organizationId } = caller;
  const memberIds = isProgram(caller) ? [] : [caller.actor.userId];
  await lockOwners(sql, organizationId);
  await lockMemberships(sql, organizationId, [...memberIds, ...targetIds]);
  const heldRoleIds = await listHeldRoleIds(sql, organizationId, caller.actor.userId);
  const locked = await lockRoles(sql, organizationId, [...roleIds, ...heldRoleIds]);
  const power = isProgram(caller) ? caller : await findPower(sql, organizationId, caller.actor.userId);
  if (!power || !holds(power, permission)) return err(lacksPermission(permission));
  const { role, granted } = power;
  return ok({ role, granted, heldRoleIds, roles: locked.filter(({ id }) => roleIds.includes(id)) });
}

/**
 * The power of a caller who decides about the power of members. A member is locked and read again, so that a decision
 * beside a withdrawal counts the withdrawal; a set-up link, a key and an administrator of the platform have the power
 * of the request.
 */
export async function lockCaller(
  sql: Sql,
  caller: OrganizationCaller,
  permission: EditorPermission,
): Promise<Result<MemberPower, Refusal<"forbidden">>> {
  const { credential, platformRole } = caller;
  if (credential.kind !== "session" || platformRole !== undefined) return ok(caller);
  return await lockEditor(sql, { caller, roleIds: [], permission });
}

/** Authorizes the use of a role with `permissions`; `roleId`: of an existing role that the use assigns or changes. */
export function authorizeRole(
  editor: LockedEditor,
  permissions: readonly string[],
  roleId?: string,
): Result<void, Refusal<"forbidden">> {
  if (roleId !== undefined && editor.heldRoleIds.includes(roleId)) return err(OWN_ROLE);
  return permissions.every((permission) => holds(editor, permission)) ? ok(undefined) : err(ABOVE_OWN);
}
