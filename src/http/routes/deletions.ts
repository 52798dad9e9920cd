import { ok } from "../../base/result.ts";
import { clampPage } from "../../database/listing.ts";
import type { SignInDeps } from "../../deps.ts";
import { requestUserDeletion, searchDeletions } from "../../flows/deletions/administer.ts";
import { cancelDeletionByAdministrator, cancelDeletionByLink } from "../../flows/deletions/cancel.ts";
import { authorizeMemberErasure, requestMemberErasure } from "../../flows/deletions/erase-member.ts";
import {
  type PendingOrganizationDeletion,
  requestOrganizationDeletion,
  requestOrganizationDeletionAsAdmin,
} from "../../flows/deletions/organization.ts";
import { requestOwnDeletion } from "../../flows/deletions/request-own.ts";
import { authorizePlatformFor } from "../../flows/steps/authorization/authorize-administrator.ts";
import { authorizePrincipal } from "../../flows/steps/authorization/authorize-member.ts";
import { authorizePlatform } from "../../flows/steps/authorization/authorize-platform-role.ts";
import { authorizeCredentialChange } from "../../flows/steps/credentials/change-credentials.ts";
import type { Deletion } from "../../models/deletion/deletion.ts";
import { clearedCookies } from "../cookies.ts";
import { userDeletionBody } from "../deletion-body.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { emptyReply, listReply, reply } from "../reply.ts";
import { listOf } from "../schemas/common.ts";
import {
  CancelDeletionBody,
  CancelledDeletion,
  DeleteMeBody,
  DeleteOrganizationBody,
  DeletionItem,
  DeletionsQuery,
  OrganizationDeletion,
  ReasonBody,
  UserDeletion,
} from "../schemas/deletions.ts";

/** docs/contract.md, sections 30.1 to 30.4. */
export function deletionRoutes(deps: SignInDeps): Endpoint[] {
  return [
    ...ownRoutes(deps),
    ...cancelRoutes(deps),
    ...organizationRoutes(deps),
    ...memberRoutes(deps),
    ...administrationRoutes(deps),
  ];
}

function ownRoutes(deps: SignInDeps): Endpoint[] {
  const spec = {
    tag: "Users",
    description:
      "Closes the account at once: all sessions and tokens end. Needs the password, an emailed code, or a step-up " +
      "within five minutes; and `aal2` from a user with a second factor. 409 names the organizations that would have " +
      "no owner.",
    auth: "own",
    input: { body: DeleteMeBody },
    responses: {
      202: { description: "The account is closed, and erased later", schema: UserDeletion, headers: ["Set-Cookie"] },
    },
    problems: ["conflict", "mfa_required", "not_found", "rate_limited"],
  } as const;
  const declare = (parts: Pick<Endpoint, "docs" | "method" | "operationId" | "path" | "summary">) =>
    endpoint({
      ...spec,
      ...parts,
      authorize: ({ session }) => authorizeCredentialChange(deps, session),
      async handle({ caller: { session: caller }, authorized, body: { password, code }, client }) {
        const outcome = await requestOwnDeletion(deps, { caller, authorized, password, code, client });
        if (!outcome.ok) return outcome;
        return ok(reply(202, userDeletionBody(outcome.value), { cookies: clearedCookies(deps.config) }));
      },
    });
  return [
    declare({
      method: "POST",
      path: "/users/me/deletion",
      operationId: "requestDeletion",
      docs: { clientMethod: "me.requestDeletion", section: "30.1", access: "caller, `aal2`" },
      summary: "Delete the caller's own account",
    }),
    declare({
      method: "DELETE",
      path: "/users/me",
      operationId: "deleteMe",
      docs: { clientMethod: "me.delete", section: "30.1", access: "caller, `aal2`" },
      summary: "Delete the caller's own account (alias)",
    }),
  ];
}

