import Negotiator from "negotiator";
import type { Refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";
import { type CallbackDeps, type CalledBack, completeSocialSignIn } from "../../flows/social-sign-in/callback.ts";
import { startSocialSignIn } from "../../flows/social-sign-in/start.ts";
import { clearedOauthCookie, OAUTH_COOKIE, oauthCookie } from "../cookies.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { redirectReply } from "../reply.ts";
import { LoginResponse } from "../schemas/auth.ts";
import { CallbackParameters, IdentityProviderKey, StartQuery } from "../schemas/social-sign-in.ts";
import { searchOf } from "../search.ts";
import { signInReply } from "../signed-in.ts";

export type OauthDeps = CallbackDeps & Pick<Deps, "csrfKey" | "log">;

const tag = "Social sign-in";
/** The page of the application that begins a sign-in, and goes on with it (decisions, section 9). */
const SIGN_IN_PAGE = "/sign-in";

/** Contract, section 4.1; decisions, section 9. */
export function oauthRoutes(deps: OauthDeps): Endpoint[] {
  return [
    endpoint({
      method: "GET",
      path: "/auth/oauth/:provider/start",
      operationId: "startSocialSignIn",
      tag,
      summary: "Begin a sign-in at another identity provider",
      auth: "none",
      limit: "sign_in",
      textParameters: true,
      params: { provider: IdentityProviderKey },
      query: StartQuery,
      answers: {
        302: {
          description: "To the provider; sets the cookie that binds the sign-in to this browser",
          headers: ["Location", "Set-Cookie"],
        },
      },
      problems: ["not_found"],
      async handle({ request, params, query }) {
        const { provider } = params;
        const started = await startSocialSignIn(deps, { provider, redirectTo: query.redirect_to ?? "/" });
        if (started.ok) {
          const { location, browserToken } = started.value;
          return ok(redirectReply(302, location, [oauthCookie(deps.config, browserToken)]));
        }
        const unreachable = started.error.code === "internal_error";
        return unreachable && !wantsJson(request) ? ok(failurePage(deps, started.error, [])) : started;
      },
    }),
    endpoint({
      method: "GET",
      path: "/auth/oauth/:provider/callback",
      operationId: "finishSocialSignIn",
      tag,
      summary: "Finish a sign-in at another identity provider",
      description:
        "Where the provider sends the browser. `Accept: application/json` gets the LoginResponse or the error.",
      auth: "none",
      limit: "sign_in",
      textParameters: true,
      params: { provider: IdentityProviderKey },
      query: CallbackParameters,
      answers: {
        200: {
          description: "For `Accept: application/json`: signed in, or `mfa_required`",
          schema: LoginResponse,
          headers: ["Set-Cookie"],
        },
        302: {
          description: "To where the sign-in began, to the challenge, or to `/sign-in?error=<code>`",
          headers: ["Location", "Set-Cookie"],
        },
      },
      problems: ["authentication_required", "conflict", "not_found"],
      async handle({ request, params, cookies, client }) {
        const finished = await completeSocialSignIn(deps, {
          provider: params.provider,
          parameters: searchOf(request),
          browserToken: cookies[OAUTH_COOKIE],
          client,
        });
        return wantsJson(request) ? jsonAnswer(deps, finished) : ok(browserAnswer(deps, finished));
      },
    }),
    endpoint({
      method: "POST",
      path: "/auth/oauth/:provider/callback",
      operationId: "receiveSocialSignIn",
      tag,
      summary: "Take a provider's answer by form",
      description:
        "Some providers answer by a form that their page submits. Cookies that are `SameSite=Lax` do not come along, so the browser is sent on to the GET.",
      auth: "none",
      limit: "sign_in",
      textParameters: true,
      params: { provider: IdentityProviderKey },
      body: CallbackParameters,
      bodyType: "form",
      answers: { 303: { description: "To the GET of the same path", headers: ["Location"] } },
      problems: [],
      handle({ params, body }) {
        const given = Object.entries(body).filter(([, value]) => value !== undefined);
        const path = `${deps.config.urls.routePrefix}/auth/oauth/${encodeURIComponent(params.provider)}/callback`;
        return ok(redirectReply(303, `${path}?${new URLSearchParams(given as [string, string][])}`, []));
      },
    }),
  ];
}

/** A caller that names JSON before a page (RFC 9110, section 12.5.1). A browser names a page. */
function wantsJson(request: Request): boolean {
  const accept = request.headers.get("accept");
  if (accept === null) return false;
  return new Negotiator({ headers: { accept } }).mediaType(["text/html", "application/json"]) === "application/json";
}

function jsonAnswer(deps: OauthDeps, finished: Result<CalledBack>) {
  if (!finished.ok) return err(finished.error);
  const answer = signInReply(deps, finished.value.outcome);
  return ok({ ...answer, cookies: [...answer.cookies, clearedOauthCookie(deps.config)] });
}

function browserAnswer(deps: OauthDeps, finished: Result<CalledBack>) {
  const cleared = clearedOauthCookie(deps.config);
  if (!finished.ok) return failurePage(deps, finished.error, [cleared]);
  const { outcome, redirectTo } = finished.value;
  // In the fragment the token reaches no server's log, and no other site by a Referer.
  if (outcome.status === "mfa_required")
    return redirectReply(302, `${SIGN_IN_PAGE}#mfa_token=${outcome.mfaToken}`, [cleared]);
  return redirectReply(302, redirectTo, [...signInReply(deps, outcome).cookies, cleared]);
}

function failurePage(deps: OauthDeps, { code, cause }: Refusal, cookies: readonly string[]) {
  deps.log.info({ code, cause }, "social sign-in failed");
  return redirectReply(302, `${SIGN_IN_PAGE}?error=${code}`, cookies);
}
