import { isBindingSuffix } from "../../base/binding-suffix.ts";
import { err, ok } from "../../base/result.ts";
import { acceptSamlResponse } from "../../flows/sso/callback/accept-saml.ts";
import { finishSamlSignIn } from "../../flows/sso/callback/finish-saml.ts";
import { type LogoutMessage, type LogoutRefusal, receiveLogoutRequest } from "../../flows/sso/logout/receive-logout.ts";
import {
  receiveLogoutResponse,
  SIGNED_OUT_PATH,
  sendLogoutRequest,
} from "../../flows/sso/logout/sign-out-at-provider.ts";
import type { SsoDeps } from "../../flows/sso/sign-in/connection.ts";
import { UNKNOWN_REQUEST } from "../../flows/sso/sign-in/refusals.ts";
import { SAML_FORM_MAX_BYTES } from "../../limits/saml-limits.ts";
import { SSO_LOGOUT_RETRY_SECONDS } from "../../limits/sso-sign-in-limits.ts";
import { wantsJson } from "../accept.ts";
import { bindingToken, clearedBinding, SSO_BINDING } from "../binding-cookies.ts";
import { ACCESS_COOKIE } from "../cookies.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { postFormReply } from "../post-form.ts";
import { envelope } from "../problem-status.ts";
import { redirectReply, reply } from "../reply.ts";
import { ErrorEnvelope } from "../schemas/common.ts";
import { AcsForm, SamlFinishQuery } from "../schemas/saml-sign-in.ts";
import { SamlLogoutForm, SamlLogoutQuery } from "../schemas/sso-logout.ts";
import { encodedSearchOf } from "../search.ts";
import {
  browserReply,
  COMPLETION_RESPONSES,
  failureRedirect,
  jsonRefusal,
  jsonReply,
  type SsoSignInDeps,
} from "../sso/sso-replies.ts";

const tag = "Single sign-on";

/** docs/contract.md, sections 29.35 to 29.37. */
export function samlRoutes(deps: SsoSignInDeps): Endpoint[] {
  return [acsRoute(deps), finishRoute(deps), redirectedLogoutRoute(deps), postedLogoutRoute(deps)];
}

