import { isLocalPath } from "../../base/local-path.ts";
import type { ProblemCode, Refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { completeSsoSignIn } from "../../flows/sso/callback/callback.ts";
import { beginSsoLink } from "../../flows/sso/links/begin-link.ts";
import { type SsoStarted, startSsoSignIn } from "../../flows/sso/sign-in/start.ts";
import { beginSsoStepUp } from "../../flows/sso/step-up/begin-step-up.ts";
import { testerOf } from "../../flows/sso/tests/create.ts";
import { startSsoTest } from "../../flows/sso/tests/start.ts";
import { wantsJson } from "../accept.ts";
import { bindingCookies, bindingToken, clearedBinding, presentToken, SSO_BINDING } from "../binding-cookies.ts";
import { ACCESS_COOKIE, type Cookies } from "../cookies.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { formCaller } from "../guards/form-caller.ts";
import { postFormReply } from "../post-form.ts";
import { envelope } from "../problem-status.ts";
import { redirectReply, reply } from "../reply.ts";
import { SsoCallbackQuery, SsoStartBody, SsoStartQuery } from "../schemas/sso-sign-in.ts";
import { searchOf } from "../search.ts";
import { loginHintIn } from "../sso/sso-login-hint.ts";
import {
  browserReply,
  COMPLETION_RESPONSES,
  FAILURE_PAGES,
  failureRedirect,
  jsonRefusal,
  jsonReply,
  type SsoIntent,
  type SsoSignInDeps,
  UNAVAILABLE,
} from "../sso/sso-replies.ts";

const tag = "Single sign-on";
const START_PATH = "/auth/sso/:connection_id/start";

type StartProblem =
  | "authentication_required"
  | "conflict"
  | "forbidden"
  | "internal_error"
  | "mfa_required"
  | "not_found"
  | "rate_limited";
const TO_PROVIDER = {
  description: "Redirect to the identity provider; sets the cookie that binds the request to this browser",
  headers: ["Location", "Set-Cookie"],
} as const;

const POST_BINDING = {
  description: "Page that posts the request by the POST binding of SAML 2.0; sets the cookie as the redirect",
  contentType: "text/html",
  example: "<!doctype html>",
  headers: ["Set-Cookie"],
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
      docs: { clientMethod: null, section: "29.10", access: "none" },
      tag,
      summary: "Begin a sign-in or a test at the identity provider of an organization",
      auth: "optional",
      session: {
        // The session counts for the intent `test` only.
        boundSession: "before_factor",
        servesUnverified: true,
      },
      navigated: true,
      limits: { address: "sign_in" },
      input: { query: SsoStartQuery },
      responses: { 200: POST_BINDING, 302: TO_PROVIDER, 503: UNAVAILABLE },
      problems: ["not_found"],
      async handle({ request, params, query, client, caller, cookies }) {
        const connectionId = params.connection_id;
        const loginHint = loginHintIn(deps, cookies, connectionId);
        const redirectTo = query.redirect_to ?? query.target_link_uri;
        const started =
          query.intent === "test"
            ? await startSsoTest(deps, {
                connectionId,
                handle: query.handle,
                tester: caller && testerOf(caller.session),
                client,
              })
            : await startSsoSignIn(deps, {
                connectionId,
                redirectTo,
                loginHint,
                browserToken: presentToken(cookies, SSO_BINDING),
              });
        return startReply(deps, { request, started, redirectTo, cookies, requestId: client.requestId });
      },
    }),
    endpoint({
      method: "POST",
      path: START_PATH,
      operationId: "startSsoWithHint",
      docs: { clientMethod: null, section: "29.10", access: "none" },
      tag,
      summary: "Begin a sign-in with an address, a link or a step-up",
      description:
        "The address is in the body: no URL of this service contains an address. `link` and `step_up` need a " +
        "session; a form sends the CSRF value as `csrf`.",
      auth: "optional",
      session: {
        // A sign-in needs no session; `link` and `step_up` check the CSRF value of a form too.
        csrfOptional: true,
        boundSession: "before_factor",
        servesUnverified: true,
        // `step_up` adds the factor of the identity provider; the handler refuses `link` without the factor.
        servesSession: "enrolment",
      },
      limits: { address: "sign_in" },
      input: { body: SsoStartBody, bodyType: "form_or_json" },
      responses: { 200: POST_BINDING, 302: TO_PROVIDER, 503: UNAVAILABLE },
      problems: ["authentication_required", "conflict", "csrf_failed", "forbidden", "mfa_required", "not_found"],
      async handle(call) {
        const { request, params, body, client, cookies } = call;
        const { login_hint: loginHint, redirect_to: redirectTo, intent } = body;
        const connectionId = params.connection_id;
        if (intent === "link" || intent === "step_up") {
          const served = intent === "step_up" ? "enrolment" : undefined;
          const caller = await formCaller(deps, call, body.csrf, served);
          if (!caller.ok) return caller;
          const { session } = caller.value;
          const action = { session, connectionId, redirectTo: localPathOr(redirectTo, "/") };
          const started = intent === "link" ? await beginSsoLink(deps, action) : await beginSsoStepUp(deps, action);
          return startReply<StartProblem>(deps, {
            request,
            started,
            redirectTo,
            cookies,
            requestId: client.requestId,
            intent,
          });
        }
        const browserToken = presentToken(cookies, SSO_BINDING);
        const started = await startSsoSignIn(deps, { connectionId, redirectTo, loginHint, browserToken });
        return startReply<StartProblem>(deps, { request, started, redirectTo, cookies, requestId: client.requestId });
      },
    }),
  ];
}

