import { ok } from "../../base/result.ts";
import { confirmSsoLink } from "../../flows/sso/links/confirm-link.ts";
import { readSsoLink } from "../../flows/sso/links/read-link.ts";
import type { SsoDeps } from "../../flows/sso/sign-in/connection.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { reply } from "../reply.ts";
import { SsoIdentityItem } from "../schemas/sso-identities.ts";
import { PendingSsoLinkItem } from "../schemas/sso-links.ts";
import { pendingLinkBody, ssoIdentityBody } from "../sso/sso-bodies.ts";

const tag = "Single sign-on";

/** docs/contract.md, section 29.16. */
export function ssoLinkRoutes(deps: SsoDeps): Endpoint[] {
  return [
    endpoint({
      method: "GET",
      path: "/users/me/sso-links/:id",
      operationId: "getSsoLink",
      docs: { clientMethod: "sso.links.get", section: "29.16" },
      tag,
      summary: "Get the company account of a link that waits for the confirmation",
      description: "Only in the session that began the link, for ten minutes.",
      auth: "own",
      responses: { 200: { description: "The company account", schema: PendingSsoLinkItem } },
      problems: ["not_found"],
      async handle({ caller, params }) {
        const found = await readSsoLink(deps, { caller: caller.session, id: params.id });
        return found.ok ? ok(reply(200, pendingLinkBody(found.value))) : found;
      },
    }),
    endpoint({
      method: "POST",
      path: "/users/me/sso-links/:id/confirm",
      operationId: "confirmSsoLink",
      docs: { clientMethod: "sso.links.confirm", section: "29.16" },
      tag,
      summary: "Link the company account to the caller",
      description: "Once. The user is notified by email.",
      auth: "own",
      responses: { 201: { description: "Linked", schema: SsoIdentityItem } },
      problems: ["conflict", "not_found"],
      async handle({ caller, params, client }) {
        const linked = await confirmSsoLink(deps, { caller: caller.session, id: params.id, client });
        return linked.ok ? ok(reply(201, ssoIdentityBody(linked.value))) : linked;
      },
    }),
  ];
}
