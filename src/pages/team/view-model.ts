import { clampPage, type Listing } from "../../database/listing.ts";
import type { Deps, StoreDeps } from "../../deps.ts";
import { listOrganizationInvitations } from "../../flows/invitations/manage.ts";
import { grantableRoles } from "../../flows/members/change.ts";
import { listOrganizationMembers } from "../../flows/members/list.ts";
import { type AssignableRole, listAssignableRoles } from "../../flows/roles/assignable-roles.ts";
import { authorizePermission } from "../../flows/steps/authorization/authorize-member.ts";
import { isEntitledTo } from "../../flows/steps/authorization/entitlement.ts";
import type { JoinRequest } from "../../models/domain-join/join-request.ts";
import type { Invitation } from "../../models/invitation/invitation.ts";
import type { Member } from "../../models/member/members.ts";
import type { MemberRole } from "../../vocabulary/member-power.ts";
import { type AuthenticatedCall, pageNumber, searchText } from "../page.ts";
import { readJoinRequests } from "./open-requests.ts";

export interface TeamViewModel {
  readonly members: Listing<Member>;
  readonly invitations: Listing<Invitation>;
  readonly grantable: readonly MemberRole[];
  /** The further roles that the organization can use; empty where the tier includes none. */
  readonly roles: readonly AssignableRole[];
  /** Open requests to join; empty for a reader who cannot decide. */
  readonly joinRequests: readonly JoinRequest[];
  readonly q: string;
}

const MEMBERS_PER_PAGE = 25;
const INVITATIONS_PER_PAGE = 10;
/** The page of the open invitations, in the query. */
export const INVITATIONS = "invitations";

/** Undefined for a member without permission to see the member list. */
export async function teamViewModel(
  deps: StoreDeps & Pick<Deps, "reads">,
  { caller: { session }, query }: AuthenticatedCall,
): Promise<TeamViewModel | undefined> {
  const caller = await authorizePermission(deps, session, session.organizationId, "members.list");
  if (!caller.ok) return undefined;
  const q = searchText(query);
  const page = clampPage(pageNumber(query), MEMBERS_PER_PAGE);
  const [members, invitations, isEntitled, joinRequests] = await Promise.all([
    listOrganizationMembers(deps, { caller: caller.value, q: q || undefined, page }),
    listOrganizationInvitations(deps, {
      caller: caller.value,
      status: "pending",
      page: clampPage(pageNumber(query, INVITATIONS), INVITATIONS_PER_PAGE),
    }),
    isEntitledTo(deps, "roles", session.organizationId),
    readJoinRequests(deps, caller.value),
  ]);
  if (!members.ok || !invitations.ok) return undefined;
  const grantable = grantableRoles(caller.value);
  const roles = isEntitled ? await listAssignableRoles(deps, caller.value) : [];
  return { members: members.value, invitations: invitations.value, grantable, roles, joinRequests, q };
}
