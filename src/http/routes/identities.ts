import { ok } from "../../base/result.ts";
import { clampPage, pageBounds } from "../../database/listing.ts";
import type { Deps, SignInDeps } from "../../deps.ts";
import { authorizeLink, beginLink } from "../../flows/social-sign-in/begin-link.ts";
import { listOwnIdentities } from "../../flows/social-sign-in/list.ts";
import { unlinkIdentity } from "../../flows/social-sign-in/unlink.ts";
import { authorizeCredentialChange } from "../../flows/steps/credentials/change-credentials.ts";
import { bindingCookies, SOCIAL_BINDING } from "../binding-cookies.ts";
import { identityBody } from "../credential-bodies.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { emptyReply, listReply, reply } from "../reply.ts";
import { listOf, PageQuery } from "../schemas/common.ts";
import { BeginLinkBody, LinkedIdentityItem, LinkStarted, UnlinkBody } from "../schemas/identities.ts";

export type IdentityDeps = SignInDeps & Pick<Deps, "csrfKey">;

const tag = "Linked providers";
/** The page of the service that lists linked providers. */
const DEFAULT_REDIRECT = "/account/security";

/** docs/contract.md, sections 16.5 to 16.7. */
export function identityRoutes(deps: IdentityDeps): Endpoint[] {
  return [
    endpoint({
      method: "GET",
      path: "/users/me/identities",
      operationId: "listIdentities",
      docs: { clientMethod: "identities.list", section: "16.5" },
      tag,
      summary: "List the providers linked to the caller",
      auth: "own",
      input: { query: PageQuery },
      responses: { 200: { description: "Oldest first", schema: listOf(LinkedIdentityItem) } },
      problems: [],
      async handle({ caller, query }) {
        const page = clampPage(query.page, query.page_size);
        const { limit, offset } = pageBounds(page);
        const identities = await listOwnIdentities(deps, caller.session);
        const items = identities.slice(offset, offset + limit);
        return ok(listReply({ ...page, items, total: identities.length }, identityBody));
      },
    }),
    endpoint({
      method: "POST",
      path: "/users/me/identities",
      operationId: "beginIdentityLink",
      docs: { clientMethod: "identities.beginLink", section: "16.6", access: "caller, `aal2`, new session or step-up" },
      tag,
      summary: "Begin the link of a provider",
      description:
        "Needs a session of at most ten minutes or a step-up within five, and aal2 while a second factor is enabled. " +
        "The callback of the provider completes the link in this session and browser.",
      auth: "own",
      authorize: ({ session }) => authorizeLink(deps, session),
      input: { body: BeginLinkBody },
      responses: {
        200: {
          description: "The address to open; sets the cookie that binds the link to this browser",
          schema: LinkStarted,
          headers: ["Set-Cookie"],
        },
      },
      problems: ["mfa_required", "not_found"],
      async handle({ caller, body, cookies }) {
        const { provider, redirect_to: redirectTo = DEFAULT_REDIRECT } = body;
        const begun = await beginLink(deps, { sessionId: caller.session.id, provider, redirectTo });
        if (!begun.ok) return begun;
        const kept = bindingCookies(deps.config, SOCIAL_BINDING, begun.value, cookies);
        return ok(reply(200, { authorization_url: begun.value.location }, { cookies: kept }));
      },
    }),
    endpoint({
      method: "DELETE",
      path: "/users/me/identities/:id",
      operationId: "unlinkIdentity",
      docs: { clientMethod: "identities.unlink", section: "16.7", access: "caller, `aal2`, password or step-up" },
      tag,
      summary: "Unlink a provider",
      description:
        "Needs the password or a step-up within five minutes, and aal2 while a second factor is enabled. A sign-in " +
        "by address does not link the identity again.",
      auth: "own",
      authorize: ({ session }) => authorizeCredentialChange(deps, session),
      input: { body: UnlinkBody },
      responses: { 204: { description: "Unlinked" } },
      problems: ["conflict", "mfa_required", "not_found", "rate_limited"],
      async handle({ caller, authorized: acting, params, body, client }) {
        const { password } = body;
        const outcome = await unlinkIdentity(deps, { caller: caller.session, acting, id: params.id, password, client });
        return outcome.ok ? ok(emptyReply(204)) : outcome;
      },
    }),
  ];
}
