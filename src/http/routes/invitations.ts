import { ok } from "../../base/result.ts";
import { clampPage } from "../../database/listing.ts";
import type { Deps, SignInDeps } from "../../deps.ts";
import { acceptInvitation } from "../../flows/invitations/accept.ts";
import { createInvitation } from "../../flows/invitations/create.ts";
import {
  listOrganizationInvitations,
  resendInvitation,
  revokeOrganizationInvitation,
} from "../../flows/invitations/manage.ts";
import { previewInvitation } from "../../flows/invitations/preview.ts";
import { authorizePrincipal } from "../../flows/steps/authorization/authorize-member.ts";
import { grantsPower } from "../../flows/steps/authorization/grants-power.ts";
import type { Permission } from "../../vocabulary/permissions.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import type { KeyCaller } from "../guards/api-key.ts";
import type { Caller } from "../guards/caller.ts";
import { invitationBody, sentInvitationBody } from "../organizations/team-bodies.ts";
import { emptyReply, listReply, reply } from "../reply.ts";
import { LoginSuccess } from "../schemas/auth.ts";
import { listOf } from "../schemas/common.ts";
import {
  AcceptBody,
  InvitationItem,
  InvitationsQuery,
  InviteBody,
  JoinedBody,
  PreviewBody,
  PreviewQuery,
  ResendBody,
  SentInvitationItem,
} from "../schemas/team.ts";
import { signedInReply } from "../signed-in.ts";

export type InvitationDeps = SignInDeps & Pick<Deps, "oauthResources" | "csrfKey" | "reads">;

const tag = "Invitations";

/** docs/contract.md, sections 13.1 to 13.6. */
export function invitationRoutes(deps: InvitationDeps): Endpoint[] {
  return [...organizationRoutes(deps), ...pendingRoutes(deps), ...previewRoutes(deps), ...acceptRoutes(deps)];
}

/** Authorizes for the organization in the path. */
function authorizeFor(deps: InvitationDeps) {
  return (caller: Caller | KeyCaller, params: { readonly org_id: string }, permission: Permission) =>
    authorizePrincipal(deps, caller, params.org_id, permission);
}

function organizationRoutes(deps: InvitationDeps): Endpoint[] {
  return [
    endpoint({
      method: "POST",
      path: "/orgs/:org_id/invitations",
      operationId: "createInvitation",
      docs: { clientMethod: "invitations.create", section: "13.1" },
      stepUp: "grants_power",
      stepUpFor: ({ role = "member", role_ids }) => grantsPower(role, role_ids),
      tag,
      summary: "Invite an address into an organization",
      auth: "administrative",
      permission: "members.invite",
      input: { body: InviteBody },
      responses: { 201: { description: "Invited; the link is queued, or in `url`", schema: SentInvitationItem } },
      problems: ["not_found", "forbidden", "payment_required", "conflict", "rate_limited"],
      authorize: authorizeFor(deps),
      async handle({ authorized: caller, body, client }) {
        const invitation = await createInvitation(deps, {
          caller,
          email: body.email,
          role: body.role ?? "member",
          roleIds: body.role_ids ?? [],
          delivery: body.delivery ?? "mail",
          client,
        });
        return invitation.ok ? ok(reply(201, sentInvitationBody(invitation.value))) : invitation;
      },
    }),
    endpoint({
      method: "GET",
      path: "/orgs/:org_id/invitations",
      operationId: "listInvitations",
      docs: { clientMethod: "invitations.list", section: "13.2" },
      tag,
      summary: "List the invitations of an organization",
      auth: "administrative",
      permission: "members.list",
      input: { query: InvitationsQuery },
      responses: { 200: { description: "Newest first", schema: listOf(InvitationItem) } },
      problems: ["not_found", "forbidden"],
      authorize: authorizeFor(deps),
      async handle({ authorized: caller, query }) {
        const listing = await listOrganizationInvitations(deps, {
          caller,
          status: query.status,
          page: clampPage(query.page, query.page_size),
        });
        return listing.ok ? ok(listReply(listing.value, invitationBody)) : listing;
      },
    }),
  ];
}

