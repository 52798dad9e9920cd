import type { Refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Deps, SignInDeps } from "../../deps.ts";
import { refresh } from "../../flows/auth/refresh.ts";
import { clearedCookies, REFRESH_COOKIE } from "../../http/cookies.ts";
import { isEmbedded, isOwnNavigation, sendsFetchSite } from "../../http/fetch-metadata.ts";
import { isRefreshProof, makeRefreshProof } from "../../http/form-csrf.ts";
import type { Reply } from "../../http/reply.ts";
import { freshCookies } from "../../http/signed-in.ts";
import { CONTINUED_PATH_MAX_CHARACTERS } from "../../limits/oauth-limits.ts";
import { Stage, StageHead } from "../components/layout.tsx";
import { refusedPage } from "../error.tsx";
import { showPage } from "../html.tsx";
import {
  anonymousCall,
  type Page,
  type PageCall,
  type PageReply,
  pathWith,
  publicPage,
  seeOther,
  seeResult,
} from "../page.ts";
import { HOME, localPath } from "../return-to.ts";
import { type SiteDeps, useView, viewOf } from "../view.tsx";

const CONTINUE = "/auth/continue";

/** Query parameter of the request from the page of this service; bound to the refresh cookie. */
const PROOF = "proof";

type ContinueDeps = SignInDeps & SiteDeps & Pick<Deps, "csrfKey">;

/** The page that the user requested. */
interface Destination {
  readonly to: string;
  /** The page serves anonymous visitors too. */
  readonly isOptional: boolean;
}

interface NextPage {
  readonly location: string;
  readonly cookies: readonly string[];
  /** A form is sent on to this page. */
  readonly takesForm: boolean;
  /** A session has ended; the sign-in says so. */
  readonly ended?: boolean;
}

/**
 * Continues a session with an expired access token, and returns to the page that the user requested. Without a session,
 * the user is redirected to the sign-in, or back if the page is public. The path is under the route prefix, as is the
 * path of the refresh cookie.
 *
 * Only a navigation that no other site began rotates the refresh token: another site could begin and abort navigations,
 * which looks like a stolen token, and could exhaust the user's limit. A navigation from another site gets a page that
 * continues by a request of this origin, and the cookies are kept.
 */
export function continuePage(deps: ContinueDeps): Page {
  return publicPage({
    boundSession: "before_factor",
    path: CONTINUE,
    prefixed: true,
    ignoresBody: true,
    async get(call) {
      const { caller, request, cookies } = call;
      const refreshToken = cookies[REFRESH_COOKIE];
      const waits = !caller && refreshToken !== undefined && !isOwnRequest(deps, call, refreshToken);
      if (!waits) return await goOn(deps, call, 303);
      const destination = destinationOf(call);
      if (isEmbedded(request)) return seeOther(signedOut(destination).location);
      return showContinue(deps, call, destination, refreshToken);
    },
    /** `checkFormOrigin` has already refused a form of another origin. */
    post: (call) => goOn(deps, call, 307),
  });
}

/** Verified by a header that scripts cannot set or, for a browser without the header, by the proof in the page. */
function isOwnRequest(deps: ContinueDeps, { request, query }: PageCall, refreshToken: string): boolean {
  return sendsFetchSite(request) ? isOwnNavigation(request) : isRefreshProof(deps, query.text(PROOF), refreshToken);
}

/** `status`: 307 repeats the POST with the body; the CSRF value is bound to the session and not to the token. */
async function goOn(deps: ContinueDeps, call: PageCall, status: 303 | 307): Promise<PageReply> {
  const next = await findNextPage(deps, call, destinationOf(call));
  if (!next.ok) return refusedPage(viewOf(deps, call.client), next.error);
  const { location, cookies, takesForm, ended } = next.value;
  // A form without a session was open for longer than the session.
  const isSignIn = !takesForm && (ended || status === 307);
  if (isSignIn) return seeResult(location, "session_ended", cookies);
  return { ...seeOther(location, cookies), status: takesForm ? status : 303 };
}

function destinationOf({ query }: PageCall): Destination {
  return {
    to: localPath(query.text("to"), CONTINUED_PATH_MAX_CHARACTERS) ?? HOME,
    isOptional: query.has("optional"),
  };
}

function signedOut({ to, isOptional }: Destination): NextPage {
  const location = isOptional ? anonymousCall(to) : pathWith("/sign-in", { return_to: to === HOME ? undefined : to });
  return { location, cookies: [], takesForm: isOptional };
}

async function findNextPage(
  deps: ContinueDeps,
  { caller, cookies, callerAdmission, client }: PageCall,
  destination: Destination,
): Promise<Result<NextPage, Refusal<"rate_limited">>> {
  const continued = { location: destination.to, takesForm: true };
  if (caller) return ok({ ...continued, cookies: [] });
  const refreshToken = cookies[REFRESH_COOKIE];
  if (refreshToken === undefined) return ok(signedOut(destination));
  const outcome = await refresh(deps, { refreshToken, admissionOf: callerAdmission, client });
  if (outcome.ok) {
    const { sessionId, tokens } = outcome.value;
    return ok({ ...continued, cookies: freshCookies(deps, sessionId, tokens) });
  }
  const { error } = outcome;
  if (error.code === "rate_limited") return err({ ...error, code: error.code });
  return ok({ ...signedOut(destination), cookies: clearedCookies(deps.config), ended: true });
}

function ContinueBody({ address }: { readonly address: string }) {
  const { t } = useView();
  return (
    <Stage>
      <StageHead title={t.oauth.passOnTitle} />
      <p>{t.continued.lead}</p>
      <a class="button primary wide" href={address}>
        {t.common.continue}
      </a>
    </Stage>
  );
}

/** Reloads the address with the proof, automatically once; a browser that still reports another site gets the link. */
function showContinue(
  deps: ContinueDeps,
  { query, client }: PageCall,
  { to, isOptional }: Destination,
  refreshToken: string,
): Reply {
  const view = viewOf(deps, client);
  const address = pathWith(`${deps.config.urls.routePrefix}${CONTINUE}`, {
    to,
    optional: isOptional ? "1" : undefined,
    [PROOF]: makeRefreshProof(deps, refreshToken),
  });
  return showPage(view, {
    title: view.t.oauth.passOnTitle,
    body: <ContinueBody address={address} />,
    headers: query.has(PROOF) ? {} : { refresh: `0; url=${address}` },
  });
}
