import { type MemberPower, permissionsOf } from "../../vocabulary/member-power.ts";

/** The permissions of the service and of registered APIs. */

import type { ResourceIndex } from "../../models/oauth-resource/resource-index.ts";
import { PERMISSIONS } from "../../vocabulary/permissions.ts";

type Registered = Pick<ResourceIndex, "permissions">;

/** Whether roles can contain the permission: built-in, or named by a scope of a registered API. */
export function isKnownPermission({ permissions }: Registered, name: string): boolean {
  return permissions.has(name) || (PERMISSIONS as readonly string[]).includes(name);
}

/** Every permission that roles can contain, sorted. */
export function knownPermissions({ permissions }: Registered): string[] {
  return [...new Set([...PERMISSIONS, ...permissions])].sort();
}

/** The permissions of a member, sorted. An owner has every known permission. */
export function heldPermissions({ role, granted }: MemberPower, registered: Registered): string[] {
  return role === "owner" ? knownPermissions(registered) : [...new Set([...permissionsOf(role), ...granted])].sort();
}