function cancelRoutes(deps: SignInDeps): Endpoint[] {
  return [
    endpoint({
      method: "POST",
      path: "/auth/deletion/cancel",
      operationId: "cancelDeletion",
      docs: { clientMethod: "deletions.cancel", section: "30.2" },
      tag: "Users",
      summary: "Cancel a deletion with the token from the mail",
      auth: "none",
      limits: { address: "sign_in" },
      input: { body: CancelDeletionBody },
      responses: { 200: { description: "Cancelled: a sign-in works again", schema: CancelledDeletion } },
      problems: ["authentication_required"],
      async handle({ body, client }) {
        const outcome = await cancelDeletionByLink(deps, { token: body.token, client });
        return outcome.ok ? ok(reply(200, { subject_type: outcome.value.subjectType })) : outcome;
      },
    }),
  ];
}

function organizationRoutes(deps: SignInDeps): Endpoint[] {
  return [
    endpoint({
      method: "POST",
      path: "/orgs/:org_id/deletion",
      operationId: "deleteOrganization",
      docs: {
        clientMethod: "organizations.requestDeletion",
        section: "30.4",
        access: "caller with `organization.delete`, step-up",
      },
      tag: "Members",
      summary: "Delete an organization",
      description:
        "Suspends the organization for 30 days, then erases every row. Needs a step-up, and names the slug. All " +
        "owners receive a link that cancels the deletion.",
      auth: "administrative",
      permission: "organization.delete",
      input: { body: DeleteOrganizationBody },
      responses: { 202: { description: "Suspended, and erased later", schema: OrganizationDeletion } },
      problems: ["conflict", "forbidden", "mfa_required", "not_found", "rate_limited"],
      authorize: (caller, params, permission) => authorizePrincipal(deps, caller, params.org_id, permission),
      async handle({ authorized: caller, body: { slug, password }, client }) {
        const outcome = await requestOrganizationDeletion(deps, { caller, slug, password, client });
        return outcome.ok ? ok(reply(202, organizationDeletionBody(outcome.value))) : outcome;
      },
    }),
    endpoint({
      method: "DELETE",
      path: "/orgs/:org_id/deletion",
      operationId: "cancelOrganizationDeletion",
      docs: { clientMethod: "organizations.cancelDeletion", section: "30.4" },
      tag: "Platform administration",
      summary: "Cancel the deletion of an organization",
      auth: "administrative",
      permission: "organization.delete",
      responses: { 204: { description: "Cancelled" } },
      problems: ["forbidden", "not_found", "mfa_required"],
      authorize: (caller, params, permission) => authorizePlatformFor(deps, caller, params.org_id, permission),
      async handle({ authorized: caller, params, client }) {
        const input = { caller, subjectType: "organization", subjectId: params.org_id, client } as const;
        const outcome = await cancelDeletionByAdministrator(deps, input);
        return outcome.ok ? ok(emptyReply(204)) : outcome;
      },
    }),
  ];
}

function memberRoutes(deps: SignInDeps): Endpoint[] {
  return [
    endpoint({
      method: "POST",
      path: "/orgs/:org_id/members/:user_id/erasure",
      operationId: "eraseMember",
      docs: {
        clientMethod: "organizations.members.requestErasure",
        section: "31.9",
        access: "caller with `organization.delete`, step-up",
      },
      tag: "Members",
      summary: "Erase a managed user",
      description:
        "Closes the account at once, and erases the account later. Only for a user whom the organization manages: " +
        "without another membership and without own credentials, else 409. Needs a step-up.",
      auth: "administrative",
      permission: "organization.delete",
      responses: { 202: { description: "The account is closed, and erased later", schema: UserDeletion } },
      problems: ["conflict", "forbidden", "mfa_required", "not_found"],
      authorize: (caller, params, permission) => authorizeMemberErasure(deps, caller, params.org_id, permission),
      async handle({ authorized: caller, params, client }) {
        const outcome = await requestMemberErasure(deps, { caller, userId: params.user_id, client });
        return outcome.ok ? ok(reply(202, userDeletionBody(outcome.value))) : outcome;
      },
    }),
  ];
}