function pendingRoutes(deps: InvitationDeps): Endpoint[] {
  return [
    endpoint({
      method: "DELETE",
      path: "/orgs/:org_id/invitations/:id",
      operationId: "revokeInvitation",
      docs: { clientMethod: "invitations.revoke", section: "13.3" },
      tag,
      summary: "Revoke an invitation",
      auth: "administrative",
      permission: "members.invite",
      responses: { 204: { description: "Revoked, now or before" } },
      problems: ["not_found", "forbidden", "conflict"],
      authorize: authorizeFor(deps),
      async handle({ authorized: caller, params, client }) {
        const outcome = await revokeOrganizationInvitation(deps, { caller, invitationId: params.id, client });
        return outcome.ok ? ok(emptyReply(204)) : outcome;
      },
    }),
    endpoint({
      method: "POST",
      path: "/orgs/:org_id/invitations/:id/resend",
      operationId: "resendInvitation",
      docs: { clientMethod: "invitations.resend", section: "13.4" },
      tag,
      summary: "Send an invitation again, with a new link",
      auth: "administrative",
      permission: "members.invite",
      input: { body: ResendBody },
      responses: {
        200: { description: "Queued, or in `url`; the previous link is invalid", schema: SentInvitationItem },
      },
      problems: ["not_found", "forbidden", "conflict", "rate_limited"],
      authorize: authorizeFor(deps),
      async handle({ authorized: caller, params, body: { delivery = "mail" }, client }) {
        const invitation = await resendInvitation(deps, { caller, invitationId: params.id, delivery, client });
        return invitation.ok ? ok(reply(200, sentInvitationBody(invitation.value))) : invitation;
      },
    }),
  ];
}

function previewRoutes(deps: InvitationDeps): Endpoint[] {
  return [
    endpoint({
      method: "GET",
      path: "/auth/invitations/preview",
      operationId: "previewInvitation",
      docs: { clientMethod: "invitations.preview", section: "13.5", access: "none, token in the query" },
      tag,
      summary: "Preview an invitation with the token of its link",
      auth: "none",
      limits: { address: "sign_in" },
      input: { query: PreviewQuery },
      responses: { 200: { description: "The invitation", schema: PreviewBody } },
      problems: ["authentication_required", "conflict"],
      async handle({ query }) {
        const preview = await previewInvitation(deps, query.token);
        if (!preview.ok) return preview;
        const { organizationName, organizationSlug, email, role, invitedByName, expiresAt, accountId } = preview.value;
        return ok(
          reply(200, {
            organization_name: organizationName,
            organization_slug: organizationSlug,
            email,
            role,
            invited_by_name: invitedByName,
            expires_at: expiresAt.toISOString(),
            account_exists: accountId !== null,
          }),
        );
      },
    }),
  ];
}

function acceptRoutes(deps: InvitationDeps): Endpoint[] {
  return [
    endpoint({
      method: "POST",
      path: "/auth/invitations/accept",
      operationId: "acceptInvitation",
      docs: { clientMethod: "invitations.accept", section: "13.6" },
      tag,
      summary: "Accept an invitation",
      description:
        "A new user sets a password and is signed in. The user of an existing account must be signed in, unless the " +
        "account has no organization to sign in to: then the token alone joins, and the user signs in afterwards.",
      auth: "optional",
      session: { boundSession: "anonymous" },
      limits: { address: "sign_in" },
      input: { body: AcceptBody },
      responses: {
        200: { description: "Joined", schema: JoinedBody },
        201: {
          description: "Registered, joined and signed in; cookies set",
          schema: LoginSuccess,
          headers: ["Set-Cookie"],
        },
      },
      problems: ["authentication_required", "forbidden", "conflict", "sso_required"],
      async handle({ caller, body, client }) {
        const accepted = await acceptInvitation(deps, {
          token: body.token,
          caller: caller?.session,
          password: body.password,
          displayName: body.display_name,
          client,
        });
        if (!accepted.ok) return accepted;
        if (accepted.value.kind === "new_user") return ok(signedInReply(deps, 201, accepted.value.signedIn));
        const { organizationId, role } = accepted.value;
        return ok(reply(200, { organization_id: organizationId, role }));
      },
    }),
  ];
}
