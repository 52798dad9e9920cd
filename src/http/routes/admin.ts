import { ok } from "../../base/result.ts";
import { clampPage, searchTerm } from "../../database/listing.ts";
import type { Deps, SignInDeps } from "../../deps.ts";
import { administerOrganization } from "../../flows/organizations/administer.ts";
import { provisionOrganization } from "../../flows/organizations/create.ts";
import { searchOrganizations } from "../../flows/organizations/search.ts";
import { authorizePlatformFor } from "../../flows/steps/authorization/authorize-administrator.ts";
import {
  authorizePlatform,
  authorizePlatformInReach,
} from "../../flows/steps/authorization/authorize-platform-role.ts";
import { administerUser, resetUserMfa } from "../../flows/users/administer.ts";
import { searchUsers } from "../../flows/users/search.ts";
import { sendPasswordResetTo, sendVerificationTo } from "../../flows/users/send-link.ts";
import type { Organization } from "../../models/organization/organization.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { userItemBody } from "../profile.ts";
import { emptyReply, listReply, reply } from "../reply.ts";
import { UserItem } from "../schemas/account.ts";
import {
  OrganizationChangeBody,
  OrganizationItem,
  OrganizationsQuery,
  ProvisionBody,
  ProvisionedBody,
  UserChangeBody,
  UsersQuery,
} from "../schemas/admin.ts";
import { listOf } from "../schemas/common.ts";

export type AdminDeps = SignInDeps & Pick<Deps, "reads">;

const tag = "Platform administration";

/** docs/contract.md, sections 14.1 to 14.7, 14.12 and 14.13. */
export function adminRoutes(deps: AdminDeps): Endpoint[] {
  return [
    ...organizationRoutes(deps),
    ...organizationChangeRoutes(deps),
    ...userRoutes(deps),
    ...mfaResetRoutes(deps),
    ...linkRoutes(deps),
  ];
}

function organizationRoutes(deps: AdminDeps): Endpoint[] {
  return [
    endpoint({
      method: "GET",
      path: "/admin/orgs",
      operationId: "listOrganizations",
      docs: { clientMethod: "admin.organizations.list", section: "14.2" },
      tag,
      summary: "List or search organizations",
      auth: "administrative",
      permission: "organizations.read",
      input: { query: OrganizationsQuery },
      responses: { 200: { description: "Newest first by default", schema: listOf(OrganizationItem) } },
      problems: ["forbidden", "mfa_required"],
      authorize: (caller, _, permission) => authorizePlatformInReach(deps, caller, permission),
      async handle({ authorized: caller, query }) {
        const page = clampPage(query.page, query.page_size);
        const search = {
          q: searchTerm(query.q),
          suspended: isValue(query.status, "suspended"),
          tier: query.tier,
          createdFrom: query.created_from,
          createdTo: query.created_to,
          sort: query.sort,
        };
        const listing = await searchOrganizations(deps, { caller, search, page });
        return listing.ok ? ok(listReply(listing.value, organizationBody)) : listing;
      },
    }),
    endpoint({
      method: "POST",
      path: "/admin/orgs",
      operationId: "provisionOrganization",
      docs: { clientMethod: "admin.organizations.provision", section: "14.3" },
      tag,
      summary: "Create an organization with its first owner",
      auth: "administrative",
      permission: "organizations.write",
      input: { body: ProvisionBody },
      responses: { 201: { description: "Created", schema: ProvisionedBody } },
      problems: ["forbidden", "conflict", "rate_limited", "mfa_required"],
      authorize: (caller, _, permission) => authorizePlatform(deps, caller, permission),
      async handle({ authorized: caller, body, client }) {
        const created = await provisionOrganization(deps, {
          caller,
          organization: {
            organizationName: body.organization_name,
            organizationSlug: body.organization_slug,
            email: body.owner_email,
            password: body.owner_password,
            displayName: body.owner_display_name,
          },
          tier: body.tier,
          client,
        });
        if (!created.ok) return created;
        const { organizationId, ownerUserId, slug } = created.value;
        return ok(reply(201, { organization_id: organizationId, owner_user_id: ownerUserId, slug }));
      },
    }),
  ];
}

function organizationChangeRoutes(deps: AdminDeps): Endpoint[] {
  return [
    endpoint({
      method: "PATCH",
      path: "/admin/orgs/:id",
      operationId: "administerOrganization",
      docs: { clientMethod: "admin.organizations.update", section: "14.4" },
      tag,
      summary: "Rename, suspend or restore an organization, or change its tier",
      description:
        "A suspension ends all sessions of the organization, on every replica within a second. It is forbidden if a " +
        "member of the organization has a higher platform role than the caller.",
      auth: "administrative",
      permission: "organizations.write",
      input: { body: OrganizationChangeBody },
      responses: { 200: { description: "The updated organization", schema: OrganizationItem } },
      problems: ["forbidden", "not_found", "mfa_required"],
      authorize: (caller, params, permission) => authorizePlatformFor(deps, caller, params.id, permission),
      async handle({ authorized: caller, params, body, client }) {
        const organization = await administerOrganization(deps, {
          caller,
          organizationId: params.id,
          name: body.name,
          tier: body.tier,
          suspended: body.suspended,
          client,
        });
        return organization.ok ? ok(reply(200, organizationBody(organization.value))) : organization;
      },
    }),
  ];
}

