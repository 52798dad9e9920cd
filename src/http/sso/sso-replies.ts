/** Responses at the end of a sign-in by single sign-on, by both protocols. */
import { isLocalPath } from "../../base/local-path.ts";
import type { Refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";
import type { SsoCallbackRefusal, SsoCompletion } from "../../flows/sso/callback/callback.ts";
import type { SsoDeps } from "../../flows/sso/sign-in/connection.ts";
import type { SignInResult } from "../../flows/steps/sign-in/complete-sign-in.ts";
import type { Cookies } from "../cookies.ts";
import { envelope } from "../problem-status.ts";
import { redirectReply, reply } from "../reply.ts";
import { LoginResponse } from "../schemas/auth.ts";
import { ErrorEnvelope } from "../schemas/common.ts";
import { freshAccessCookies, signedInReply } from "../signed-in.ts";

export type SsoSignInDeps = SsoDeps & Pick<Deps, "csrfKey" | "oauthResources">;
type Completed = Result<SsoCompletion, SsoCallbackRefusal>;

/** The page that reads `error` and `request_id`, with the other ways to sign in. */
const SIGN_IN_PAGE = "/sign-in";
/** The page that displays the company account and asks for the confirmation of the link. */
const LINK_PAGE = "/account/security/company-account";
export type SsoIntent = NonNullable<SsoCallbackRefusal["intent"]>;
export const FAILURE_PAGES: Readonly<Record<SsoIntent, string>> = {
  sign_in: SIGN_IN_PAGE,
  link: LINK_PAGE,
  step_up: "/step-up",
  test: SIGN_IN_PAGE,
};
export const UNAVAILABLE = {
  description: "With `Accept: application/json`: no identity provider; or the database is unavailable",
  schema: ErrorEnvelope,
};

/** The responses of the last request of a sign-in, by both protocols. */
export const COMPLETION_RESPONSES = {
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
} as const;

export function jsonReply(deps: SsoSignInDeps, signedIn: SignInResult, cleared: readonly string[]) {
  const signedInBody = signedInReply(deps, 200, signedIn);
  return { ...signedInBody, cookies: [...signedInBody.cookies, ...cleared] };
}

export function jsonRefusal(error: SsoCallbackRefusal) {
  if (error.code === "internal_error") return ok({ ...reply(503, envelope(error)), refused: error });
  return err({ ...error, code: error.code });
}

interface BrowserReply {
  readonly cookies: Cookies;
  /** Set-Cookie values that delete the binding of the request. */
  readonly cleared: readonly string[];
  readonly requestId: string | null;
}

export function browserReply(deps: SsoSignInDeps, completed: Completed, { cookies, cleared, requestId }: BrowserReply) {
  if (!completed.ok) {
    const { code, cause, redirectTo, intent } = completed.error;
    deps.log.info({ code, cause }, "single sign-on failed");
    return failureRedirect(completed.error, redirectTo, requestId, intent && FAILURE_PAGES[intent]);
  }
  const { value } = completed;
  return redirectReply(302, nextPage(value), [...newCookies(deps, value, cookies), ...cleared]);
}

function nextPage(completion: SsoCompletion): string {
  const { redirectTo } = completion;
  if (completion.kind !== "link_offered") return redirectTo;
  const returnTo = redirectTo === "/" ? {} : { return_to: redirectTo };
  return `${LINK_PAGE}?${new URLSearchParams({ link: completion.linkId, ...returnTo })}`;
}

function newCookies(deps: SsoSignInDeps, completion: SsoCompletion, cookies: Cookies): readonly string[] {
  if (completion.kind === "signed_in") return signedInReply(deps, 200, completion.signedIn).cookies;
  if (completion.kind !== "stepped_up") return [];
  const { session, steppedUp } = completion;
  return freshAccessCookies(deps, { session, view: session, via: "cookie" }, steppedUp.token.accessToken, cookies);
}

/** The page displays the request id, for the administrator, and the next step. */
export function failureRedirect(
  refused: Refusal,
  redirectTo: string | undefined,
  requestId: string | null,
  page: string = SIGN_IN_PAGE,
) {
  const query = new URLSearchParams({
    error: refused.code,
    ...(requestId === null ? {} : { request_id: requestId }),
    ...(redirectTo === undefined || redirectTo === "/" || !isLocalPath(redirectTo) ? {} : { return_to: redirectTo }),
  });
  return { ...redirectReply(302, `${page}?${query}`, []), refused };
}
