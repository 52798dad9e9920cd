import type { RoleUse } from "../../models/organization-role/role-use.ts";
import type { View } from "../view.tsx";

/** Everything that names a role, such as "In use by 3 members, 1 group and 2 open invitations."; empty: unused. */
export function usageText({ t, dates }: View, { members, groups, invitations }: RoleUse): string {
  const { groupCount, inUseBy, invitationCount } = t.customRoles;
  const parts = [
    ...(members > 0 ? [t.directory.memberCount({ count: members })] : []),
    ...(groups > 0 ? [groupCount({ count: groups })] : []),
    ...(invitations > 0 ? [invitationCount({ count: invitations })] : []),
  ];
  return parts.length === 0 ? "" : inUseBy({ users: dates.list(parts) });
}
