/** `/device`: a user connects a device without a browser (RFC 8628, section 3.3; docs/contract.md, section 23.15). */
import { listServedOrganizations } from "../../flows/oauth/authorize/served-organization.ts";
import { identityOf } from "../../flows/oauth/clients/client-identity.ts";
import { asksForSignIn } from "../../flows/oauth/device/decide.ts";
import { type FoundDevice, findClaimedDevice } from "../../flows/oauth/device/find-request.ts";
import { displayedScopes } from "../../flows/oauth/request/role-scopes.ts";
import type { Reply } from "../../http/reply.ts";
import { type ActionPage, postAction, shellFrame } from "../action-page.tsx";
import { stepUpPath } from "../addresses.ts";
import { applicationName } from "../components/application.tsx";
import type { FormState } from "../components/form.tsx";
import { asksStepUp } from "../components/step-up-again.tsx";
import { refusedPage } from "../error.tsx";
import { type DisplayedParts, showPage } from "../html.tsx";
import { type AuthenticatedCall, authenticatedPage, type Page, pathWith, seeOther } from "../page.ts";
import { refusedParts } from "../problem-messages.ts";
import { applicationView } from "../shared/waiting-application.ts";
import { signedInUser } from "../signed-in-user.ts";
import type { View } from "../view.tsx";
import { describeScopes, withDisclosures } from "./describe-scopes.ts";
import { codeIn, DEVICE, type DeviceInput, deviceActions, findDevice, refusedCode } from "./device-actions.ts";
import { CodeBody, CompareBody, DecidedBody, RequestBody } from "./device-view.tsx";

type PageDeps = DeviceInput["deps"];

const PAGE: ActionPage<DeviceInput, FormState> = {
  frame: {
    ...shellFrame("/account"),
    refuse(_, { view }, refusal, own, place) {
      if (!asksStepUp(refusal)) return refusedPage(view, refusal, own);
      return seeOther(
        asksForSignIn(refusal) ? pathWith("/sign-in", { return_to: place, again: "1" }) : stepUpPath(place),
      );
    },
  },
  actions: deviceActions,
  defaultStep: findDevice.step,
  place: () => DEVICE,
  show: ({ deps, call }, state, parts) => showCode(deps, call, state, parts),
};

export function devicePage(deps: PageDeps): Page {
  return authenticatedPage({
    path: DEVICE,
    limit: "sign_in",
    ofOrganization: true,
    async get(call) {
      const { result, query } = call;
      if (result === "approved" || result === "denied") return await showDecided(deps, call, result);
      const userCode = codeIn(query);
      if (query.has("request")) return await showRequest(deps, call, query.text("request"));
      return userCode === "" ? await showCode(deps, call, {}) : await showCompare(deps, call, userCode, {});
    },
    post: (call) => postAction(PAGE, { deps, call, askComparison: (userCode) => askComparison(deps, call, userCode) }),
  });
}

async function askComparison(deps: PageDeps, call: AuthenticatedCall, userCode: string): Promise<Reply> {
  const { view } = await signedInUser(deps, call);
  return await showCompare(deps, call, userCode, { errors: { seen: view.t.oauth.device.mustSee } });
}

async function showCode(deps: PageDeps, call: AuthenticatedCall, state: FormState, parts: DisplayedParts = {}) {
  const { view } = await signedInUser(deps, call);
  return showPage(view, { title: view.t.oauth.device.title, body: <CodeBody state={state} />, ...parts });
}

async function showCompare(deps: PageDeps, call: AuthenticatedCall, userCode: string, state: FormState) {
  const { view } = await signedInUser(deps, call);
  const body = <CompareBody userCode={userCode} state={state} />;
  return showPage(view, { title: view.t.oauth.device.title, body });
}

async function showRequest(deps: PageDeps, call: AuthenticatedCall, id: string): Promise<Reply> {
  const found = await findClaimedDevice(deps, { session: call.caller.session, id });
  const { profile, view } = await signedInUser(deps, call);
  if (!found.ok) return await showCode(deps, call, refusedCode(view, found.error), refusedParts(found.error));
  const { client } = found.value;
  const { session } = call.caller;
  const { organizationId } = session;
  const organization = profile.organizations.find(({ id }) => id === organizationId)?.name ?? "";
  const scopes = scopesOf(deps, found.value, view, organization);
  const served = await listServedOrganizations(deps, client, session);
  const props = { ...found.value, profile, organizationId, scopes, served };
  const title = view.t.oauth.device.confirmTitle({ name: applicationName(view, identityOf(client)) });
  return showPage(await applicationView(deps, view, client), { title, body: <RequestBody {...props} /> });
}

function scopesOf(deps: PageDeps, { request, client }: FoundDevice, { language }: View, organization: string) {
  const { resources } = request;
  const scopes = displayedScopes(deps, request);
  const described = describeScopes(deps, { scopes, resources: [...resources, ...client.resources], language });
  return withDisclosures(deps, described, { client, scopes, resources, organization, language });
}

async function showDecided(deps: PageDeps, call: AuthenticatedCall, decision: "approved" | "denied") {
  const { view } = await signedInUser(deps, call);
  const title = view.t.oauth.device[`${decision}Title`];
  return showPage(view, { title, body: <DecidedBody decision={decision} /> });
}
