import { ok } from "../../base/result.ts";
import { clampPage, searchTerm } from "../../database/listing.ts";
import type { Deps, SignInDeps } from "../../deps.ts";
import { createInvitation } from "../../flows/invitations/create.ts";
import {
  listOrganizationInvitations,
  resendInvitation,
  revokeOrganizationInvitation,
} from "../../flows/invitations/manage.ts";
import { changeRole, removeMember } from "../../flows/members/change.ts";
import { listMembersByCursor, listOrganizationMembers } from "../../flows/members/list.ts";
import { putMember } from "../../flows/members/put-membership.ts";
import { authorizeOrganizationAdministrator } from "../../flows/steps/authorization/authorize-administrator.ts";
import type { Principal } from "../../flows/steps/authorization/authorize-platform-role.ts";
import { grantsPower } from "../../flows/steps/authorization/grants-power.ts";
import { withOwnerPower } from "../../flows/users/account-author.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { listPosition, positionReply } from "../list-position.ts";
import { holdsOf } from "../management/account-author.ts";
import { invitationBody, memberBody, sentInvitationBody } from "../organizations/team-bodies.ts";
import { emptyReply, listReply, reply } from "../reply.ts";
import { listOf } from "../schemas/common.ts";
import { PutMemberBody } from "../schemas/management.ts";
import { positionedListOf } from "../schemas/positioned-list.ts";
import {
  InvitationItem,
  InvitationsQuery,
  InviteBody,
  MemberItem,
  MembersQuery,
  ResendBody,
  RoleBody,
  SentInvitationItem,
} from "../schemas/team.ts";

type AdminOrganizationDeps = SignInDeps & Pick<Deps, "reads">;

const tag = "Platform administration";

/** docs/contract.md, sections 14.14 and 14.15. */
export function adminOrganizationRoutes(deps: AdminOrganizationDeps): Endpoint[] {
  return [...memberRoutes(deps), ...memberChangeRoutes(deps), ...invitationRoutes(deps), ...openInvitationRoutes(deps)];
}

/** Decides for the organization in the path. */
type OrganizationPermission = "members.add" | "members.invite" | "members.list" | "members.remove" | "members.role";

function authorizeIn(deps: AdminOrganizationDeps) {
  return (caller: Principal, params: { readonly id: string }, permission: OrganizationPermission) =>
    authorizeOrganizationAdministrator(deps, caller, params.id, permission);
}

function memberRoutes(deps: AdminOrganizationDeps): Endpoint[] {
  return [
    endpoint({
      method: "GET",
      path: "/admin/orgs/:id/members",
      operationId: "listOrganizationMembers",
      docs: { clientMethod: "admin.organizations.members", section: "14.14" },
      tag,
      summary: "List the members of any organization",
      auth: "administrative",
      permission: "members.list",
      input: { query: MembersQuery },
      responses: { 200: { description: "Longest membership first", schema: positionedListOf(MemberItem) } },
      problems: ["forbidden", "not_found", "mfa_required"],
      authorize: authorizeIn(deps),
      async handle({ authorized: caller, query }) {
        const list = `members of ${caller.organizationId}`;
        const position = listPosition(deps, list, query);
        if (!position.ok) return position;
        const found = position.value.page
          ? await listOrganizationMembers(deps, { caller, q: searchTerm(query.q), page: position.value.page })
          : await listMembersByCursor(deps, { caller, ...position.value });
        return found.ok
          ? ok(positionReply(deps, list, query, found.value, (member) => memberBody(deps.config, member)))
          : found;
      },
    }),
  ];
}

function memberChangeRoutes(deps: AdminOrganizationDeps): Endpoint[] {
  return [
    endpoint({
      method: "PUT",
      path: "/admin/orgs/:id/members/:user_id",
      operationId: "putOrganizationMember",
      docs: { clientMethod: "admin.organizations.putMember", section: "36.3" },
      stepUp: "grants_power",
      stepUpFor: ({ role = "member", role_ids }) => grantsPower(role, role_ids),
      tag,
      summary: "Add a user to any organization, or change the membership",
      description: "The role owner needs the permission organizations.write too.",
      auth: "administrative",
      permission: "members.add",
      input: { body: PutMemberBody },
      responses: {
        200: { description: "Changed, or unchanged", schema: MemberItem },
        201: { description: "Added", schema: MemberItem },
      },
      problems: ["forbidden", "not_found", "conflict", "mfa_required"],
      authorize: authorizeIn(deps),
      async handle({ caller: principal, authorized: caller, params, body, client }) {
        const holds = { holds: holdsOf(deps, principal, caller.platformRole ?? null) };
        const given = withOwnerPower(holds, caller, body.role);
        if (!given.ok) return given;
        const { role, role_ids: roleIds, notify = true } = body;
        const put = { caller: given.value, userId: params.user_id, role, roleIds, notify, client };
        const outcome = await putMember(deps, put);
        if (!outcome.ok) return outcome;
        const member = memberBody(deps.config, outcome.value.member);
        return ok(outcome.value.added ? reply(201, member) : reply(200, member));
      },
    }),
    endpoint({
      method: "PATCH",
      path: "/admin/orgs/:id/members/:user_id",
      operationId: "changeOrganizationMemberRole",
      docs: { clientMethod: "admin.organizations.changeRole", section: "14.14" },
      stepUp: "grants_power",
      stepUpFor: ({ role }) => grantsPower(role),
      tag,
      summary: "Change the role of a member of any organization",
      auth: "administrative",
      permission: "members.role",
      input: { body: RoleBody },
      responses: { 200: { description: "The updated member", schema: MemberItem } },
      problems: ["forbidden", "not_found", "conflict", "mfa_required"],
      authorize: authorizeIn(deps),
      async handle({ authorized: caller, params, body, client }) {
        const member = await changeRole(deps, {
          caller,
          userId: params.user_id,
          role: body.role,
          confirm: body.confirm,
          client,
        });
        return member.ok ? ok(reply(200, memberBody(deps.config, member.value))) : member;
      },
    }),
    endpoint({
      method: "DELETE",
      path: "/admin/orgs/:id/members/:user_id",
      operationId: "removeOrganizationMember",
      docs: { clientMethod: "admin.organizations.removeMember", section: "14.14" },
      tag,
      summary: "Remove a member of any organization",
      auth: "administrative",
      permission: "members.remove",
      responses: { 204: { description: "Removed" } },
      problems: ["forbidden", "not_found", "conflict", "mfa_required"],
      authorize: authorizeIn(deps),
      async handle({ authorized: caller, params, client }) {
        const outcome = await removeMember(deps, { caller, userId: params.user_id, client });
        return outcome.ok ? ok(emptyReply(204)) : outcome;
      },
    }),
  ];
}

