import type { Refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";
import { type RefreshDeps, refresh } from "../../flows/auth/refresh.ts";
import { clearedCookies, REFRESH_COOKIE } from "../../http/cookies.ts";
import { isEmbedded, isOwnNavigation, sendsFetchSite } from "../../http/fetch-metadata.ts";
import { isRefreshProof, makeRefreshProof } from "../../http/form-csrf.ts";
import type { Reply } from "../../http/reply.ts";
import { freshCookies } from "../../http/signed-in.ts";
import { CONTINUED_PATH_MAX_CHARACTERS } from "../../limits/oauth-limits.ts";
import { Stage } from "../components/layout.tsx";
import { refusedPage } from "../error.tsx";
import { showPage } from "../html.tsx";
import { anonymousCall, type Page, type PageCall, pathWith, publicPage, seeOther } from "../page.ts";
import { HOME, localPath } from "../return-to.ts";
import { type SiteDeps, useView, viewOf } from "../view.tsx";

const CONTINUE = "/auth/continue";

/** In the query of the request that the page of this service makes; bound to the refresh cookie. */
const PROOF = "proof";

type ContinueDeps = RefreshDeps & SiteDeps & Pick<Deps, "csrfKey" | "random">;

/** The page that the user asked for. */
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
}

/**
 * Continues a session whose access token expired, and leads back to the page that the user asked for; without a session
 * it leads to the sign-in, or back if the page is public. Under the route prefix, because the refresh cookie is.
 *
 * Only a navigation that no other site began rotates the refresh token: another site could begin navigations and abort
 * them, which looks like a stolen token, and use up the user's limit. Such a navigation gets a page that continues by
 * itself with a request of this origin, and keeps its cookies.
 */
export function continuePage(deps: ContinueDeps): Page {
  return publicPage({
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
    /** A form of another origin was refused before (`checkFormOrigin`). */
    post: (call) => goOn(deps, call, 307),
  });
}

/** By a header that scripts cannot set or, from a browser that does not send the header, by the proof in the page. */
function isOwnRequest(deps: ContinueDeps, { request, query }: PageCall, refreshToken: string): boolean {
  return sendsFetchSite(request) ? isOwnNavigation(request) : isRefreshProof(deps, query.text(PROOF), refreshToken);
}

/** `status`: 307 repeats the POST with its body; its CSRF value is bound to the session and not to the token. */
async function goOn(deps: ContinueDeps, call: PageCall, status: 303 | 307): Promise<Reply> {
  const next = await findNextPage(deps, call, destinationOf(call));
  if (!next.ok) return refusedPage(viewOf(deps, call.client), next.error);
  const { location, cookies, takesForm } = next.value;
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
  return ok({ ...signedOut(destination), cookies: clearedCookies(deps.config) });
}

function ContinueBody({ address }: { readonly address: string }) {
  const { t } = useView();
  return (
    <Stage>
      <h1>{t.oauth.passOnTitle}</h1>
      <p>{t.continued.lead}</p>
      <a class="button primary wide" href={address}>
        {t.common.continue}
      </a>
    </Stage>
  );
}

/** Loads its address again with the proof, by itself once; a browser that still names another site gets the link. */
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
