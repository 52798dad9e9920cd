import { refusal } from "../../base/problem.ts";
import { err, ok } from "../../base/result.ts";
import { clampPage } from "../../database/listing.ts";
import type { StoreDeps } from "../../deps.ts";
import { approveRequest, denyRequest, listOpenRequests } from "../../flows/domain-join/decide-request.ts";
import { type JoinDeps, joinByDomain, listJoinableOrganizations } from "../../flows/domain-join/join-organization.ts";
import { authorizePrincipal } from "../../flows/steps/authorization/authorize-member.ts";
import type { Principal } from "../../flows/steps/authorization/authorize-platform-role.ts";
import type { JoinRequest } from "../../models/domain-join/join-request.ts";
import type { JoinableOrganization } from "../../models/domain-join/joinable-organization.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { emptyReply, listReply, reply } from "../reply.ts";
import { listOf, PageQuery } from "../schemas/common.ts";
import { JoinableItem, JoinedByDomain, JoinRequested, JoinRequestItem } from "../schemas/domain-join.ts";

const REQUESTS = "/orgs/:org_id/join-requests";
const shared = { tag: "Members", auth: "own" } as const;
const BOUND = refusal("forbidden", "A session of single sign-on stays in its organization.");

/** docs/contract.md, section 34.3. */
export function domainJoinRoutes(deps: StoreDeps & JoinDeps): Endpoint[] {
  return [...userRoutes(deps), ...memberRoutes(deps)];
}

function userRoutes(deps: StoreDeps & JoinDeps): Endpoint[] {
  return [
    endpoint({
      ...shared,
      method: "GET",
      path: "/users/me/joinable-organizations",
      operationId: "listJoinableOrganizations",
      docs: { clientMethod: "organizations.joinable", section: "34.3" },
      summary: "List the organizations that the caller can join by a verified domain",
      input: { query: PageQuery },
      responses: { 200: { description: "By name", schema: listOf(JoinableItem) } },
      problems: ["forbidden"],
      async handle({ caller: { session }, query }) {
        const found = await listJoinableOrganizations(deps, session);
        const page = clampPage(query.page, query.page_size);
        const start = (page.page - 1) * page.pageSize;
        const items = found.slice(start, start + page.pageSize);
        return ok(listReply({ ...page, items, total: found.length }, joinableBody));
      },
    }),
    endpoint({
      ...shared,
      method: "POST",
      path: "/orgs/:org_id/join",
      operationId: "joinOrganization",
      docs: { clientMethod: "organizations.join", section: "34.3" },
      summary: "Join an organization by a verified domain, or ask to join",
      description: "Needs a controlling proof of an address in the domain. 404 for every organization out of reach.",
      responses: {
        201: { description: "Joined with the default role", schema: JoinedByDomain },
        202: { description: "Requested: a member decides", schema: JoinRequested },
      },
      problems: ["forbidden", "not_found", "conflict"],
      async handle({ caller: { session }, params: { org_id: organizationId }, client }) {
        if (session.organizationBound) return err(BOUND);
        const joined = await joinByDomain(deps, { session, organizationId, client });
        if (!joined.ok) return joined;
        const { value } = joined;
        return value.status === "joined"
          ? ok(reply(201, { status: "joined" as const, organization_id: organizationId, role: value.role }))
          : ok(reply(202, { status: "requested" as const, organization_id: organizationId }));
      },
    }),
  ];
}

function memberRoutes(deps: StoreDeps & JoinDeps): Endpoint[] {
  const decided = {
    tag: "Members",
    auth: "administrative",
    permission: "members.invite",
    authorize: (caller: Principal, { org_id }: { readonly org_id: string }, permission: "members.invite") =>
      authorizePrincipal(deps, caller, org_id, permission),
  } as const;
  return [
    endpoint({
      ...decided,
      method: "GET",
      path: REQUESTS,
      operationId: "listJoinRequests",
      docs: { clientMethod: "joinRequests.list", section: "34.3" },
      summary: "List the open requests to join an organization",
      input: { query: PageQuery },
      responses: { 200: { description: "Oldest first", schema: listOf(JoinRequestItem) } },
      problems: ["not_found", "forbidden"],
      async handle({ authorized: caller, query }) {
        const page = clampPage(query.page, query.page_size);
        return ok(listReply(await listOpenRequests(deps, caller, page), requestBody));
      },
    }),
    endpoint({
      ...decided,
      method: "POST",
      path: `${REQUESTS}/:id/approve`,
      operationId: "approveJoinRequest",
      docs: { clientMethod: "joinRequests.approve", section: "34.3" },
      summary: "Approve a request to join an organization",
      responses: { 204: { description: "The user is a member with the default role" } },
      problems: ["not_found", "forbidden", "conflict"],
      async handle({ authorized: caller, params: { id }, client }) {
        const approved = await approveRequest(deps, { caller, id, client });
        return approved.ok ? ok(emptyReply(204)) : approved;
      },
    }),
    endpoint({
      ...decided,
      method: "POST",
      path: `${REQUESTS}/:id/deny`,
      operationId: "denyJoinRequest",
      docs: { clientMethod: "joinRequests.deny", section: "34.3" },
      summary: "Deny a request to join an organization",
      responses: { 204: { description: "Denied; the user can ask again after 30 days" } },
      problems: ["not_found", "forbidden"],
      async handle({ authorized: caller, params: { id }, client }) {
        const denied = await denyRequest(deps, { caller, id, client });
        return denied.ok ? ok(emptyReply(204)) : denied;
      },
    }),
  ];
}

function joinableBody({ organizationId, name, slug, domain, mode, request }: JoinableOrganization) {
  return { organization_id: organizationId, organization_name: name, organization_slug: slug, domain, mode, request };
}

function requestBody({ id, userId, email, displayName, domain, createdAt, expiresAt }: JoinRequest) {
  return {
    id,
    user_id: userId,
    email,
    display_name: displayName,
    domain,
    created_at: createdAt.toISOString(),
    expires_at: expiresAt.toISOString(),
  };
}
