import { holds } from "../vocabulary/member-power.ts";
import type { Permission } from "../vocabulary/permissions.ts";
import type { View } from "./view.tsx";

/**
 * Whether the signed-in user has a permission in the organization of the session, by the built-in role or by a further
 * role. For the display only: every flow decides again.
 */
export function hasPower({ power }: Pick<View, "power">, permission: Permission): boolean {
  return power !== undefined && holds(power, permission);
}
