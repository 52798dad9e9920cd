/** `/oauth2/authorize`, and the continuation of an authorization request after other pages. */

import type { OAuthRefusal } from "../../base/oauth-problem.ts";
import type { Result } from "../../base/result.ts";
import type { AuthorizationResponse } from "../../flows/oauth/authorize/authorization-response.ts";
import {
  beginAuthorization,
  continueAuthorization,
  findPendingRequest,
} from "../../flows/oauth/authorize/authorize.ts";
import type { Step } from "../../flows/oauth/authorize/decide-authorization.ts";
import { findStoredClient } from "../../flows/oauth/authorize/find-waiting-client.ts";
import { refuseRequest, refuseSilently } from "../../flows/oauth/authorize/refuse-request.ts";
import { type ResolveRequestDeps, resolveRequest } from "../../flows/oauth/authorize/resolve-request.ts";
import {
  type AuthorizeDeps,
  type FoundRequest,
  respondWithCode,
} from "../../flows/oauth/authorize/respond-with-code.ts";
import { type FindClientDeps, findOrFetchClient } from "../../flows/oauth/documents/find-client.ts";
import { signInPath } from "../../flows/sso/connections/urls.ts";
import { findRequiredRoute } from "../../flows/sso/discovery/find-required-route.ts";
import type { RoutingDeps } from "../../flows/sso/discovery/route-address.ts";
import { AUTHORIZATION_BINDING, bindingCookies, bindingToken, presentToken } from "../../http/binding-cookies.ts";
import { searchOf } from "../../http/search.ts";
import { isLanguageTag, spokenLanguage } from "../../vocabulary/languages.ts";
import { stepUpPath } from "../addresses.ts";
import { languageCookie } from "../cookies.ts";
import { refusedPage } from "../error.tsx";
import { type Page, type PageCall, pathWith, publicPage, seeOther } from "../page.ts";
import { APPROVAL, applicationView, CONSENT, INTERACTION } from "../shared/waiting-application.ts";
import { hintCookie } from "../sign-in/address-hint.ts";
import { anonymousView, type SignedInUserDeps } from "../signed-in-user.ts";
import { viewOf } from "../view.tsx";
import { type Delivery, oauthErrorPage, overPage, responsePage } from "./response.tsx";

const AUTHORIZE = "/oauth2/authorize";

type PageDeps = AuthorizeDeps & FindClientDeps & ResolveRequestDeps & RoutingDeps & SignedInUserDeps;

/**
 * The authorization endpoint. A form of an application becomes a GET, because browsers send the cookies only with a
 * GET.
 */
export function authorizePage(deps: PageDeps): Page {
  const again = ({ parameters }: PageCall) => seeOther(`${AUTHORIZE}?${parameters}`);
  return publicPage({
    boundSession: "before_factor",
    path: "/oauth2/authorize",
    servesFrames: true,
    limit: "oauth",
    limitsGet: true,
    async get({ request, caller, cookies, client, admitBy }) {
      const clientId = searchOf(request).get("client_id") ?? "";
      const found = await findOrFetchClient(deps, { clientId, requestContext: client });
      const resolved = found.ok ? await resolveRequest(deps, searchOf(request), client.network) : found;
      const search = resolved.ok ? resolved.value.search : searchOf(request);
      const language = askedLanguage(search);
      const application = deps.oauthClients.find(search.get("client_id") ?? "");
      const plain = viewOf(deps, { locale: language || client.locale, requestId: client.requestId });
      const view = application ? await applicationView(deps, plain, application) : plain;
      if (!resolved.ok) return oauthErrorPage(view, resolved.error);
      const started = await beginAuthorization(deps, {
        ...resolved.value,
        session: caller?.session,
        browserToken: presentToken(cookies, AUTHORIZATION_BINDING),
        requestContext: client,
        admitWaiting: () => admitBy("oauth_waiting"),
      });
      if (!started.ok)
        return "oauth" in started.error ? oauthErrorPage(view, started.error) : refusedPage(view, started.error);
      if (started.value.kind === "response") return responsePage(view, started.value.response, deliveryOf(search));
      const { waiting } = started.value;
      const location = pathWith(INTERACTION, { request: waiting.handle });
      const bound = bindingCookies(deps.config, AUTHORIZATION_BINDING, waiting, cookies);
      return seeOther(location, [...bound, languageCookie(deps.config, language)]);
    },
    post: again,
    foreign: again,
  });
}

