import { isLocalPath } from "../../base/local-path.ts";
import type { Refusal } from "../../base/problem.ts";
import { err, ok } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";
import { completeSsoSignIn, type SsoCallbackRefusal } from "../../flows/sso-sign-in/callback.ts";
import type { SsoDeps } from "../../flows/sso-sign-in/connection.ts";
import { startSsoSignIn } from "../../flows/sso-sign-in/start.ts";
import { startSsoTest } from "../../flows/sso-tests/start.ts";
import type { SignInResult } from "../../flows/steps/sign-in/complete-sign-in.ts";
import { wantsJson } from "../accept.ts";
import { clearedSsoCookie, SSO_COOKIE, ssoCookie } from "../cookies.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { envelope } from "../problem-status.ts";
import { redirectReply, reply } from "../reply.ts";
import { LoginResponse } from "../schemas/auth.ts";
import { ErrorEnvelope } from "../schemas/common.ts";
import { SsoCallbackQuery, SsoStartBody, SsoStartQuery } from "../schemas/sso-sign-in.ts";
import { searchOf } from "../search.ts";
import { signedInReply } from "../signed-in.ts";

export type SsoSignInDeps = SsoDeps & Pick<Deps, "csrfKey">;

const tag = "Single sign-on";
const START_PATH = "/auth/sso/:connection_id/start";
/** The page that reads `error` and `request_id`, with the other ways to sign in. */
const SIGN_IN_PAGE = "/sign-in";
const UNAVAILABLE = { description: "With `Accept: application/json`: no identity provider", schema: ErrorEnvelope };
const TO_PROVIDER = {
  description: "Redirect to the identity provider; sets the cookie that binds the request to this browser",
  headers: ["Location", "Set-Cookie"],
} as const;

/** docs/contract.md, sections 29.10 and 29.11. */
export function ssoSignInRoutes(deps: SsoSignInDeps): Endpoint[] {
  return [...startRoutes(deps), ...callbackRoutes(deps)];
}

function startRoutes(deps: SsoSignInDeps): Endpoint[] {
  return [
    endpoint({
      method: "GET",
      path: START_PATH,
      operationId: "startSso",
      tag,
      summary: "Begin a sign-in or a test at the identity provider of an organization",
      auth: "optional",
      // The session counts for the intent `test` only.
      boundSession: "served",
      servesUnverified: true,
      navigated: true,
      limit: "sign_in",
      query: SsoStartQuery,
      responses: { 302: TO_PROVIDER, 503: UNAVAILABLE },
      problems: ["not_found"],
      async handle({ request, params, query, client, caller }) {
        const connectionId = params.connection_id;
        const redirectTo = query.redirect_to ?? query.target_link_uri;
        const started =
          query.intent === "test"
            ? await startSsoTest(deps, { connectionId, handle: query.handle, session: caller?.session, client })
            : await startSsoSignIn(deps, { connectionId, redirectTo });
        return startReply(deps, request, started, redirectTo, client.requestId);
      },
    }),
    endpoint({
      method: "POST",
      path: START_PATH,
      operationId: "startSsoWithHint",
      tag,
      summary: "Begin a sign-in with an address for the identity provider",
      description: "The address is in the body: no URL of this service contains an address.",
      auth: "none",
      limit: "sign_in",
      body: SsoStartBody,
      bodyType: "form_or_json",
      responses: { 302: TO_PROVIDER, 503: UNAVAILABLE },
      problems: ["not_found"],
      async handle({ request, params, body, client }) {
        const { login_hint: loginHint, redirect_to: redirectTo } = body;
        const started = await startSsoSignIn(deps, { connectionId: params.connection_id, redirectTo, loginHint });
        return startReply(deps, request, started, redirectTo, client.requestId);
      },
    }),
  ];
}

type Started = Awaited<ReturnType<typeof startSsoSignIn>>;

function startReply(
  deps: SsoSignInDeps,
  request: Request,
  started: Started,
  redirectTo: string | undefined,
  requestId: string | null,
) {
  if (started.ok) {
    const { location, browserToken } = started.value;
    return ok(redirectReply(302, location, [ssoCookie(deps.config, browserToken)]));
  }
  const { error } = started;
  if (error.code !== "internal_error") return err({ ...error, code: error.code });
  if (wantsJson(request)) return ok({ ...reply(503, envelope(error)), refused: error });
  return ok(failureRedirect(error, redirectTo, requestId));
}

function callbackRoutes(deps: SsoSignInDeps): Endpoint[] {
  return [
    endpoint({
      method: "GET",
      path: "/auth/sso/:connection_id/callback",
      operationId: "finishSso",
      tag,
      summary: "Complete a sign-in at the identity provider of an organization",
      description:
        "Target of the identity provider's redirect. The session is bound to the organization (section 3.13). " +
        "`Accept: application/json` gets the LoginResponse or the error.",
      auth: "none",
      navigated: true,
      limit: "sign_in",
      query: SsoCallbackQuery,
      responses: {
        200: {
          description: "With `Accept: application/json`: signed in",
          schema: LoginResponse,
          headers: ["Set-Cookie"],
        },
        302: {
          description: "Redirect to `redirect_to`, or to `/sign-in?error=<code>&request_id=<id>`",
          headers: ["Location", "Set-Cookie"],
        },
        503: UNAVAILABLE,
      },
      problems: ["authentication_required", "conflict", "forbidden", "not_found"],
      async handle({ request, params, cookies, client }) {
        const completed = await completeSsoSignIn(deps, {
          connectionId: params.connection_id,
          parameters: searchOf(request),
          browserToken: cookies[SSO_COOKIE],
          client,
        });
        if (!wantsJson(request)) return ok(browserReply(deps, completed, client.requestId));
        if (!completed.ok) return jsonRefusal(completed.error);
        const { signedIn } = completed.value;
        // A test continues at the page of the connection in any case.
        return signedIn ? ok(jsonReply(deps, signedIn)) : ok(browserReply(deps, completed, client.requestId));
      },
    }),
  ];
}

type Completed = Awaited<ReturnType<typeof completeSsoSignIn>>;

function jsonReply(deps: SsoSignInDeps, signedIn: SignInResult) {
  const signedInBody = signedInReply(deps, 200, signedIn);
  return { ...signedInBody, cookies: [...signedInBody.cookies, clearedSsoCookie(deps.config)] };
}

function jsonRefusal(error: SsoCallbackRefusal) {
  if (error.code === "internal_error") return ok({ ...reply(503, envelope(error)), refused: error });
  return err({ ...error, code: error.code });
}

function browserReply(deps: SsoSignInDeps, completed: Completed, requestId: string | null) {
  if (!completed.ok) {
    const { code, cause, redirectTo } = completed.error;
    deps.log.info({ code, cause }, "single sign-on failed");
    return failureRedirect(completed.error, redirectTo, requestId);
  }
  const { signedIn, redirectTo } = completed.value;
  const cookies = signedIn ? signedInReply(deps, 200, signedIn).cookies : [];
  return redirectReply(302, redirectTo, [...cookies, clearedSsoCookie(deps.config)]);
}

/** The sign-in page displays the request id, for the administrator, and the other ways to sign in. */
function failureRedirect(refused: Refusal, redirectTo: string | undefined, requestId: string | null) {
  const query = new URLSearchParams({
    error: refused.code,
    ...(requestId === null ? {} : { request_id: requestId }),
    ...(redirectTo === undefined || redirectTo === "/" || !isLocalPath(redirectTo) ? {} : { return_to: redirectTo }),
  });
  return { ...redirectReply(302, `${SIGN_IN_PAGE}?${query}`, []), refused };
}
