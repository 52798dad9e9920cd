import { ok } from "../../base/result.ts";
import { clampPage } from "../../database/listing.ts";
import { authorizeDownload } from "../../flows/data-exports/authorize-download.ts";
import { downloadExport } from "../../flows/data-exports/download.ts";
import { exportOrganization } from "../../flows/data-exports/organization.ts";
import {
  type ExportDeps,
  listOwnExports,
  requestExportFor,
  requestOwnExport,
} from "../../flows/data-exports/request.ts";
import { readOrganization } from "../../flows/organizations/administer.ts";
import { authorizePlatformFor } from "../../flows/steps/authorization/authorize-administrator.ts";
import { authorizePrincipal } from "../../flows/steps/authorization/authorize-member.ts";
import { authorizePlatform } from "../../flows/steps/authorization/authorize-platform-role.ts";
import { authorizeCredentialChange } from "../../flows/steps/credentials/change-credentials.ts";
import type { DataExport } from "../../models/data-export/data-export.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { NDJSON, organizationExportReply } from "../organizations/organization-export.ts";
import { listReply, type Reply, reply, streamReply } from "../reply.ts";
import { ConfirmationBody } from "../schemas/account.ts";
import { listOf, PageQuery } from "../schemas/common.ts";
import { DataExportItem, UserExport } from "../schemas/data-exports.ts";
import { ReasonBody } from "../schemas/deletions.ts";

const ORGANIZATION_EXAMPLE =
  '{"type":"organization","id":"0198c0de-7a11-7cc3-b2d4-6f1a2b3c4d5e","name":"Acme","slug":"acme"}\n' +
  '{"type":"member","id":"0198c0de-7a11-7cc3-b2d4-6f1a2b3c4d5f","email":"ada@example.com","role":"owner"}\n';
const ORGANIZATION_LINES =
  "One JSON document per line: the organization, members, invitations, service accounts, keys and webhooks, without " +
  "secrets.";

/** docs/contract.md, sections 30.5 and 30.6. */
export function dataExportRoutes(deps: ExportDeps): Endpoint[] {
  return [...ownRoutes(deps), ...organizationRoutes(deps), ...administrationRoutes(deps)];
}

function ownRoutes(deps: ExportDeps): Endpoint[] {
  return [
    endpoint({
      method: "POST",
      path: "/users/me/export",
      operationId: "requestExport",
      docs: { clientMethod: "me.requestExport", section: "30.5", access: "caller, `aal2`" },
      tag: "Users",
      summary: "Request a copy of the caller's own data",
      description:
        "Needs a sign-in, the password or a step-up within five minutes, and `aal2` from a user with a second " +
        "factor. Once a day. An email follows when the copy is ready; the copy is available for 24 hours.",
      auth: "own",
      input: { body: ConfirmationBody, malformedBody: "empty" },
      responses: { 202: { description: "Requested", schema: DataExportItem } },
      problems: ["conflict", "mfa_required", "rate_limited"],
      authorize: ({ session }) => authorizeCredentialChange(deps, session),
      async handle({ caller: { session: caller }, authorized, body: { password }, client }) {
        const outcome = await requestOwnExport(deps, { caller, authorized, password, client });
        return outcome.ok ? ok(reply(202, dataExportBody(outcome.value))) : outcome;
      },
    }),
    endpoint({
      method: "GET",
      path: "/users/me/exports",
      operationId: "listExports",
      docs: { clientMethod: "me.exports", section: "30.5" },
      tag: "Users",
      summary: "List the copies of the caller's own data",
      auth: "own",
      input: { query: PageQuery },
      responses: { 200: { description: "Newest first", schema: listOf(DataExportItem) } },
      problems: [],
      async handle({ caller: { session: caller }, query }) {
        const page = clampPage(query.page, query.page_size);
        return ok(listReply(await listOwnExports(deps, { caller, page }), dataExportBody));
      },
    }),
    endpoint({
      method: "GET",
      path: "/users/me/exports/:id",
      operationId: "downloadExport",
      docs: { clientMethod: "me.downloadExport", section: "30.5", access: "caller, step-up" },
      tag: "Users",
      summary: "Download a copy of the caller's own data",
      description:
        "Needs a step-up within five minutes, or from a user without a second factor and without a passkey a session " +
        "of at most ten minutes.",
      auth: "own",
      limits: { countsCaller: true },
      responses: { 200: { description: "The document", schema: UserExport, headers: ["Content-Disposition"] } },
      problems: ["mfa_required", "not_found"],
      authorize: ({ session }) => authorizeDownload(deps, session),
      async handle({ authorized, params }) {
        const outcome = await downloadExport(deps, { authorized, id: params.id });
        if (!outcome.ok) return outcome;
        const headers = { "content-disposition": 'attachment; filename="my-data.json"' };
        const streamed = streamReply(200, "application/json", outcome.value, { headers });
        // The stored document has the declared schema; `streamReply` has no body to check.
        return ok(streamed as Reply<200, never>);
      },
    }),
  ];
}