function deliveryOf(search: URLSearchParams): Delivery {
  return search.get("prompt")?.split(" ").includes("none") ? "silent" : "direct";
}

/**
 * The first supported language of `ui_locales` (OpenID Connect Core, section 3.1.2.1); empty without a supported
 * language.
 */
function askedLanguage(search: URLSearchParams): string {
  const tags = search.get("ui_locales")?.split(" ") ?? [];
  return tags.find((tag) => isLanguageTag(tag) && spokenLanguage(tag)) ?? "";
}

/** Continues a waiting request after every page: with the next page, or with a redirect to the application. */
export function interactionPage(deps: PageDeps): Page {
  return publicPage({
    boundSession: "before_factor",
    path: "/oauth2/interaction",
    continues: true,
    readLimit: "public_reads",
    async get(call) {
      const { query, caller, cookies, client } = call;
      const view = await anonymousView(deps, call);
      const handle = query.text("request");
      const browserToken = bindingToken(cookies, AUTHORIZATION_BINDING, { handle });
      const responded = (response: Result<AuthorizationResponse, OAuthRefusal>, delivery: Delivery, named = view) =>
        response.ok ? responsePage(named, response.value, delivery) : oauthErrorPage(view, response.error);
      const found = await findPendingRequest(deps, { handle, browserToken });
      // A silent request without its cookie ends at the application, and never at a page.
      if (!found.ok) {
        const silent = await refuseSilently(deps, handle);
        if (!silent.ok) return overPage(view, silent.error, await findStoredClient(deps, handle));
        return responded(silent, "silent");
      }
      const step = await continueAuthorization(deps, found.value, caller?.session);
      const isSilent = found.value.request.parameters.prompt.includes("none");
      const delivery = isSilent ? "silent" : "page";
      const named = await applicationView(deps, view, found.value.client);
      if (step.kind === "refuse")
        return responded(await refuseRequest(deps, found.value, step.refusal), delivery, named);
      if (step.kind !== "code" || !caller) {
        const location = nextPage(deps, found.value, handle, step);
        return seeOther(location, hintsFor(deps, found.value, handle));
      }
      const response = await respondWithCode(deps, { ...found.value, session: caller.session, requestContext: client });
      return responded(response, delivery, named);
    },
  });
}

function nextPage(deps: PageDeps, { request }: FoundRequest, handle: string, step: Step): string {
  const back = pathWith(INTERACTION, { request: handle });
  switch (step.kind) {
    case "verify_email":
      return pathWith("/verify-email", { return_to: back });
    case "step_up":
      return stepUpPath(back);
    case "approval":
      return pathWith(APPROVAL, { request: handle });
    case "organization":
    case "select_organization":
    case "consent":
      return pathWith(CONSENT, { request: handle });
    default: {
      const required = findRequiredRoute(deps, request.parameters);
      if (required) return signInPath(deps, required, back);
      const again = step.kind === "sign_in" && step.again ? "1" : undefined;
      return pathWith("/sign-in", { return_to: back, again });
    }
  }
}

/** The address of `login_hint`, for the sign-in page. */
function hintsFor(deps: PageDeps, { request }: FoundRequest, handle: string): string[] {
  const { loginHint } = request.parameters;
  return loginHint === null ? [] : [hintCookie(deps, loginHint, pathWith(INTERACTION, { request: handle }))];
}
