/** `/oauth2/consent`: the requested scopes of an application, and the account and organization of the user. */
import type { Deps, SignInDeps } from "../../deps.ts";
import { continueAuthorization, findPendingRequest } from "../../flows/oauth/authorize/authorize.ts";
import type { Step } from "../../flows/oauth/authorize/decide-authorization.ts";
import { denyAuthorization } from "../../flows/oauth/authorize/deny-authorization.ts";
import { sealDisplayedConsent, wasDisplayed } from "../../flows/oauth/authorize/displayed-consent.ts";
import { findStoredClient } from "../../flows/oauth/authorize/find-waiting-client.ts";
import {
  type AuthorizeDeps,
  type FoundRequest,
  narrowToRoles,
  respondWithCode,
} from "../../flows/oauth/authorize/respond-with-code.ts";
import { identityOf } from "../../flows/oauth/clients/client-identity.ts";
import { displayedScopes } from "../../flows/oauth/request/role-scopes.ts";
import { AUTHORIZATION_BINDING, bindingToken } from "../../http/binding-cookies.ts";
import type { Profile } from "../../models/user/profile.ts";
import { applicationName } from "../components/application.tsx";
import { showPage } from "../html.tsx";
import { type AuthenticatedCall, authenticatedPage, type Page, pathWith, seeOther } from "../page.ts";
import { applicationView, CONSENT, INTERACTION } from "../shared/waiting-application.ts";
import { type SignedInUserDeps, signedInUser } from "../signed-in-user.ts";
import type { View } from "../view.tsx";
import { ConsentBody, SWITCH_FIELD } from "./consent-view.tsx";
import { type DescribedScope, describeScopes, withDisclosures } from "./describe-scopes.ts";
import { oauthErrorPage, overPage, responsePage } from "./response.tsx";
import { switchAndDisplay } from "./switch-organization.ts";

type PageDeps = SignInDeps & AuthorizeDeps & SignedInUserDeps & Pick<Deps, "oauthResources" | "ssoDirectory">;

export function consentPage(deps: PageDeps): Page {
  const find = async ({ query, cookies, caller }: AuthenticatedCall) => {
    const handle = query.text("request");
    const presented = { handle, browserToken: bindingToken(cookies, AUTHORIZATION_BINDING, { handle }) };
    const found = await findPendingRequest(deps, presented);
    if (!found.ok) return found;
    const narrowed = await narrowToRoles(deps, found.value, caller.session);
    // Without a scope to grant, the next step of the request is the error response to the application.
    return narrowed.ok ? narrowed : found;
  };
  return authenticatedPage({
    path: CONSENT,
    boundSession: "served",
    async get(call) {
      const { profile, view } = await signedInUser(deps, call);
      const found = await find(call);
      if (!found.ok) return overPage(view, found.error, await findStoredClient(deps, call.query.text("request")));
      const { client, request } = found.value;
      const { session } = call.caller;
      const handle = call.query.text("request");
      const step = await continueAuthorization(deps, found.value, session);
      if (!DISPLAYED_STEPS.has(step.kind)) return seeOther(pathWith(INTERACTION, { request: handle }));
      const requestedOrganization = nextOrganization(step);
      const ask = step.kind === "consent" ? step.ask : "account";
      const organizationId = requestedOrganization ?? session.organizationId;
      const scopes = requestedScopes(deps, found.value, view, organizationName(profile, organizationId));
      const seal = sealDisplayedConsent(deps, { ...found.value, session, ask, descriptions: descriptionsOf(scopes) });
      const isRequested = request.parameters.organization !== undefined;
      const mustSwitch = requestedOrganization !== undefined;
      const { parameters } = request;
      const props = { client, parameters, scopes, profile, organizationId, isRequested, mustSwitch, handle, ask, seal };
      const title = view.t.oauth.title({ name: applicationName(view, identityOf(client)) });
      return showPage(await applicationView(deps, view, client), { title, body: <ConsentBody {...props} /> });
    },
    async post(call) {
      const { profile, view } = await signedInUser(deps, call);
      const found = await find(call);
      if (!found.ok) return overPage(view, found.error, await findStoredClient(deps, call.query.text("request")));
      if (call.form.has(SWITCH_FIELD)) {
        const location = pathWith(CONSENT, { request: call.query.text("request") });
        return await switchAndDisplay(deps, call, view, location);
      }
      const named = await applicationView(deps, view, found.value.client);
      const { session } = call.caller;
      const organization = organizationName(profile, session.organizationId);
      const descriptions = descriptionsOf(requestedScopes(deps, found.value, view, organization));
      const saw = (ask: "scopes" | "account") =>
        wasDisplayed(deps, { ...found.value, session, ask, descriptions }, call.form.text("shown"));
      const authorized = { ...found.value, session, requestContext: call.client, asked: saw("scopes") };
      if (call.form.text("decision") !== "allow") {
        return responsePage(named, await denyAuthorization(deps, authorized), "page");
      }
      // Requirements before the code other than consent have separate pages: this form decides about consent alone.
      const step = await continueAuthorization(deps, found.value, session);
      if (step.kind !== "consent" && step.kind !== "code") {
        return seeOther(pathWith(INTERACTION, { request: call.query.text("request") }));
      }
      if (step.kind === "consent" && !saw(step.ask)) {
        return seeOther(pathWith(CONSENT, { request: call.query.text("request") }));
      }
      const response = await respondWithCode(deps, authorized);
      return response.ok ? responsePage(named, response.value, "page") : oauthErrorPage(view, response.error);
    },
  });
}

const DISPLAYED_STEPS: ReadonlySet<Step["kind"]> = new Set(["consent", "organization", "select_organization"]);

/** The organization to which the session must move first; of several served organizations the first by name. */
function nextOrganization(step: Step): string | undefined {
  if (step.kind === "organization") return step.organizationId;
  return step.kind === "select_organization" ? step.organizationIds[0] : undefined;
}

/** The requested scopes in the language of the user. APIs of the request come before further APIs of the client. */
function requestedScopes(
  deps: PageDeps,
  { client, request }: FoundRequest,
  { language }: View,
  organization: string,
): readonly DescribedScope[] {
  const { resources } = request.parameters;
  const scopes = displayedScopes(deps, request.parameters);
  const described = describeScopes(deps, { scopes, resources: [...resources, ...client.resources], language });
  return withDisclosures(deps, described, { client, scopes, resources, organization, language });
}

function organizationName({ organizations }: Profile, organizationId: string): string {
  return organizations.find(({ id }) => id === organizationId)?.name ?? "";
}

/** The displayed texts, to which a decision applies. */
function descriptionsOf(scopes: readonly DescribedScope[]): readonly string[] {
  return scopes.flatMap(({ name, description, discloses = [] }) => [description ?? name, ...discloses]);
}
