import { ok } from "../../base/result.ts";
import { clampPage } from "../../database/listing.ts";
import type { Deps, EmailDeps, SessionDeps } from "../../deps.ts";
import { authorizeIdentityReader, authorizeIdentityRemoval } from "../../flows/sso/identities/authorize-identities.ts";
import { listOrganizationIdentities } from "../../flows/sso/identities/list.ts";
import { unlinkSsoIdentity } from "../../flows/sso/identities/unlink.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { emptyReply, listReply } from "../reply.ts";
import { listOf, PageQuery } from "../schemas/common.ts";
import { SsoIdentityItem } from "../schemas/sso-identities.ts";
import { ssoIdentityBody } from "../sso/sso-bodies.ts";

export type SsoIdentityDeps = SessionDeps & EmailDeps & Pick<Deps, "reads">;

const tag = "Single sign-on";

/** docs/contract.md, section 29.14. */
export function ssoIdentityRoutes(deps: SsoIdentityDeps): Endpoint[] {
  return [
    endpoint({
      method: "GET",
      path: "/orgs/:org_id/sso/identities",
      operationId: "listSsoIdentities",
      docs: { clientMethod: "sso.identities.list", section: "29.14", access: "caller, member" },
      tag,
      summary: "List the linked identities of an organization",
      description: "A member without the permission `sso.manage` gets the member's own identities.",
      auth: "administrative",
      permission: "sso.read",
      session: { servesWithout: "self" },
      input: { query: PageQuery },
      responses: { 200: { description: "Newest first", schema: listOf(SsoIdentityItem) } },
      problems: ["not_found", "forbidden"],
      authorize: (caller, params) => authorizeIdentityReader(deps, caller, params.org_id),
      async handle({ authorized: caller, query }) {
        const listing = await listOrganizationIdentities(deps, {
          caller,
          page: clampPage(query.page, query.page_size),
        });
        return listing.ok ? ok(listReply(listing.value, ssoIdentityBody)) : listing;
      },
    }),
    endpoint({
      method: "DELETE",
      path: "/orgs/:org_id/sso/identities/:id",
      operationId: "deleteSsoIdentity",
      docs: { clientMethod: "sso.identities.delete", section: "29.14", access: "caller, member" },
      tag,
      summary: "Unlink an identity",
      description: "Ends the sessions that began with the identity. An administrator needs a step-up.",
      auth: "administrative",
      permission: "sso.manage",
      session: { servesWithout: "self" },
      responses: { 204: { description: "Unlinked" } },
      problems: ["not_found", "forbidden", "mfa_required"],
      authorize: (caller, params) => authorizeIdentityRemoval(deps, caller, params.org_id),
      async handle({ authorized: caller, params, client }) {
        const unlinked = await unlinkSsoIdentity(deps, { caller, id: params.id, client });
        return unlinked.ok ? ok(emptyReply(204)) : unlinked;
      },
    }),
  ];
}
