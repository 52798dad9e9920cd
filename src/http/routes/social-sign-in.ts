import type { Refusal } from "../../base/problem.ts";
import { err, ok } from "../../base/result.ts";
import type { Deps, SignInDeps } from "../../deps.ts";
import { type CallbackRefusal, completeSocialSignIn } from "../../flows/social-sign-in/callback.ts";
import { startSocialSignIn } from "../../flows/social-sign-in/start.ts";
import { wantsJson } from "../accept.ts";
import { bindingCookies, bindingToken, clearedBinding, SOCIAL_BINDING } from "../binding-cookies.ts";
import { ACCESS_COOKIE, methodCookie, mfaCookie } from "../cookies.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { emptyReply, redirectReply } from "../reply.ts";
import { LoginResponse } from "../schemas/auth.ts";
import { CallbackParameters, IdentityProviderKey, StartQuery } from "../schemas/social-sign-in.ts";
import { searchOf } from "../search.ts";
import { signInReply } from "../signed-in.ts";

export type SocialSignInDeps = SignInDeps & Pick<Deps, "oauthResources" | "csrfKey">;

const tag = "Social sign-in";
/** The page of the front end, which reads `error` and `mfa_token` (docs/contract.md, section 16.3). */
const SIGN_IN_PAGE = "/sign-in";

/** docs/contract.md, chapter 16. */
export function socialSignInRoutes(deps: SocialSignInDeps): Endpoint[] {
  return [...startRoutes(deps), ...callbackRoutes(deps), ...formCallbackRoutes(deps)];
}

function startRoutes(deps: SocialSignInDeps): Endpoint[] {
  return [
    endpoint({
      method: "GET",
      path: "/auth/oauth/:provider/start",
      operationId: "startSocialSignIn",
      docs: { clientMethod: null, section: "16.2", params: { provider: IdentityProviderKey } },
      tag,
      summary: "Begin a sign-in at an identity provider",
      auth: "none",
      navigated: true,
      limits: { address: "sign_in" },
      input: { textParameters: true, query: StartQuery },
      responses: {
        302: {
          description: "Redirect to the provider, with the cookie that binds the sign-in to this browser",
          headers: ["Location", "Set-Cookie"],
        },
      },
      problems: ["not_found"],
      async handle({ request, params, query, cookies }) {
        const { provider } = params;
        const redirectTo = query.redirect_to ?? "/";
        const started = await startSocialSignIn(deps, { provider, redirectTo });
        if (started.ok) {
          const kept = bindingCookies(deps.config, SOCIAL_BINDING, started.value, cookies);
          return ok(redirectReply(302, started.value.location, kept));
        }
        const unreachable = started.error.code === "internal_error";
        if (!unreachable || wantsJson(request)) return started;
        return ok(failureRedirect(deps, { ...started.error, redirectTo }, []));
      },
    }),
  ];
}

function callbackRoutes(deps: SocialSignInDeps): Endpoint[] {
  return [
    endpoint({
      method: "GET",
      path: "/auth/oauth/:provider/callback",
      operationId: "finishSocialSignIn",
      docs: { clientMethod: "socialSignIn.finish", section: "16.3", params: { provider: IdentityProviderKey } },
      tag,
      summary: "Complete a sign-in at an identity provider",
      description: "Target of the provider's redirect. `Accept: application/json` gets the LoginResponse or the error.",
      auth: "none",
      navigated: true,
      limits: { address: "sign_in" },
      input: { textParameters: true, query: CallbackParameters },
      responses: {
        200: {
          description: "Signed in, or `mfa_required`: the response to `Accept: application/json`",
          schema: LoginResponse,
          headers: ["Set-Cookie"],
        },
        204: { description: "The provider is linked: the response to `Accept: application/json`" },
        302: {
          description: "Redirect to `redirect_to`, to the challenge, or to `/sign-in?error=<code>&return_to=<path>`",
          headers: ["Location", "Set-Cookie"],
        },
      },
      problems: ["authentication_required", "conflict", "forbidden", "not_found", "sso_required"],
      async handle({ request, params, cookies, client }) {
        const parameters = searchOf(request);
        const presented = { handle: parameters.get("state") ?? undefined };
        const completed = await completeSocialSignIn(deps, {
          provider: params.provider,
          parameters,
          browserToken: bindingToken(cookies, SOCIAL_BINDING, presented),
          accessToken: cookies[ACCESS_COOKIE],
          client,
        });
        const cleared = clearedBinding(deps.config, SOCIAL_BINDING, cookies, presented);
        return wantsJson(request)
          ? jsonReply(deps, completed, cleared)
          : ok(browserReply(deps, params.provider, completed, cleared));
      },
    }),
  ];
}

