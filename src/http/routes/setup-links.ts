import { ok } from "../../base/result.ts";
import { clampPage } from "../../database/listing.ts";
import type { Deps, EmailDeps } from "../../deps.ts";
import { createSetupLink } from "../../flows/sso/setup-links/create.ts";
import { finishSetupLink, listOrganizationSetupLinks } from "../../flows/sso/setup-links/manage.ts";
import {
  authorizeOrganizationAdministrator,
  authorizeSteppedUpOrganizationAdministrator,
} from "../../flows/steps/authorization/authorize-administrator.ts";
import { authorizeSsoManager, authorizeSsoReader } from "../../flows/steps/authorization/authorize-sso.ts";
import type { SetupLink } from "../../models/setup-link/setup-link.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { emptyReply, listReply, reply } from "../reply.ts";
import { listOf } from "../schemas/common.ts";
import { CreatedSetupLinkItem, CreateSetupLinkBody, SetupLinkItem, SetupLinksQuery } from "../schemas/setup-links.ts";

type SetupLinkDeps = EmailDeps & Pick<Deps, "reads" | "revocations">;

const ofOrganization = { tag: "Single sign-on", auth: "administrative", permission: "sso.manage" } as const;
const ofPlatform = { tag: "Platform administration", auth: "administrative" } as const;
const COLLECTION = "/orgs/:org_id/sso/setup-links";
const ADMIN_COLLECTION = "/admin/orgs/:id/sso/setup-links";
const READ_PROBLEMS = ["not_found", "forbidden", "payment_required"] as const;
const LISTED = { 200: { description: "Newest first", schema: listOf(SetupLinkItem) } } as const;
const CREATED = { 201: { description: "Created; the URL is displayed once", schema: CreatedSetupLinkItem } } as const;
const ENDED = { 204: { description: "Ended, also before" } } as const;

/** docs/contract.md, section 29.50. */
export function setupLinkRoutes(deps: SetupLinkDeps): Endpoint[] {
  return [...organizationRoutes(deps), ...platformRoutes(deps)];
}

function organizationRoutes(deps: SetupLinkDeps): Endpoint[] {
  return [
    endpoint({
      ...ofOrganization,
      method: "GET",
      path: COLLECTION,
      operationId: "listSetupLinks",
      docs: { clientMethod: "sso.setupLinks.list", section: "29.50" },
      summary: "List the set-up links of an organization",
      input: { query: SetupLinksQuery },
      responses: LISTED,
      problems: READ_PROBLEMS,
      authorize: (caller, { org_id }, permission) => authorizeSsoReader(deps, caller, org_id, permission),
      async handle({ authorized: caller, query }) {
        const page = clampPage(query.page, query.page_size);
        const listing = await listOrganizationSetupLinks(deps, { caller, page });
        return listing.ok ? ok(listReply(listing.value, setupLinkBody)) : listing;
      },
    }),
    endpoint({
      ...ofOrganization,
      method: "POST",
      path: COLLECTION,
      operationId: "createSetupLink",
      docs: { clientMethod: "sso.setupLinks.create", section: "29.50" },
      stepUp: "grants_power",
      summary: "Create a link by which a person without an account sets up single sign-on",
      input: { body: CreateSetupLinkBody },
      responses: CREATED,
      problems: [...READ_PROBLEMS, "mfa_required", "conflict"],
      authorize: (caller, { org_id }) => authorizeSsoManager(deps, caller, org_id),
      async handle({ authorized: caller, body, client }) {
        const { intents, email, expires_in_hours: expiresInHours } = body;
        const created = await createSetupLink(deps, { caller, intents, email, expiresInHours, client });
        return created.ok ? ok(reply(201, createdBody(created.value))) : created;
      },
    }),
    endpoint({
      ...ofOrganization,
      method: "DELETE",
      path: `${COLLECTION}/:id` as const,
      operationId: "revokeSetupLink",
      docs: { clientMethod: "sso.setupLinks.revoke", section: "29.50" },
      summary: "End a set-up link at once",
      responses: ENDED,
      problems: [...READ_PROBLEMS, "mfa_required"],
      authorize: (caller, { org_id }) => authorizeSsoManager(deps, caller, org_id),
      async handle({ authorized: caller, params, client }) {
        const ended = await finishSetupLink(deps, { caller, linkId: params.id, reason: "revoked", client });
        return ended.ok ? ok(emptyReply(204)) : ended;
      },
    }),
  ];
}

function platformRoutes(deps: SetupLinkDeps): Endpoint[] {
  return [
    endpoint({
      ...ofPlatform,
      method: "GET",
      path: ADMIN_COLLECTION,
      operationId: "listOrganizationSetupLinks",
      permission: "sso.read",
      docs: { clientMethod: "admin.organizations.setupLinks", section: "29.50" },
      summary: "List the set-up links of any organization",
      input: { query: SetupLinksQuery },
      responses: LISTED,
      problems: ["forbidden", "mfa_required", "not_found"],
      authorize: (caller, { id }, permission) => authorizeOrganizationAdministrator(deps, caller, id, permission),
      async handle({ authorized: caller, query }) {
        const page = clampPage(query.page, query.page_size);
        const listing = await listOrganizationSetupLinks(deps, { caller, page });
        return listing.ok ? ok(listReply(listing.value, setupLinkBody)) : listing;
      },
    }),
    endpoint({
      ...ofPlatform,
      method: "POST",
      path: ADMIN_COLLECTION,
      operationId: "createOrganizationSetupLink",
      permission: "sso.manage",
      docs: { clientMethod: "admin.organizations.createSetupLink", section: "29.50" },
      stepUp: "grants_power",
      summary: "Create a set-up link for any organization",
      input: { body: CreateSetupLinkBody },
      responses: CREATED,
      problems: ["forbidden", "mfa_required", "not_found", "payment_required", "conflict"],
      authorize: (caller, { id }) => authorizeSteppedUpOrganizationAdministrator(deps, caller, id),
      async handle({ authorized: caller, body, client }) {
        const { intents, email, expires_in_hours: expiresInHours } = body;
        const created = await createSetupLink(deps, { caller, intents, email, expiresInHours, client });
        return created.ok ? ok(reply(201, createdBody(created.value))) : created;
      },
    }),
    endpoint({
      ...ofPlatform,
      method: "DELETE",
      path: `${ADMIN_COLLECTION}/:link_id` as const,
      operationId: "revokeOrganizationSetupLink",
      permission: "sso.manage",
      docs: { clientMethod: "admin.organizations.revokeSetupLink", section: "29.50" },
      summary: "End a set-up link of any organization",
      responses: ENDED,
      problems: ["forbidden", "mfa_required", "not_found"],
      authorize: (caller, { id }) => authorizeSteppedUpOrganizationAdministrator(deps, caller, id),
      async handle({ authorized: caller, params, client }) {
        const ended = await finishSetupLink(deps, { caller, linkId: params.link_id, reason: "revoked", client });
        return ended.ok ? ok(emptyReply(204)) : ended;
      },
    }),
  ];
}

function createdBody({ id, url, expiresAt }: { readonly id: string; readonly url: string; readonly expiresAt: Date }) {
  return { id, url, expires_at: expiresAt.toISOString() };
}

function setupLinkBody(link: SetupLink) {
  return {
    id: link.id,
    organization_id: link.organizationId,
    intents: [...link.intents],
    email: link.email,
    status: link.status,
    connection_id: link.connectionId,
    created_by: link.createdBy,
    created_at: link.createdAt.toISOString(),
    begun_at: link.begunAt?.toISOString() ?? null,
    expires_at: link.expiresAt.toISOString(),
  };
}
