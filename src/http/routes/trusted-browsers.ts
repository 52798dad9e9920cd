import { NAME_RULE, normalizeName } from "../../base/display-name.ts";
import { invalidInput } from "../../base/invalid-input.ts";
import { err, ok } from "../../base/result.ts";
import { clampPage } from "../../database/listing.ts";
import type { Deps, StoreDeps } from "../../deps.ts";
import { authorizeCredentialChange } from "../../flows/steps/credentials/change-credentials.ts";
import { withOrigin } from "../../flows/steps/sessions/describe-origin.ts";
import { createTrustedBrowser } from "../../flows/trusted-browsers/create.ts";
import { type BrowserOfCaller, listOwnTrustedBrowsers } from "../../flows/trusted-browsers/list.ts";
import { revokeOwnTrustedBrowser } from "../../flows/trusted-browsers/revoke.ts";
import { clearedTrustCookie, TRUST_COOKIE, trustCookie } from "../cookies.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { emptyReply, listReply, reply } from "../reply.ts";
import { listOf, PageQuery } from "../schemas/common.ts";
import { TrustBody, TrustedBrowserItem } from "../schemas/trusted-browsers.ts";

const tag = "Trusted browsers";

/** docs/contract.md, chapter 10. */
export function trustedBrowserRoutes(deps: StoreDeps & Pick<Deps, "reads" | "geolocation">): Endpoint[] {
  return [...trustRoutes(deps), ...ownBrowserRoutes(deps)];
}

function trustRoutes(deps: StoreDeps & Pick<Deps, "reads" | "geolocation">): Endpoint[] {
  return [
    endpoint({
      method: "POST",
      path: "/auth/trusted-browsers",
      operationId: "trustBrowser",
      docs: { clientMethod: "trustedBrowsers.trust", section: "10.1", access: "caller, `aal2`" },
      tag,
      summary: "Trust this browser for 30 days",
      description: "This browser then skips the second factor at sign-in of this user; step-up is still required.",
      auth: "own",
      authorize: ({ session }) => authorizeCredentialChange(deps, session),
      input: { body: TrustBody },
      responses: {
        201: {
          description: "Trusted; the cookie service_trust is set",
          schema: TrustedBrowserItem,
          headers: ["Set-Cookie"],
        },
      },
      problems: ["mfa_required", "rate_limited"],
      async handle({ caller, authorized, body, cookies, client }) {
        const name = body.name === undefined ? null : normalizeName(body.name);
        if (name === undefined) return err(invalidInput("name", "format", NAME_RULE));
        const trustToken = cookies[TRUST_COOKIE];
        const input = { caller: caller.session, authorized, name, trustToken, client };
        const created = await createTrustedBrowser(deps, input);
        if (!created.ok) return created;
        const { browser, token } = created.value;
        return ok(
          reply(201, browserBody({ ...withOrigin(deps, browser), current: true }), {
            cookies: [trustCookie(deps.config, token)],
          }),
        );
      },
    }),
  ];
}

function ownBrowserRoutes(deps: StoreDeps & Pick<Deps, "reads" | "geolocation">): Endpoint[] {
  return [
    endpoint({
      method: "GET",
      path: "/auth/trusted-browsers",
      operationId: "listTrustedBrowsers",
      docs: { clientMethod: "trustedBrowsers.list", section: "10.2" },
      tag,
      summary: "List the caller's trusted browsers",
      auth: "own",
      input: { query: PageQuery },
      responses: { 200: { description: "Newest first", schema: listOf(TrustedBrowserItem) } },
      problems: [],
      async handle({ caller, cookies, query }) {
        const page = clampPage(query.page, query.page_size);
        const trustToken = cookies[TRUST_COOKIE];
        const listing = await listOwnTrustedBrowsers(deps, { caller: caller.session, trustToken, page });
        return ok(listReply(listing, browserBody));
      },
    }),
    endpoint({
      method: "DELETE",
      path: "/auth/trusted-browsers/:id",
      operationId: "revokeTrustedBrowser",
      docs: { clientMethod: "trustedBrowsers.revoke", section: "10.3" },
      tag,
      summary: "Stop trusting a browser",
      auth: "own",
      responses: { 204: { description: "Revoked, now or before", headers: ["Set-Cookie"] } },
      problems: ["not_found"],
      async handle({ caller, params, cookies, client }) {
        const outcome = await revokeOwnTrustedBrowser(deps, {
          caller: caller.session,
          id: params.id,
          trustToken: cookies[TRUST_COOKIE],
          client,
        });
        if (!outcome.ok) return outcome;
        return ok(emptyReply(204, { cookies: outcome.value.current ? [clearedTrustCookie(deps.config)] : [] }));
      },
    }),
  ];
}

function browserBody(browser: BrowserOfCaller) {
  return {
    id: browser.id,
    name: browser.name,
    user_agent: browser.userAgent,
    device: browser.device,
    location: browser.location,
    ip_address: browser.ipAddress,
    last_ip_address: browser.lastIpAddress,
    created_at: browser.createdAt.toISOString(),
    last_used_at: browser.lastUsedAt?.toISOString() ?? null,
    expires_at: browser.expiresAt.toISOString(),
    current: browser.current,
  };
}