function formCallbackRoutes(deps: SocialSignInDeps): Endpoint[] {
  return [
    endpoint({
      method: "POST",
      path: "/auth/oauth/:provider/callback",
      operationId: "receiveSocialSignIn",
      docs: { clientMethod: null, section: "16.3", params: { provider: IdentityProviderKey } },
      tag,
      summary: "Receive a provider's response by form post",
      description:
        "Some providers respond with a form post, to which browsers add no `SameSite=Lax` cookies: the response " +
        "redirects the browser to the GET.",
      auth: "none",
      limits: { address: "sign_in" },
      input: { textParameters: true, body: CallbackParameters, bodyType: "form" },
      responses: { 303: { description: "Redirect to the GET of the same path", headers: ["Location"] } },
      problems: [],
      handle({ params, body }) {
        const given = Object.entries(body).filter(([, value]) => value !== undefined);
        const provider = encodeURIComponent(params.provider);
        const path = `${deps.config.urls.routePrefix}/auth/oauth/${provider}/callback`;
        return ok(redirectReply(303, `${path}?${new URLSearchParams(given as [string, string][])}`, []));
      },
    }),
  ];
}

type Completed = Awaited<ReturnType<typeof completeSocialSignIn>>;

function jsonReply(deps: SocialSignInDeps, completed: Completed, cleared: readonly string[]) {
  if (!completed.ok) return err(completed.error);
  const { outcome } = completed.value;
  if (outcome.status === "linked") return ok(emptyReply(204, { cookies: cleared }));
  const signedIn = signInReply(deps, outcome);
  return ok({ ...signedIn, cookies: [...signedIn.cookies, ...cleared] });
}

function browserReply(deps: SocialSignInDeps, provider: string, completed: Completed, cleared: readonly string[]) {
  if (!completed.ok) return failureRedirect(deps, completed.error, cleared);
  const { outcome, redirectTo } = completed.value;
  if (outcome.status === "linked") return redirectReply(302, redirectTo, cleared);
  const used = deps.config.pages.enabled ? [methodCookie(deps.config, provider)] : [];
  const forPages =
    outcome.status === "mfa_required" && deps.config.pages.enabled
      ? [mfaCookie(deps.config, outcome.mfaToken, redirectTo)]
      : [];
  // A fragment is not sent to servers: the token appears in no log and no Referer.
  if (outcome.status === "mfa_required")
    return redirectReply(302, `${SIGN_IN_PAGE}#mfa_token=${outcome.mfaToken}`, [...cleared, ...forPages, ...used]);
  return redirectReply(302, redirectTo, [...signInReply(deps, outcome).cookies, ...cleared, ...used]);
}

/** The sign-in page with the return path of the failed sign-in: the user may continue with a different method. */
function failureRedirect(
  deps: SocialSignInDeps,
  { redirectTo = "/", isLink = false, ...refused }: Refusal & Pick<CallbackRefusal, "redirectTo" | "isLink">,
  cookies: readonly string[],
) {
  const { code, cause } = refused;
  deps.log.info({ code, cause }, "social sign-in failed");
  // The user of a link is signed in: the page that began the link displays the problem.
  if (isLink) return { ...redirectReply(302, withError(redirectTo, code), cookies), refused };
  const query = new URLSearchParams({ error: code, ...(redirectTo === "/" ? {} : { return_to: redirectTo }) });
  return { ...redirectReply(302, `${SIGN_IN_PAGE}?${query}`, cookies), refused };
}

function withError(path: string, code: string): string {
  const [beforeFragment = "", ...fragment] = path.split("#");
  const joined = `${beforeFragment}${beforeFragment.includes("?") ? "&" : "?"}${new URLSearchParams({ error: code })}`;
  return [joined, ...fragment].join("#");
}
