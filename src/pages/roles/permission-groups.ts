/** The permissions of a form or of a displayed role, by area. */

import type { ApiPermissions } from "../../flows/roles/api-permissions.ts";
import type { Permission } from "../../vocabulary/permissions.ts";
import type { View } from "../view.tsx";

const AREAS = {
  members: ["members.list", "members.invite", "members.remove", "members.role"],
  rules: ["roles.manage", "policies.manage"],
  identity: ["sso.manage", "directory.manage"],
  organization: ["organization.update", "audit.read", "support.grant", "organization.delete"],
  developers: ["machines.manage", "webhooks.manage", "applications.manage"],
} as const satisfies Readonly<Record<string, readonly Permission[]>>;
type Area = keyof typeof AREAS;

export interface DisplayedPermission {
  readonly name: string;
  /** In words; undefined: the name is all that is known. */
  readonly text: string | undefined;
  /** No registered API names the permission any more. */
  readonly isUnregistered?: boolean;
}

export interface PermissionGroup {
  readonly title: string;
  readonly permissions: readonly DisplayedPermission[];
}

/** Every permission by area, then by API, then the permissions of `stored` that no API names any more. */
export function permissionGroups(
  { t: { customRoles }, language }: Pick<View, "language" | "t">,
  apis: readonly ApiPermissions[],
  stored: readonly string[] = [],
): readonly PermissionGroup[] {
  const builtIn = (Object.keys(AREAS) as Area[]).map((area) => ({
    title: customRoles.areas[area],
    permissions: AREAS[area].map((name) => ({ name, text: customRoles.names[name] })),
  }));
  const ofApis = apis.map(({ api, permissions }) => ({
    title: api,
    permissions: permissions.map(({ name, description }) => ({ name, text: capitalized(description, language) })),
  }));
  const known = new Set([...builtIn, ...ofApis].flatMap(({ permissions }) => permissions.map(({ name }) => name)));
  const unknown = stored.filter((name) => !known.has(name));
  if (unknown.length === 0) return [...builtIn, ...ofApis];
  const permissions = unknown.map((name) => ({ name, text: undefined, isUnregistered: true }));
  return [...builtIn, ...ofApis, { title: customRoles.unregistered, permissions }];
}

/** A description continues a sentence of the consent page in lower case. */
function capitalized(text: string | undefined, language: View["language"]): string | undefined {
  return text && `${text.charAt(0).toLocaleUpperCase(language)}${text.slice(1)}`;
}

/** The groups with the given permissions only. */
export function groupsOf(groups: readonly PermissionGroup[], held: readonly string[]): readonly PermissionGroup[] {
  return groups
    .map(({ title, permissions }) => ({ title, permissions: permissions.filter(({ name }) => held.includes(name)) }))
    .filter(({ permissions }) => permissions.length > 0);
}
