import { type EndpointPermission, INCLUDED_IN } from "./key-scope.ts";
import { PERMISSIONS, type Permission } from "./permissions.ts";

/** From least to most (docs/contract.md, section 3.10). */
export const MEMBER_ROLES = ["member", "admin", "owner"] as const;
export type MemberRole = (typeof MEMBER_ROLES)[number];

/** Permissions of owners alone. */
const OWNER_PERMISSIONS: readonly Permission[] = [
  "organization.delete",
  "policies.manage",
  "roles.manage",
  "support.grant",
];

const ROLE_PERMISSIONS: Readonly<Record<MemberRole, readonly Permission[]>> = {
  owner: PERMISSIONS,
  admin: PERMISSIONS.filter((permission) => !OWNER_PERMISSIONS.includes(permission)),
  member: [],
};

/** The permissions of a built-in role (docs/contract.md, section 32.2). */
export function permissionsOf(role: MemberRole): readonly Permission[] {
  return ROLE_PERMISSIONS[role];
}

/** Whether a built-in role has a permission. */
export function hasPermission(role: MemberRole, permission: Permission): boolean {
  return permissionsOf(role).includes(permission);
}

/** The power of a member: the built-in role, and the permissions of additional roles. */
export interface MemberPower {
  readonly role: MemberRole;
  readonly granted: readonly string[];
}

/** Whether a member has a permission, built-in, included or of an application. An owner has every permission. */
export function holds({ role, granted }: MemberPower, permission: string): boolean {
  const names: readonly string[] = permissionsOf(role);
  const wider = INCLUDED_IN[permission as EndpointPermission];
  const has = (name: string) => names.includes(name) || granted.includes(name);
  return role === "owner" || has(permission) || (wider !== undefined && has(wider));
}

/** Whether a member has every permission of another member. */
export function covers(power: MemberPower, other: MemberPower): boolean {
  if (other.role === "owner") return power.role === "owner";
  return [...permissionsOf(other.role), ...other.granted].every((permission) => holds(power, permission));
}

/** Whether a member may change or remove another member: no lower built-in role, and every permission. */
export function mayChange(power: MemberPower, other: MemberPower): boolean {
  return isAtLeast(power.role, other.role) && covers(power, other);
}

/** Whether a member may grant a built-in role: the member invites members and has no lower role. */
export function mayGrant(power: MemberPower, role: MemberRole): boolean {
  return holds(power, "members.invite") && isAtLeast(power.role, role);
}

/** Whether a built-in role is not lower than another built-in role. */
export function isAtLeast(role: MemberRole, least: MemberRole): boolean {
  return MEMBER_ROLES.indexOf(role) >= MEMBER_ROLES.indexOf(least);
}