function organizationRoutes(deps: ExportDeps): Endpoint[] {
  return [
    endpoint({
      method: "GET",
      path: "/orgs/:org_id/export",
      operationId: "exportOrganization",
      docs: { clientMethod: "organizations.export", section: "30.6" },
      stepUp: "takes_data_out",
      tag: "Members",
      summary: "Export the data of an organization",
      description: ORGANIZATION_LINES,
      auth: "administrative",
      permission: "organization.delete",
      limits: { countsCaller: true },
      responses: { 200: organizationResponse() },
      problems: ["forbidden", "not_found"],
      authorize: (caller, params, permission) => authorizePrincipal(deps, caller, params.org_id, permission),
      async handle({ authorized: { organizationId, actor }, client }) {
        return ok(organizationExportReply(await exportOrganization(deps, { organizationId, actor, client })));
      },
    }),
  ];
}

function administrationRoutes(deps: ExportDeps): Endpoint[] {
  return [
    endpoint({
      method: "POST",
      path: "/admin/users/:id/export",
      operationId: "requestExportOfUser",
      docs: { clientMethod: "admin.users.requestExport", section: "30.5" },
      tag: "Platform administration",
      summary: "Request a copy of a user's data for the user",
      description: "The user receives the email and downloads the copy; no administrator can.",
      auth: "administrative",
      permission: "users.delete",
      input: { body: ReasonBody },
      responses: { 202: { description: "Requested", schema: DataExportItem } },
      problems: ["forbidden", "not_found", "mfa_required", "rate_limited"],
      authorize: (caller, _, permission) => authorizePlatform(deps, caller, permission),
      async handle({ authorized: caller, params, client }) {
        const outcome = await requestExportFor(deps, { caller, userId: params.id, client });
        return outcome.ok ? ok(reply(202, dataExportBody(outcome.value))) : outcome;
      },
    }),
    endpoint({
      method: "GET",
      path: "/admin/orgs/:id/export",
      operationId: "exportOrganizationAsAdmin",
      docs: { clientMethod: "admin.organizations.export", section: "30.6", access: "platform admin" },
      stepUp: "takes_data_out",
      tag: "Platform administration",
      summary: "Export the data of an organization",
      description: ORGANIZATION_LINES,
      auth: "administrative",
      permission: "organization.delete",
      limits: { countsCaller: true },
      responses: { 200: organizationResponse() },
      problems: ["forbidden", "not_found", "mfa_required"],
      authorize: (caller, params, permission) => authorizePlatformFor(deps, caller, params.id, permission),
      async handle({ authorized: caller, params, client }) {
        const found = await readOrganization(deps, caller, params.id);
        if (!found.ok) return found;
        const input = { organizationId: found.value.id, actor: caller.actor, client };
        return ok(organizationExportReply(await exportOrganization(deps, input)));
      },
    }),
  ];
}

function organizationResponse() {
  return {
    description: "The export",
    contentType: NDJSON,
    headers: ["Content-Disposition"],
    example: ORGANIZATION_EXAMPLE,
  } as const;
}

function dataExportBody({ id, status, bytes, requestedAt, completedAt, expiresAt }: DataExport) {
  return {
    id,
    status,
    bytes,
    requested_at: requestedAt.toISOString(),
    completed_at: completedAt?.toISOString() ?? null,
    expires_at: expiresAt?.toISOString() ?? null,
  };
}
