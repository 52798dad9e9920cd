import type { MemberRole } from "../../../vocabulary/member-power.ts";

/**
 * Whether roles permit more than membership. The role `member` has no permission, so an invitation or change to this
 * role alone needs no step-up (docs/contract.md, section 3.9).
 */
export function grantsPower(role: MemberRole, roleIds: readonly string[] = []): boolean {
  return role !== "member" || roleIds.length > 0;
}