function userRoutes(deps: AdminDeps): Endpoint[] {
  return [
    endpoint({
      method: "GET",
      path: "/admin/users",
      operationId: "searchUsers",
      docs: { clientMethod: "admin.users.search", section: "14.5" },
      tag,
      summary: "List or search users of all organizations",
      auth: "administrative",
      permission: "users.read",
      input: { query: UsersQuery },
      responses: { 200: { description: "Newest first by default", schema: listOf(UserItem) } },
      problems: ["forbidden", "mfa_required"],
      authorize: (caller, _, permission) => authorizePlatform(deps, caller, permission),
      async handle({ authorized: caller, query }) {
        const page = clampPage(query.page, query.page_size);
        const search = {
          q: searchTerm(query.q),
          disabled: isValue(query.status, "disabled"),
          platformRole: query.platform_role,
          mfaEnabled: isValue(query.mfa_enabled, "true"),
          organizationId: query.organization_id,
          createdFrom: query.created_from,
          createdTo: query.created_to,
          sort: query.sort,
        };
        const listing = await searchUsers(deps, { caller, search, page });
        return listing.ok ? ok(listReply(listing.value, userItemBody)) : listing;
      },
    }),
    endpoint({
      method: "PATCH",
      path: "/admin/users/:id",
      operationId: "administerUser",
      docs: { clientMethod: "admin.users.update", section: "14.6" },
      tag,
      summary: "Disable or enable a user",
      description:
        "Disabling ends all sessions of the user. Forbidden for a user with a higher platform role than the caller.",
      auth: "administrative",
      permission: "users.write",
      input: { body: UserChangeBody },
      responses: { 200: { description: "The updated user", schema: UserItem } },
      problems: ["conflict", "forbidden", "not_found", "mfa_required"],
      authorize: (caller, _, permission) => authorizePlatform(deps, caller, permission),
      async handle({ authorized: caller, params, body, client }) {
        const profile = await administerUser(deps, {
          caller,
          userId: params.id,
          disabled: body.disabled,
          client,
        });
        return profile.ok ? ok(reply(200, userItemBody(profile.value))) : profile;
      },
    }),
  ];
}

function mfaResetRoutes(deps: AdminDeps): Endpoint[] {
  return [
    endpoint({
      method: "POST",
      path: "/admin/users/:id/mfa/reset",
      operationId: "resetUserMfa",
      docs: { clientMethod: "admin.users.resetMfa", section: "14.7" },
      tag,
      summary: "Reset a user's second factor",
      description:
        "Also removes recovery codes and trusted browsers and ends all sessions. The user is notified by e-mail.",
      auth: "administrative",
      permission: "users.recover",
      responses: { 204: { description: "Reset" } },
      problems: ["conflict", "forbidden", "not_found", "mfa_required"],
      authorize: (caller, _, permission) => authorizePlatform(deps, caller, permission),
      async handle({ authorized: caller, params, client }) {
        const outcome = await resetUserMfa(deps, { caller, userId: params.id, client });
        return outcome.ok ? ok(emptyReply(204)) : outcome;
      },
    }),
  ];
}

/** A filter with two values as a boolean; undefined without the filter. */
function isValue(value: string | undefined, yes: string): boolean | undefined {
  return value === undefined ? undefined : value === yes;
}

function linkRoutes(deps: AdminDeps): Endpoint[] {
  return [
    endpoint({
      method: "POST",
      path: "/admin/users/:id/send-verification",
      operationId: "sendUserVerification",
      docs: { clientMethod: "admin.users.sendVerification", section: "14.12" },
      tag,
      summary: "E-mail a user a link that confirms the address",
      auth: "administrative",
      permission: "users.recover",
      responses: { 204: { description: "Queued, unless the address has had too many e-mails" } },
      problems: ["forbidden", "not_found", "conflict", "mfa_required"],
      authorize: (caller, _, permission) => authorizePlatform(deps, caller, permission),
      async handle({ authorized: caller, params, client }) {
        const outcome = await sendVerificationTo(deps, { caller, userId: params.id, client });
        return outcome.ok ? ok(emptyReply(204)) : outcome;
      },
    }),
    endpoint({
      method: "POST",
      path: "/admin/users/:id/send-password-reset",
      operationId: "sendUserPasswordReset",
      docs: { clientMethod: "admin.users.sendPasswordReset", section: "14.13" },
      tag,
      summary: "E-mail a user a link for a new password",
      auth: "administrative",
      permission: "users.recover",
      responses: { 204: { description: "Queued, unless the address has had too many e-mails" } },
      problems: ["forbidden", "not_found", "conflict", "mfa_required"],
      authorize: (caller, _, permission) => authorizePlatform(deps, caller, permission),
      async handle({ authorized: caller, params, client }) {
        const outcome = await sendPasswordResetTo(deps, { caller, userId: params.id, client });
        return outcome.ok ? ok(emptyReply(204)) : outcome;
      },
    }),
  ];
}

function organizationBody(organization: Organization) {
  return {
    id: organization.id,
    name: organization.name,
    slug: organization.slug,
    tier: organization.tier,
    created_at: organization.createdAt.toISOString(),
    suspended: organization.suspended,
  };
}
