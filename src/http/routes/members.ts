import { rfc3339 } from "../../base/clock.ts";
import { ok } from "../../base/result.ts";
import { clampPage, searchTerm } from "../../database/listing.ts";
import type { Deps, EmailDeps, SessionDeps } from "../../deps.ts";
import {
  endMemberCreations,
  type MemberCreations as ListedCreations,
  readCreations,
} from "../../flows/creations/creations.ts";
import { authorizeRemoval, changeRole, removeMember } from "../../flows/members/change.ts";
import { listMembersByCursor, listOrganizationMembers } from "../../flows/members/list.ts";
import { endMemberSession, listMemberSessions, type SessionOfOrganization } from "../../flows/members/sessions.ts";
import { authorizePrincipal } from "../../flows/steps/authorization/authorize-member.ts";
import { grantsPower } from "../../flows/steps/authorization/grants-power.ts";
import { endsByRequest } from "../../models/creation/creation.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { listPosition, positionReply } from "../list-position.ts";
import { memberBody } from "../organizations/team-bodies.ts";
import { emptyReply, listReply, reply } from "../reply.ts";
import { MemberSessionItem } from "../schemas/auth.ts";
import { listOf, PageQuery } from "../schemas/common.ts";
import { positionedListOf } from "../schemas/positioned-list.ts";
import { LISTED_KINDS, MemberCreations, MemberItem, MembersQuery, RoleBody } from "../schemas/team.ts";
import { sessionItemBody } from "../session-body.ts";

const tag = "Members";

/** docs/contract.md, sections 13.7 to 13.9. */
export function memberRoutes(
  deps: SessionDeps & EmailDeps & Pick<Deps, "codeKey" | "geolocation" | "reads">,
): Endpoint[] {
  return [
    ...memberListRoutes(deps),
    ...memberChangeRoutes(deps),
    ...memberSessionRoutes(deps),
    ...memberCreationRoutes(deps),
  ];
}

function memberSessionRoutes(deps: SessionDeps & Pick<Deps, "geolocation" | "reads">): Endpoint[] {
  return [
    endpoint({
      method: "GET",
      path: "/orgs/:org_id/sessions",
      operationId: "listMemberSessions",
      docs: { clientMethod: "members.listSessions", section: "13.10" },
      tag,
      summary: "List the live sessions in an organization",
      auth: "administrative",
      permission: "members.list",
      input: { query: PageQuery },
      responses: { 200: { description: "Newest first", schema: listOf(MemberSessionItem) } },
      problems: ["not_found", "forbidden"],
      authorize: (caller, params, permission) => authorizePrincipal(deps, caller, params.org_id, permission),
      async handle({ authorized: caller, query }) {
        const listing = await listMemberSessions(deps, { caller, page: clampPage(query.page, query.page_size) });
        return ok(listReply(listing, memberSessionBody));
      },
    }),
    endpoint({
      method: "DELETE",
      path: "/orgs/:org_id/sessions/:id",
      operationId: "endMemberSession",
      docs: { clientMethod: "members.endSession", section: "13.11" },
      tag,
      summary: "End a session in an organization",
      auth: "administrative",
      permission: "members.remove",
      responses: { 204: { description: "Ended, now or before" } },
      problems: ["not_found", "forbidden"],
      authorize: (caller, params, permission) => authorizePrincipal(deps, caller, params.org_id, permission),
      async handle({ authorized: caller, params, client }) {
        const outcome = await endMemberSession(deps, { caller, id: params.id, client });
        return outcome.ok ? ok(emptyReply(204)) : outcome;
      },
    }),
  ];
}

function memberCreationRoutes(deps: SessionDeps): Endpoint[] {
  return [
    endpoint({
      method: "GET",
      path: "/orgs/:org_id/members/:user_id/creations",
      operationId: "listMemberCreations",
      docs: { clientMethod: "members.listCreations", section: "13.12" },
      tag,
      summary: "List what a member or former member created",
      description: "Items that are still valid, also after the person left the organization.",
      auth: "administrative",
      permission: "members.remove",
      responses: { 200: { description: "Newest first; empty for an unknown user", schema: MemberCreations } },
      problems: ["not_found", "forbidden"],
      authorize: (caller, params, permission) => authorizePrincipal(deps, caller, params.org_id, permission),
      async handle({ authorized: caller, params }) {
        return ok(reply(200, creationsBody(await readCreations(deps, { caller, userId: params.user_id }))));
      },
    }),
    endpoint({
      method: "DELETE",
      path: "/orgs/:org_id/members/:user_id/creations",
      operationId: "endMemberCreations",
      docs: { clientMethod: "members.endCreations", section: "13.12" },
      stepUp: "ends_credentials",
      tag,
      summary: "End what a member or former member created",
      description: "Ends each listed item whose `ends` is true. Connections and domains remain.",
      auth: "administrative",
      permission: "members.remove",
      responses: { 204: { description: "Ended, now or before" } },
      problems: ["not_found", "forbidden"],
      authorize: (caller, params, permission) => authorizePrincipal(deps, caller, params.org_id, permission),
      async handle({ authorized: caller, params, client }) {
        const outcome = await endMemberCreations(deps, { caller, userId: params.user_id, client });
        return outcome.ok ? ok(emptyReply(204)) : outcome;
      },
    }),
  ];
}

