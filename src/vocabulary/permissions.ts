/** Every built-in permission of an organization (docs/contract.md, section 32.1), sorted. */
export const PERMISSIONS = [
  "applications.manage",
  "audit.read",
  "directory.manage",
  "machines.manage",
  "members.invite",
  "members.list",
  "members.remove",
  "members.role",
  "organization.delete",
  "organization.update",
  "policies.manage",
  "roles.manage",
  "sso.manage",
  "support.grant",
  "webhooks.manage",
] as const;
/** The name of a built-in permission: guards endpoints and pages. */
export type Permission = (typeof PERMISSIONS)[number];

/** The form of a permission of an API: lower case, at most 100 characters. */
const NAME = /^(?=.{3,100}$)[a-z][a-z0-9_-]*(?:\.[a-z][a-z0-9_-]*)+$/;

/** Whether a text has the form `area.action`. */
export function isPermissionName(text: string): boolean {
  return NAME.test(text);
}

export function isPermission(name: string | undefined): name is Permission {
  return name !== undefined && (PERMISSIONS as readonly string[]).includes(name);
}
