import { ok } from "../../base/result.ts";
import { acceptSamlResponse } from "../../flows/sso-sign-in/accept-saml.ts";
import { finishSamlSignIn } from "../../flows/sso-sign-in/finish-saml.ts";
import { UNKNOWN_REQUEST } from "../../flows/sso-sign-in/refusals.ts";
import { SAML_FORM_MAX_BYTES } from "../../limits/saml-limits.ts";
import { wantsJson } from "../accept.ts";
import { ACCESS_COOKIE, SSO_COOKIE } from "../cookies.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { redirectReply } from "../reply.ts";
import { AcsForm, SamlFinishQuery } from "../schemas/saml-sign-in.ts";
import {
  browserReply,
  COMPLETION_RESPONSES,
  failureRedirect,
  jsonRefusal,
  jsonReply,
  type SsoSignInDeps,
} from "../sso-replies.ts";

const tag = "Single sign-on";

/** docs/contract.md, section 29.35. */
export function samlSignInRoutes(deps: SsoSignInDeps): Endpoint[] {
  return [acsRoute(deps), finishRoute(deps)];
}

function acsRoute(deps: SsoSignInDeps): Endpoint {
  return endpoint({
    method: "POST",
    path: "/auth/sso/:connection_id/acs",
    operationId: "acceptSamlResponse",
    tag,
    summary: "Receive a response by SAML 2.0",
    description: "Assertion consumer service. Every response is a redirect of the browser.",
    auth: "none",
    limit: "sign_in",
    body: AcsForm,
    bodyType: "form",
    bodyMaxBytes: SAML_FORM_MAX_BYTES,
    malformedBody: "empty",
    responses: {
      303: {
        description: "To `finish` with a handle, to a new start, or to `/sign-in?error=<code>&request_id=<id>`",
        headers: ["Location"],
      },
    },
    problems: [],
    async handle({ params, body, client }) {
      const { SAMLResponse: message, RelayState: relayState } = body;
      const accepted = await acceptSamlResponse(deps, {
        connectionId: params.connection_id,
        message,
        relayState,
        client,
      });
      const { path, refused = UNKNOWN_REQUEST } = accepted;
      if (accepted.refused) deps.log.info({ code: refused.code, cause: refused.cause }, "single sign-on failed");
      if (path === undefined) {
        const { location } = failureRedirect(refused, undefined, client.requestId).headers;
        return ok({ ...redirectReply(303, location ?? "/", []), refused });
      }
      return ok({ ...redirectReply(303, path, []), ...(accepted.refused ? { refused } : {}) });
    },
  });
}

function finishRoute(deps: SsoSignInDeps): Endpoint {
  return endpoint({
    method: "GET",
    path: "/auth/sso/:connection_id/finish",
    operationId: "finishSaml",
    tag,
    summary: "Complete a sign-in by SAML 2.0 in the browser that began the sign-in",
    description: "Target of the redirect of the assertion consumer service. As the callback of OpenID Connect.",
    auth: "none",
    navigated: true,
    limit: "sign_in",
    query: SamlFinishQuery,
    responses: COMPLETION_RESPONSES,
    problems: ["authentication_required", "conflict", "forbidden", "not_found"],
    async handle({ request, params, query, cookies, client }) {
      const input = {
        connectionId: params.connection_id,
        handle: query.h,
        browserToken: cookies[SSO_COOKIE],
        accessToken: cookies[ACCESS_COOKIE],
        client,
      };
      const completed = await finishSamlSignIn(deps, input);
      // The administrators find the attempt by the id of the request with the response.
      const requestId = (completed.ok ? undefined : completed.error.requestId) ?? client.requestId;
      if (wantsJson(request) && !completed.ok) return jsonRefusal(completed.error);
      return wantsJson(request) && completed.ok && completed.value.kind === "signed_in"
        ? ok(jsonReply(deps, completed.value.signedIn))
        : ok(browserReply(deps, completed, cookies, requestId));
    },
  });
}
