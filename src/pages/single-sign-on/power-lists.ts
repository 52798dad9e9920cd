/** The differences of a confirmation that makes the user responsible for a connection. */
import type { ListedMember, MemberList, PowerDifferences } from "../../flows/sso/connections/power-differences.ts";
import { permissionsOf } from "../../vocabulary/member-power.ts";
import { isPermission } from "../../vocabulary/permissions.ts";
import { isBuiltInRole } from "../../vocabulary/sso/sso-policy-settings.ts";
import type { QuestionList } from "../components/question.tsx";
import type { View } from "../view.tsx";

/** Permissions of additional roles that one row names. */
const NAMED_PERMISSIONS = 5;

/** The lists of a confirmation, without empty lists. */
export function powerLists({ t }: View, { newlyCovered, notCovered, roles }: PowerDifferences): QuestionList[] {
  const { differences } = t.ssoConnections;
  const rolesOf = roles.map((role) => (isBuiltInRole(role) ? t.roles[role] : role));
  const membersOf = ({ members, isPartial }: MemberList) => [
    ...members.map((member) => rowOf(t, member)),
    ...(isPartial ? [differences.further] : []),
  ];
  return [
    { title: differences.newlyCovered, items: membersOf(newlyCovered) },
    { title: differences.notCovered, items: membersOf(notCovered) },
    { title: differences.roles, items: rolesOf },
  ].filter(({ items }) => items.length > 0);
}

/** The name of a member with the built-in role and the further permissions. */
function rowOf({ customRoles, roles }: View["t"], { name, role, granted }: ListedMember): string {
  const builtIn: readonly string[] = permissionsOf(role);
  const added = granted.filter((permission) => !builtIn.includes(permission));
  const named = added.slice(0, NAMED_PERMISSIONS).map((each) => (isPermission(each) ? customRoles.names[each] : each));
  const power = [...(role === "member" ? [] : [roles[role]]), ...named, ...(added.length > named.length ? ["…"] : [])];
  return [...(name === null ? [] : [name]), power.join(", ")].join(" · ");
}