function administrationRoutes(deps: SignInDeps): Endpoint[] {
  return [
    endpoint({
      method: "POST",
      path: "/admin/users/:id/deletion",
      operationId: "deleteUser",
      docs: { clientMethod: "admin.users.requestDeletion", section: "30.2" },
      tag: "Platform administration",
      summary: "Delete a user",
      description: "As by the user, with a reason. Forbidden for a user with a higher platform role than the caller.",
      auth: "administrative",
      permission: "users.delete",
      input: { body: ReasonBody },
      responses: { 202: { description: "The account is closed, and erased later", schema: UserDeletion } },
      problems: ["conflict", "forbidden", "not_found", "mfa_required"],
      authorize: (caller, _, permission) => authorizePlatform(deps, caller, permission),
      async handle({ authorized: caller, params, body: { reason }, client }) {
        const outcome = await requestUserDeletion(deps, { caller, userId: params.id, reason, client });
        return outcome.ok ? ok(reply(202, userDeletionBody(outcome.value))) : outcome;
      },
    }),
    endpoint({
      method: "DELETE",
      path: "/admin/users/:id/deletion",
      operationId: "cancelUserDeletion",
      docs: { clientMethod: "admin.users.cancelDeletion", section: "30.2" },
      tag: "Platform administration",
      summary: "Cancel the deletion of a user",
      auth: "administrative",
      permission: "users.delete",
      responses: { 204: { description: "Cancelled" } },
      problems: ["forbidden", "not_found", "mfa_required"],
      authorize: (caller, _, permission) => authorizePlatform(deps, caller, permission),
      async handle({ authorized: caller, params, client }) {
        const input = { caller, subjectType: "user", subjectId: params.id, client } as const;
        const outcome = await cancelDeletionByAdministrator(deps, input);
        return outcome.ok ? ok(emptyReply(204)) : outcome;
      },
    }),
    endpoint({
      method: "POST",
      path: "/admin/orgs/:id/deletion",
      operationId: "deleteOrganizationAsAdmin",
      docs: { clientMethod: "admin.organizations.requestDeletion", section: "30.4" },
      tag: "Platform administration",
      summary: "Delete an organization",
      auth: "administrative",
      permission: "organization.delete",
      input: { body: ReasonBody },
      responses: { 202: { description: "Suspended, and erased later", schema: OrganizationDeletion } },
      problems: ["conflict", "forbidden", "not_found", "mfa_required"],
      authorize: (caller, params, permission) => authorizePlatformFor(deps, caller, params.id, permission),
      async handle({ authorized: caller, params, body: { reason }, client }) {
        const input = { caller, organizationId: params.id, reason, client };
        const outcome = await requestOrganizationDeletionAsAdmin(deps, input);
        return outcome.ok ? ok(reply(202, organizationDeletionBody(outcome.value))) : outcome;
      },
    }),
    endpoint({
      method: "GET",
      path: "/admin/deletions",
      operationId: "listDeletions",
      docs: { clientMethod: "admin.deletions.list", section: "30.2" },
      tag: "Platform administration",
      summary: "List pending deletions and erasures of the last 180 days",
      auth: "administrative",
      permission: "users.read",
      input: { query: DeletionsQuery },
      responses: { 200: { description: "Pending deletions first", schema: listOf(DeletionItem) } },
      problems: ["forbidden", "mfa_required"],
      authorize: (caller, _, permission) => authorizePlatform(deps, caller, permission),
      async handle({ authorized: caller, query }) {
        const page = clampPage(query.page, query.page_size);
        const { subject_type: subjectType } = query;
        const search = { caller, page, ...(subjectType ? { subjectType } : {}) };
        return ok(listReply(await searchDeletions(deps, search), deletionBody));
      },
    }),
  ];
}

function organizationDeletionBody({ id, organizationId, requestedAt, dueAt }: PendingOrganizationDeletion) {
  return {
    id,
    organization_id: organizationId,
    requested_at: requestedAt.toISOString(),
    deletion_at: dueAt.toISOString(),
  };
}

function deletionBody(deletion: Deletion) {
  return {
    id: deletion.id,
    subject_type: deletion.subjectType,
    subject_id: deletion.subjectId,
    requested_by: deletion.requestedBy,
    reason: deletion.reason,
    requested_at: deletion.requestedAt.toISOString(),
    deletion_at: deletion.dueAt.toISOString(),
    erased_at: deletion.erasedAt?.toISOString() ?? null,
  };
}
