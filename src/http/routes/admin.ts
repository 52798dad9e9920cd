import type { Static } from "@sinclair/typebox";
import { invalidInput } from "../../base/invalid-input.ts";
import type { Refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { searchTerm } from "../../database/listing.ts";
import type { Deps, SignInDeps } from "../../deps.ts";
import { administerOrganization, readOrganization } from "../../flows/organizations/administer.ts";
import { type Provisioned, provisionOrganization } from "../../flows/organizations/create.ts";
import { type CreatedForOwner, createForOwner, type FirstOwner } from "../../flows/organizations/create-for-owner.ts";
import { listOrganizationsByCursor, searchOrganizations } from "../../flows/organizations/search.ts";
import { authorizePlatformFor } from "../../flows/steps/authorization/authorize-administrator.ts";
import {
  authorizePlatform,
  authorizePlatformInReach,
} from "../../flows/steps/authorization/authorize-platform-role.ts";
import { resetUserMfa } from "../../flows/users/administer.ts";
import { sendPasswordResetTo, sendVerificationTo } from "../../flows/users/send-link.ts";
import type { Organization } from "../../models/organization/organization.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { listPosition, positionReply } from "../list-position.ts";
import { accountAuthor } from "../management/account-author.ts";
import { emptyReply, reply } from "../reply.ts";
import { OrganizationChangeBody, OrganizationItem, OrganizationsQuery } from "../schemas/admin.ts";
import { positionedListOf } from "../schemas/positioned-list.ts";
import { ProvisionBody, ProvisionedBody } from "../schemas/provision.ts";
import { isValue } from "../search.ts";

export type AdminDeps = SignInDeps & Pick<Deps, "reads">;

const tag = "Platform administration";

/** docs/contract.md, sections 14.1 to 14.7, 14.12 and 14.13. */
export function adminRoutes(deps: AdminDeps): Endpoint[] {
  return [...organizationRoutes(deps), ...organizationChangeRoutes(deps), ...mfaResetRoutes(deps), ...linkRoutes(deps)];
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
      responses: { 200: { description: "Newest first by default", schema: positionedListOf(OrganizationItem) } },
      problems: ["forbidden", "mfa_required"],
      authorize: (caller, _, permission) => authorizePlatformInReach(deps, caller, permission),
      async handle({ authorized: caller, query }) {
        const position = listPosition(deps, "organizations", query);
        if (!position.ok) return position;
        const search = {
          q: searchTerm(query.q),
          suspended: isValue(query.status, "suspended"),
          tier: query.tier,
          slug: query.slug,
          createdFrom: query.created_from,
          createdTo: query.created_to,
          sort: query.sort,
        };
        const found = position.value.page
          ? await searchOrganizations(deps, { caller, search, page: position.value.page })
          : await listOrganizationsByCursor(deps, { caller, search, ...position.value });
        return found.ok ? ok(positionReply(deps, "organizations", query, found.value, organizationBody)) : found;
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
      async handle({ caller: principal, authorized: caller, body, client }) {
        const first = firstOwner(body);
        if (!first.ok) return first;
        const { organization_name: organizationName, organization_slug: organizationSlug, tier } = body;
        const named = { organizationName, organizationSlug };
        if ("owner" in first.value) {
          const author = accountAuthor(deps, principal, caller, client);
          const created = await createForOwner(deps, { ...author, ...named, tier, owner: first.value.owner });
          return created.ok ? ok(reply(201, provisionedBody(created.value))) : created;
        }
        const organization = { ...named, ...first.value };
        const created = await provisionOrganization(deps, { caller, organization, tier, client });
        return created.ok ? ok(reply(201, provisionedBody(created.value))) : created;
      },
    }),
  ];
}

function organizationChangeRoutes(deps: AdminDeps): Endpoint[] {
  return [
    endpoint({
      method: "GET",
      path: "/admin/orgs/:id",
      operationId: "getOrganizationAsAdmin",
      version: { of: "organization", by: "id" },
      docs: { clientMethod: "admin.organizations.get", section: "36.3" },
      tag,
      summary: "Get an organization",
      auth: "administrative",
      permission: "organizations.read",
      responses: { 200: { description: "The organization", schema: OrganizationItem } },
      problems: ["forbidden", "not_found", "mfa_required"],
      authorize: (caller, params, permission) => authorizePlatformFor(deps, caller, params.id, permission),
      async handle({ authorized: caller, params }) {
        const organization = await readOrganization(deps, caller, params.id);
        return organization.ok ? ok(reply(200, organizationBody(organization.value))) : organization;
      },
    }),
    endpoint({
      method: "PATCH",
      path: "/admin/orgs/:id",
      operationId: "administerOrganization",
      version: { of: "organization", by: "id" },
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
        "Also removes recovery codes and trusted browsers and ends all sessions. The user is notified by email.",
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

function linkRoutes(deps: AdminDeps): Endpoint[] {
  return [
    endpoint({
      method: "POST",
      path: "/admin/users/:id/send-verification",
      operationId: "sendUserVerification",
      docs: { clientMethod: "admin.users.sendVerification", section: "14.12" },
      tag,
      summary: "Email a user a link that confirms the address",
      auth: "administrative",
      permission: "users.recover",
      responses: { 204: { description: "Queued, unless the address has had too many emails" } },
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
      summary: "Email a user a link for a new password",
      auth: "administrative",
      permission: "users.recover",
      responses: { 204: { description: "Queued, unless the address has had too many emails" } },
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
    updated_at: organization.updatedAt.toISOString(),
    suspended: organization.suspended,
  };
}

const OWNER_FORMS = invalidInput("owner", "conflicting", "owner, or owner_email and owner_password");
const OWNER_NAMES = invalidInput("owner", "conflicting", "user_id, or email with delivery");

/** The first owner of a request: in one of two forms. */
function firstOwner(
  body: Static<typeof ProvisionBody>,
): Result<
  | { readonly owner: FirstOwner }
  | { readonly email: string; readonly password: string; readonly displayName: string | undefined },
  Refusal<"invalid_input">
> {
  const { owner, owner_email: email, owner_password: password, owner_display_name: displayName } = body;
  if (!owner) {
    return email === undefined || password === undefined ? err(OWNER_FORMS) : ok({ email, password, displayName });
  }
  if ((email ?? password ?? displayName) !== undefined) return err(OWNER_FORMS);
  const { user_id: userId, email: ownerEmail, display_name: ownerName, delivery } = owner;
  if (userId !== undefined) {
    return (ownerEmail ?? ownerName ?? delivery) === undefined ? ok({ owner: { userId } }) : err(OWNER_NAMES);
  }
  if (ownerEmail === undefined || delivery === undefined) return err(OWNER_NAMES);
  return ok({ owner: { email: ownerEmail, displayName: ownerName, delivery } });
}

function provisionedBody({ organizationId, ownerUserId, slug, ownerTicket }: Provisioned & Partial<CreatedForOwner>) {
  const ticket = ownerTicket && { url: ownerTicket.url, expires_at: ownerTicket.expiresAt.toISOString() };
  return {
    ...{ organization_id: organizationId, owner_user_id: ownerUserId, slug },
    ...(ticket ? { owner_ticket: ticket } : {}),
  };
}