function creationsBody({ person, items }: ListedCreations) {
  return {
    person,
    items: items.map(({ kind, id, name, createdAt, madeWith }) => ({
      kind: LISTED_KINDS[kind],
      id,
      name,
      created_at: rfc3339(createdAt.getTime()),
      ends: endsByRequest(kind),
      made_with: madeWith,
    })),
  };
}

function memberSessionBody(session: SessionOfOrganization) {
  const { userId: user_id, email, displayName: display_name } = session;
  return { ...sessionItemBody(session), user: { user_id, email, display_name } };
}

function memberListRoutes(deps: SessionDeps & Pick<Deps, "codeKey" | "reads">): Endpoint[] {
  return [
    endpoint({
      method: "GET",
      path: "/orgs/:org_id/members",
      operationId: "listMembers",
      docs: { clientMethod: "members.list", section: "13.7" },
      tag,
      summary: "List the members of an organization",
      auth: "administrative",
      permission: "members.list",
      input: { query: MembersQuery },
      responses: { 200: { description: "Longest membership first", schema: positionedListOf(MemberItem) } },
      problems: ["not_found", "forbidden"],
      authorize: (caller, params, permission) => authorizePrincipal(deps, caller, params.org_id, permission),
      async handle({ authorized: caller, query }) {
        const list = `members of ${caller.organizationId}`;
        const position = listPosition(deps, list, query);
        if (!position.ok) return position;
        const { page } = position.value;
        const found = page
          ? await listOrganizationMembers(deps, { caller, q: searchTerm(query.q), withDeactivated: true, page })
          : await listMembersByCursor(deps, { caller, ...position.value });
        return found.ok
          ? ok(positionReply(deps, list, query, found.value, (member) => memberBody(deps.config, member)))
          : found;
      },
    }),
  ];
}

function memberChangeRoutes(deps: SessionDeps & EmailDeps): Endpoint[] {
  return [
    endpoint({
      method: "PATCH",
      path: "/orgs/:org_id/members/:user_id",
      operationId: "changeMemberRole",
      docs: {
        clientMethod: "members.changeRole",
        section: "13.8",
        access: "caller with `members.role` who may grant the role",
      },
      stepUp: "grants_power",
      stepUpFor: ({ role }) => grantsPower(role),
      tag,
      summary: "Change the role of a member",
      description:
        "A caller grants roles up to the caller's role and changes no member above the caller. The last owner stays.",
      auth: "administrative",
      permission: "members.role",
      input: { body: RoleBody },
      responses: { 200: { description: "The updated member", schema: MemberItem } },
      problems: ["not_found", "forbidden", "conflict"],
      authorize: (caller, params, permission) => authorizePrincipal(deps, caller, params.org_id, permission),
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
      path: "/orgs/:org_id/members/:user_id",
      operationId: "removeMember",
      docs: {
        clientMethod: "members.remove",
        section: "13.9",
        access: "caller with `members.remove`, or the member itself",
      },
      tag,
      summary: "Remove a member, or leave",
      description: "The member's sessions in this organization end, and invitations by the member are revoked.",
      auth: "administrative",
      session: { servesSession: "enrolment", servesWithout: "self" },
      permission: "members.remove",
      responses: { 204: { description: "Removed" } },
      problems: ["not_found", "forbidden", "conflict"],
      authorize: (caller, params, permission) =>
        authorizeRemoval(deps, caller, { organizationId: params.org_id, userId: params.user_id, permission }),
      async handle({ authorized: caller, params, client }) {
        const outcome = await removeMember(deps, { caller, userId: params.user_id, client });
        return outcome.ok ? ok(emptyReply(204)) : outcome;
      },
    }),
  ];
}
