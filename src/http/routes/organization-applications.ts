import { ok } from "../../base/result.ts";
import { clampPage } from "../../database/listing.ts";
import type { Deps, StoreDeps } from "../../deps.ts";
import type { EndFamiliesDeps } from "../../flows/oauth/clients/end-families.ts";
import {
  decideAboutApplication,
  endApplicationAccess,
  listDecisions,
} from "../../flows/organization-applications/decide-application.ts";
import { authorizePrincipal } from "../../flows/steps/authorization/authorize-member.ts";
import type { Principal } from "../../flows/steps/authorization/authorize-platform-role.ts";
import { requireResponsible } from "../../flows/steps/authorization/require-responsible.ts";
import type { ApplicationDecision } from "../../models/organization-application/organization-application.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { applicationBody } from "../oauth/application-body.ts";
import { emptyReply, listReply } from "../reply.ts";
import { listOf } from "../schemas/common.ts";
import { ApplicationsQuery, OrganizationApplicationItem } from "../schemas/organization-applications.ts";

const PATH = "/orgs/:org_id/applications";
const ITEM = `${PATH}/:id` as const;

export type ApplicationRouteDeps = EndFamiliesDeps & StoreDeps & Pick<Deps, "reads">;

/** docs/contract.md, section 33.9. */
export function organizationApplicationRoutes(deps: ApplicationRouteDeps): Endpoint[] {
  const managed = {
    tag: "Members",
    auth: "administrative",
    permission: "applications.manage",
    problems: ["not_found", "forbidden"],
    authorize: async (
      principal: Principal,
      { org_id }: { readonly org_id: string },
      permission: "applications.manage",
    ) => {
      const caller = await authorizePrincipal(deps, principal, org_id, permission);
      return caller.ok ? await requireResponsible(deps, caller.value) : caller;
    },
  } as const;
  return [
    endpoint({
      ...managed,
      method: "GET",
      path: PATH,
      operationId: "listOrganizationApplications",
      docs: { clientMethod: "applications.list", section: "33.9" },
      summary: "List the requests of members for applications, or the decisions",
      input: { query: ApplicationsQuery },
      responses: {
        200: {
          description: "Requests oldest first, decisions newest first",
          schema: listOf(OrganizationApplicationItem),
        },
      },
      async handle({ authorized: caller, query }) {
        const page = clampPage(query.page, query.page_size);
        const isOpen = query.state !== "decided";
        return ok(listReply(await listDecisions(deps, { caller, isOpen, page }), decisionBody));
      },
    }),
    endpoint({
      ...managed,
      method: "POST",
      path: `${ITEM}/approve`,
      operationId: "approveOrganizationApplication",
      docs: { clientMethod: "applications.approve", section: "33.9" },
      stepUp: "grants_power",
      summary: "Approve an application for the members of an organization",
      responses: { 204: { description: "Approved; an equal decision changes nothing" } },
      async handle({ authorized: caller, params: { id: clientId }, client }) {
        const decided = await decideAboutApplication(deps, { caller, clientId, status: "approved", client });
        return decided.ok ? ok(emptyReply(204)) : decided;
      },
    }),
    endpoint({
      ...managed,
      method: "POST",
      path: `${ITEM}/deny`,
      operationId: "denyOrganizationApplication",
      docs: { clientMethod: "applications.deny", section: "33.9" },
      summary: "Deny an application to the members of an organization",
      responses: { 204: { description: "Denied; tokens of the application continue until their next refresh" } },
      async handle({ authorized: caller, params: { id: clientId }, client }) {
        const decided = await decideAboutApplication(deps, { caller, clientId, status: "denied", client });
        return decided.ok ? ok(emptyReply(204)) : decided;
      },
    }),
    endpoint({
      ...managed,
      method: "DELETE",
      path: ITEM,
      operationId: "endOrganizationApplicationAccess",
      docs: { clientMethod: "applications.end", section: "33.9" },
      summary: "End the access of an application for the members of an organization",
      description: "Ends every token of the application in the organization, and withdraws the approval.",
      responses: { 204: { description: "No token of the application is accepted for the organization" } },
      async handle({ authorized: caller, params: { id: clientId }, client }) {
        const ended = await endApplicationAccess(deps, { caller, clientId, client });
        return ended.ok ? ok(emptyReply(204)) : ended;
      },
    }),
  ];
}

function decisionBody(decision: ApplicationDecision) {
  const { client, redirectUris, status, changed, requestedBy, requestedAt, decidedAt } = decision;
  const { id, name, kind, host } = applicationBody(client);
  return {
    id,
    client_id: client.documentUrl ?? id,
    name,
    kind,
    host,
    redirect_uris: [...redirectUris],
    status,
    changed,
    requested_by: requestedBy,
    requested_at: requestedAt?.toISOString() ?? null,
    decided_at: decidedAt?.toISOString() ?? null,
  };
}