function acsRoute(deps: SsoSignInDeps): Endpoint {
  return endpoint({
    method: "POST",
    path: "/auth/sso/:connection_id/acs",
    operationId: "acceptSamlResponse",
    docs: { clientMethod: null, section: "29.35", access: "a browser from the identity provider" },
    tag,
    summary: "Receive a response by SAML 2.0",
    description: "Assertion consumer service. Every response is a redirect of the browser.",
    auth: "none",
    limits: { address: "sign_in" },
    input: { largeForm: AcsForm, bodyMaxBytes: SAML_FORM_MAX_BYTES },
    responses: {
      303: {
        description: "To `finish` with a handle, to a new start, or to `/sign-in?error=<code>&request_id=<id>`",
        headers: ["Location"],
      },
    },
    problems: [],
    async handle({ params, largeForm: form, client }) {
      const accepted = await acceptSamlResponse(deps, {
        connectionId: params.connection_id,
        message: form.encoded("SAMLResponse"),
        relayState: form.text("RelayState"),
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
    docs: { clientMethod: null, section: "29.35", access: "the browser that began the sign-in" },
    tag,
    summary: "Complete a sign-in by SAML 2.0 in the browser that began the sign-in",
    description: "Target of the redirect of the assertion consumer service. As the callback of OpenID Connect.",
    auth: "none",
    navigated: true,
    limits: { address: "sign_in" },
    input: { query: SamlFinishQuery },
    responses: COMPLETION_RESPONSES,
    problems: ["authentication_required", "conflict", "forbidden", "not_found"],
    async handle({ request, params, query, cookies, client }) {
      const suffix = isBindingSuffix(query.b) ? query.b : undefined;
      const input = {
        connectionId: params.connection_id,
        handle: query.h,
        browserToken: bindingToken(cookies, SSO_BINDING, { suffix }),
        accessToken: cookies[ACCESS_COOKIE],
        client,
      };
      const completed = await finishSamlSignIn(deps, input);
      // The administrators find the attempt by the id of the request with the response.
      const requestId = (completed.ok ? undefined : completed.error.requestId) ?? client.requestId;
      const cleared = clearedBinding(deps.config, SSO_BINDING, cookies, { suffix });
      if (wantsJson(request) && !completed.ok) return jsonRefusal(completed.error);
      return wantsJson(request) && completed.ok && completed.value.kind === "signed_in"
        ? ok(jsonReply(deps, completed.value.signedIn, cleared))
        : ok(browserReply(deps, completed, { cookies, cleared, requestId }));
    },
  });
}

const LOGOUT_PATH = "/auth/sso/:connection_id/slo";
const RETRY = { "retry-after": String(SSO_LOGOUT_RETRY_SECONDS) };

const LOGOUT_RESPONSES = {
  200: {
    description: "Page that posts a message to the identity provider by the POST binding",
    contentType: "text/html",
    example: "<!doctype html>",
  },
  303: {
    description: "To the identity provider with a message, or to the page after a sign-out",
    headers: ["Location"],
  },
  503: {
    description: "The message was not verified; the message remains valid",
    schema: ErrorEnvelope,
    headers: ["Retry-After"],
  },
} as const;

function redirectedLogoutRoute(deps: SsoDeps): Endpoint {
  return endpoint({
    method: "GET",
    path: LOGOUT_PATH,
    operationId: "exchangeSamlLogout",
    docs: {
      clientMethod: null,
      section: "29.36, 29.37",
      access: "a browser from the identity provider, or after a sign-out",
    },
    tag,
    summary: "Receive a logout message by SAML 2.0, or continue a sign-out at the identity provider",
    description: "Single logout service by the redirect binding.",
    auth: "none",
    navigated: true,
    limits: { address: "oauth" },
    input: { query: SamlLogoutQuery },
    responses: LOGOUT_RESPONSES,
    problems: ["not_found"],
    async handle({ request, params, query, cookies, client }) {
      const connectionId = params.connection_id;
      if (query.h !== undefined) {
        const input = {
          connectionId,
          handle: query.h,
          browserToken: bindingToken(cookies, SSO_BINDING, { handle: query.h }),
        };
        return ok(carriedReply(request, await sendLogoutRequest(deps, input)));
      }
      const received = { binding: "redirect", query: encodedSearchOf(request) } as const;
      const { SAMLResponse: response, RelayState: relayState } = query;
      return await exchange(deps, request, { connectionId, received, relayState, client }, response !== undefined);
    },
  });
}

function postedLogoutRoute(deps: SsoDeps): Endpoint {
  return endpoint({
    method: "POST",
    path: LOGOUT_PATH,
    operationId: "receiveSamlLogout",
    docs: { clientMethod: null, section: "29.36, 29.37", access: "a browser from the identity provider" },
    tag,
    summary: "Receive a logout message by SAML 2.0",
    description: "Single logout service by the POST binding.",
    auth: "none",
    limits: { address: "oauth" },
    input: { largeForm: SamlLogoutForm, bodyMaxBytes: SAML_FORM_MAX_BYTES },
    responses: LOGOUT_RESPONSES,
    problems: ["not_found"],
    async handle({ request, params, largeForm: form, client }) {
      const response = form.encoded("SAMLResponse");
      const received = { binding: "post", message: response ?? form.encoded("SAMLRequest") ?? "" } as const;
      const input = { connectionId: params.connection_id, received, relayState: form.text("RelayState"), client };
      return await exchange(deps, request, input, response !== undefined);
    },
  });
}

async function exchange(deps: SsoDeps, request: Request, message: LogoutMessage, isResponse: boolean) {
  if (isResponse) {
    const received = await receiveLogoutResponse(deps, message);
    return received.ok ? ok(redirectReply(303, received.value, [])) : refusedReply(deps, received.error);
  }
  const received = await receiveLogoutRequest(deps, message);
  return received.ok ? ok(carriedReply(request, received.value)) : refusedReply(deps, received.error);
}

/** Without a message the browser ends at the page after a sign-out. */
function carriedReply(request: Request, carried: Awaited<ReturnType<typeof sendLogoutRequest>>) {
  if (!carried) return redirectReply(303, SIGNED_OUT_PATH, []);
  const { location, form } = carried;
  return form ? postFormReply(request, location, form, []) : redirectReply(303, location, []);
}

function refusedReply(deps: SsoDeps, refused: LogoutRefusal) {
  const { code, cause } = refused;
  deps.log.info({ code, cause }, "a logout message was refused");
  if (code !== "internal_error") return err({ ...refused, code });
  return ok({ ...reply(503, envelope(refused), { headers: RETRY }), refused });
}