function invitationRoutes(deps: AdminOrganizationDeps): Endpoint[] {
  return [
    endpoint({
      method: "GET",
      path: "/admin/orgs/:id/invitations",
      operationId: "listOrganizationInvitations",
      docs: { clientMethod: "admin.organizations.invitations", section: "14.15" },
      tag,
      summary: "List the invitations of any organization",
      auth: "administrative",
      permission: "members.list",
      input: { query: InvitationsQuery },
      responses: { 200: { description: "Newest first", schema: listOf(InvitationItem) } },
      problems: ["forbidden", "not_found", "mfa_required"],
      authorize: authorizeIn(deps),
      async handle({ authorized: caller, query: { status, page, page_size: size } }) {
        const listing = await listOrganizationInvitations(deps, { caller, status, page: clampPage(page, size) });
        return listing.ok ? ok(listReply(listing.value, invitationBody)) : listing;
      },
    }),
    endpoint({
      method: "POST",
      path: "/admin/orgs/:id/invitations",
      operationId: "inviteToOrganization",
      docs: { clientMethod: "admin.organizations.invite", section: "14.15" },
      stepUp: "grants_power",
      stepUpFor: ({ role = "member", role_ids }) => grantsPower(role, role_ids),
      tag,
      summary: "Invite an address into any organization",
      description: "The invitation is valid as long as the administrator has the platform role admin or owner.",
      auth: "administrative",
      permission: "members.invite",
      input: { body: InviteBody },
      responses: { 201: { description: "Invited; the link is queued, or in `url`", schema: SentInvitationItem } },
      problems: ["forbidden", "not_found", "payment_required", "conflict", "rate_limited", "mfa_required"],
      authorize: authorizeIn(deps),
      async handle({ authorized: caller, body: { email, role = "member", role_ids: roleIds = [], delivery }, client }) {
        const input = { caller, email, role, roleIds, delivery: delivery ?? "mail", client };
        const invitation = await createInvitation(deps, input);
        return invitation.ok ? ok(reply(201, sentInvitationBody(invitation.value))) : invitation;
      },
    }),
  ];
}

function openInvitationRoutes(deps: AdminOrganizationDeps): Endpoint[] {
  return [
    endpoint({
      method: "DELETE",
      path: "/admin/orgs/:id/invitations/:invitation_id",
      operationId: "revokeOrganizationInvitation",
      docs: { clientMethod: "admin.organizations.revokeInvitation", section: "14.15" },
      tag,
      summary: "Revoke an invitation of any organization",
      auth: "administrative",
      permission: "members.invite",
      responses: { 204: { description: "Revoked, now or before" } },
      problems: ["forbidden", "not_found", "conflict", "mfa_required"],
      authorize: authorizeIn(deps),
      async handle({ authorized: caller, params: { invitation_id: invitationId }, client }) {
        const outcome = await revokeOrganizationInvitation(deps, { caller, invitationId, client });
        return outcome.ok ? ok(emptyReply(204)) : outcome;
      },
    }),
    endpoint({
      method: "POST",
      path: "/admin/orgs/:id/invitations/:invitation_id/resend",
      operationId: "resendOrganizationInvitation",
      docs: { clientMethod: "admin.organizations.resendInvitation", section: "14.15" },
      tag,
      summary: "Send an invitation of any organization again, with a new link",
      auth: "administrative",
      permission: "members.invite",
      input: { body: ResendBody },
      responses: {
        200: { description: "Queued, or in `url`; the previous link is invalid", schema: SentInvitationItem },
      },
      problems: ["forbidden", "not_found", "conflict", "rate_limited", "mfa_required"],
      authorize: authorizeIn(deps),
      async handle({ authorized: caller, params: { invitation_id: invitationId }, body: { delivery }, client }) {
        const input = { caller, invitationId, delivery: delivery ?? "mail", client };
        const invitation = await resendInvitation(deps, input);
        return invitation.ok ? ok(reply(200, sentInvitationBody(invitation.value))) : invitation;
      },
    }),
  ];
}
