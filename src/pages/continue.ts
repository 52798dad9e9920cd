import { CONTINUED_PATH_MAX_CHARACTERS } from "../base/oauth-limits.ts";
import { type RefreshDeps, refresh } from "../flows/auth/refresh.ts";
import { clearedCookies, REFRESH_COOKIE } from "../http/cookies.ts";
import type { Reply } from "../http/reply.ts";
import { freshCookies } from "../http/signed-in.ts";
import { refusedPage } from "./error.tsx";
import { asStranger, type Page, type PageCall, pathWith, publicPage, seeOther } from "./page.ts";
import { HOME, localPath } from "./return-to.ts";
import { type SiteDeps, viewOf } from "./view.tsx";

/**
 * Continues a session whose access token expired, and leads back to where the person was going; who has none is led to
 * the sign-in, or back if the page is for everybody. Under the route prefix, because the refresh cookie is.
 */
export function continuePage(deps: RefreshDeps & SiteDeps): Page {
  const run = async (call: PageCall): Promise<Reply> => {
    const to = localPath(call.query.text("to"), CONTINUED_PATH_MAX_CHARACTERS) ?? HOME;
    const optional = call.query.has("optional");
    const refreshToken = call.cookies[REFRESH_COOKIE];
    const outcome = await refresh(deps, { refreshToken, admissionOf: call.callerAdmission, client: call.client });
    // 307 repeats the POST with its body; its CSRF value is bound to the session and not to the token.
    const status = call.request.method === "POST" ? 307 : 303;
    if (outcome.ok) {
      const { sessionId, tokens } = outcome.value;
      return { status, headers: { location: to }, cookies: freshCookies(deps, sessionId, tokens) };
    }
    if (outcome.error.code === "rate_limited") {
      return refusedPage(viewOf(deps, call.client), outcome.error);
    }
    if (optional) return { status, headers: { location: asStranger(to) }, cookies: clearedCookies(deps.config) };
    return seeOther(pathWith("/sign-in", { return_to: to === HOME ? undefined : to }), clearedCookies(deps.config));
  };
  return publicPage({ path: "/auth/continue", prefixed: true, ignoresBody: true, get: run, post: run });
}
