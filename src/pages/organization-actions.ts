/** Parts of the actions on members and invitations, of the organization's own pages and of the console. */
import type { StoreDeps } from "../deps.ts";
import { readInvitation } from "../flows/invitations/manage.ts";
import { findOrganizationMember } from "../flows/members/list.ts";
import type { OrganizationCaller } from "../flows/steps/authorization/authorize-member.ts";
import type { MemberRole } from "../vocabulary/member-power.ts";
import type { Fields } from "./fields.ts";

/** `caller`: holds `members.list`. */
interface NamedRow {
  readonly deps: StoreDeps;
  readonly caller: OrganizationCaller;
  readonly id: string;
}

/** The displayed name of a member; undefined for an unknown member. */
export async function memberName({ deps, caller, id }: NamedRow): Promise<string | undefined> {
  const member = await findOrganizationMember(deps, caller, id);
  return member && (member.displayName ?? member.email);
}

/** The address of an invitation; undefined for an unknown invitation. */
export async function invitationName({ deps, caller, id }: NamedRow): Promise<string | undefined> {
  const found = await readInvitation(deps, { caller, invitationId: id });
  return found.ok ? found.value.email : undefined;
}

/** The role of a form. An unknown role is the least role: a forged form grants nothing. */
export function memberRoleIn(fields: Fields): MemberRole {
  const role = fields.text("role");
  return role === "owner" || role === "admin" ? role : "member";
}
