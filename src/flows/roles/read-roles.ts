/** Reading of roles with their use, for the pages. */
import type { Refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { clampPage, type Listing, type Page, pageBounds } from "../../database/listing.ts";
import type { Deps } from "../../deps.ts";
import { ORGANIZATION_ROLES_MAX, ROLE_TEMPLATES_MAX } from "../../limits/role-limits.ts";
import { listHeldRoleIds } from "../../models/organization-role/member-role.ts";
import { findRoles, type ListedRole, type OrganizationRole } from "../../models/organization-role/organization-role.ts";
import {
  countBuiltInRoles,
  countRoleUse,
  listRoleHolders,
  type RoleHolder,
  type RoleUse,
} from "../../models/organization-role/role-use.ts";
import { holds, MEMBER_ROLES, type MemberRole } from "../../vocabulary/member-power.ts";
import type { OrganizationCaller } from "../steps/authorization/authorize-member.ts";
import type { PlatformCaller } from "../steps/authorization/authorize-platform-role.ts";
import { listUsableRoles } from "./administer-roles.ts";
import { NO_SUCH_ROLE } from "./role-owner.ts";

type ReadDeps = Pick<Deps, "clock" | "database">;

/** Every role that an organization can use, without pages. */
export const ALL_ROLES: Page = { page: 1, pageSize: ORGANIZATION_ROLES_MAX + ROLE_TEMPLATES_MAX };

export interface RolesOfOrganization {
  /** Own roles by key, then the templates. */
  readonly roles: readonly ListedRole[];
  /** Members by built-in role. */
  readonly builtIn: Readonly<Record<MemberRole, number>>;
}

/** `caller`: holds `members.list`. */
export async function readRolesOfOrganization(
  deps: ReadDeps,
  caller: OrganizationCaller,
): Promise<RolesOfOrganization> {
  const { organizationId } = caller;
  const [{ items }, counts] = await Promise.all([
    listUsableRoles(deps, organizationId, ALL_ROLES),
    deps.database.run("member.count_by_role", (sql) => countBuiltInRoles(sql, organizationId)),
  ]);
  const builtIn = Object.fromEntries(MEMBER_ROLES.map((role) => [role, counts.get(role) ?? 0]));
  return { roles: items, builtIn: builtIn as Record<MemberRole, number> };
}

/** The first reason for which a member cannot change a role; `open`: the member can change the role. */
export type RoleEditing = "open" | "template" | "permission" | "own" | "above";

export interface RoleWithUse {
  readonly role: OrganizationRole;
  readonly use: RoleUse;
  readonly holders: Listing<RoleHolder>;
  readonly editing: RoleEditing;
}

/** A role that the organization can use. `caller`: holds `members.list`. */
export async function readRoleWithUse(
  deps: ReadDeps,
  caller: OrganizationCaller,
  id: string,
  page: Page = clampPage(),
): Promise<Result<RoleWithUse, Refusal<"not_found">>> {
  const { organizationId, actor } = caller;
  const at = new Date(deps.clock.now());
  return await deps.database.run("organization_role.read_with_use", async (sql) => {
    const [role] = await findRoles(sql, organizationId, [id]);
    if (!role) return err(NO_SUCH_ROLE);
    const use = await countRoleUse(sql, organizationId, id, at);
    const found = await listRoleHolders(sql, organizationId, id, pageBounds(page));
    const heldIds = await listHeldRoleIds(sql, organizationId, actor.userId);
    return ok({ role, use, holders: { ...page, ...found }, editing: editingOf(caller, role, heldIds) });
  });
}

function editingOf(caller: OrganizationCaller, role: OrganizationRole, heldIds: readonly string[]): RoleEditing {
  if (role.organizationId === null) return "template";
  if (!holds(caller, "roles.manage")) return "permission";
  if (heldIds.includes(role.id)) return "own";
  return role.permissions.every((permission) => holds(caller, permission)) ? "open" : "above";
}

/** The templates by key. `caller`: a platform Viewer or higher. */
export async function listTemplates(
  deps: Pick<Deps, "database">,
  _caller: PlatformCaller,
): Promise<readonly ListedRole[]> {
  return (await listUsableRoles(deps, null, ALL_ROLES)).items;
}

export interface TemplateWithUse {
  readonly role: OrganizationRole;
  /** In all organizations. */
  readonly use: RoleUse & { readonly organizations: number };
}

/** A template. `caller`: a platform Viewer or higher. */
export async function readTemplate(
  deps: ReadDeps,
  _caller: PlatformCaller,
  id: string,
): Promise<Result<TemplateWithUse, Refusal<"not_found">>> {
  const at = new Date(deps.clock.now());
  return await deps.database.run("organization_role.read_template", async (sql) => {
    const [role] = await findRoles(sql, null, [id]);
    return role ? ok({ role, use: await countRoleUse(sql, null, id, at) }) : err(NO_SUCH_ROLE);
  });
}