function localPathOr(path: string | undefined, fallback: string): string {
  return path !== undefined && isLocalPath(path) ? path : fallback;
}

interface StartReplyInput<Code extends ProblemCode> {
  readonly request: Request;
  readonly started: Result<SsoStarted, Refusal<Code>>;
  readonly redirectTo: string | undefined;
  readonly cookies: Cookies;
  readonly requestId: string | null;
  readonly intent?: SsoIntent | undefined;
}

function startReply<Code extends ProblemCode>(
  deps: SsoSignInDeps,
  { request, started, redirectTo, cookies: present, requestId, intent = "sign_in" }: StartReplyInput<Code>,
) {
  if (started.ok) {
    const { location, form } = started.value;
    const cookies = bindingCookies(deps.config, SSO_BINDING, started.value, present);
    return ok(form ? postFormReply(request, location, form, cookies) : redirectReply(302, location, cookies));
  }
  const { error } = started;
  if (error.code !== "internal_error") return err(error);
  if (wantsJson(request)) return ok({ ...reply(503, envelope(error)), refused: error });
  return ok(failureRedirect(error, redirectTo, requestId, FAILURE_PAGES[intent]));
}

function callbackRoutes(deps: SsoSignInDeps): Endpoint[] {
  return [
    endpoint({
      method: "GET",
      path: "/auth/sso/:connection_id/callback",
      operationId: "finishSso",
      docs: { clientMethod: null, section: "29.11" },
      tag,
      summary: "Complete a sign-in at the identity provider of an organization",
      description:
        "Target of the identity provider's redirect. The session is bound to the organization (section 3.13). " +
        "`Accept: application/json` gets the LoginResponse or the error.",
      auth: "none",
      navigated: true,
      limits: { address: "sign_in" },
      input: { query: SsoCallbackQuery },
      responses: COMPLETION_RESPONSES,
      problems: ["authentication_required", "conflict", "forbidden", "not_found"],
      async handle({ request, params, cookies, client }) {
        const parameters = searchOf(request);
        const presented = { handle: parameters.get("state") ?? undefined };
        const completed = await completeSsoSignIn(deps, {
          connectionId: params.connection_id,
          parameters,
          browserToken: bindingToken(cookies, SSO_BINDING, presented),
          accessToken: cookies[ACCESS_COOKIE],
          client,
        });
        if (wantsJson(request) && !completed.ok) return jsonRefusal(completed.error);
        const cleared = clearedBinding(deps.config, SSO_BINDING, cookies, presented);
        // A test, a link and a step-up continue at a page in any case.
        return wantsJson(request) && completed.ok && completed.value.kind === "signed_in"
          ? ok(jsonReply(deps, completed.value.signedIn, cleared))
          : ok(browserReply(deps, completed, { cookies, cleared, requestId: client.requestId }));
      },
    }),
  ];
}
