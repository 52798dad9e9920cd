import { ok } from "../../base/result.ts";
import { clampPage } from "../../database/listing.ts";
import type { Deps } from "../../deps.ts";
import type { EndFamiliesDeps } from "../../flows/oauth/clients/end-families.ts";
import { listOwnGrants, revokeOwnGrant } from "../../flows/oauth/consents/grants.ts";
import type { GrantItem } from "../../models/oauth-grant/oauth-grant.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { applicationBody } from "../oauth/application-body.ts";
import { emptyReply, listReply } from "../reply.ts";
import { listOf, PageQuery } from "../schemas/common.ts";
import { GrantOfUser } from "../schemas/oauth-provider.ts";

const tag = "OpenID provider";

/** docs/contract.md, section 23.11. */
export function grantRoutes(deps: EndFamiliesDeps & Pick<Deps, "clock" | "reads">): Endpoint[] {
  return [
    endpoint({
      method: "GET",
      path: "/users/me/grants",
      operationId: "listGrants",
      docs: { clientMethod: "grants.list", section: "23.11" },
      tag,
      summary: "List the applications that the caller allowed",
      auth: "own",
      session: { boundSession: "served" },
      input: { query: PageQuery },
      responses: { 200: { description: "Newest first", schema: listOf(GrantOfUser) } },
      problems: [],
      async handle({ caller, query }) {
        const page = clampPage(query.page, query.page_size);
        return ok(listReply(await listOwnGrants(deps, { caller: caller.session, page }), grantBody));
      },
    }),
    endpoint({
      method: "DELETE",
      path: "/users/me/grants/:id",
      operationId: "revokeGrant",
      docs: { clientMethod: "grants.revoke", section: "23.11" },
      tag,
      summary: "Withdraw the access of an application",
      description: "Ends every token of the application. The next authorization asks for consent.",
      auth: "own",
      session: { boundSession: "served" },
      responses: { 204: { description: "Taken back" } },
      problems: ["not_found"],
      async handle({ caller, params, client }) {
        const revoked = await revokeOwnGrant(deps, { caller: caller.session, id: params.id, client });
        return revoked.ok ? ok(emptyReply(204)) : revoked;
      },
    }),
  ];
}

function grantBody(grant: GrantItem) {
  return {
    id: grant.id,
    client: applicationBody(grant.client),
    scopes: grant.scopes,
    resources: grant.resources,
    by_organization: grant.byOrganization,
    created_at: grant.createdAt.toISOString(),
    updated_at: grant.updatedAt.toISOString(),
    last_used_at: grant.lastUsedAt?.toISOString() ?? null,
  };
}
