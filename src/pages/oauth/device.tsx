/** `/device`: a user connects a device without a browser (RFC 8628, section 3.3; docs/contract.md, section 23.15). */
import type { Refusal } from "../../base/problem.ts";
import type { Deps, SignInDeps } from "../../deps.ts";
import { listServedOrganizations } from "../../flows/oauth/authorize/served-organization.ts";
import { identityOf } from "../../flows/oauth/clients/client-identity.ts";
import { approveDevice, asksForSignIn, type DecideDeviceDeps, denyDevice } from "../../flows/oauth/device/decide.ts";
import { type FoundDevice, findClaimedDevice, findDeviceByCode } from "../../flows/oauth/device/find-request.ts";
import { displayedScopes } from "../../flows/oauth/request/role-scopes.ts";
import type { Reply } from "../../http/reply.ts";
import { stepUpPath } from "../addresses.ts";
import { applicationName } from "../components/application.tsx";
import type { FormState } from "../components/form.tsx";
import { type DisplayedParts, showPage } from "../html.tsx";
import { type AuthenticatedCall, authenticatedPage, type Page, pathWith, seeOther, seeResult } from "../page.ts";
import { messageOf, refusedParts } from "../problem-messages.ts";
import { applicationView } from "../shared/waiting-application.ts";
import { type SignedInUserDeps, signedInUser } from "../signed-in-user.ts";
import type { View } from "../view.tsx";
import { describeScopes, withDisclosures } from "./describe-scopes.ts";
import { CodeBody, CompareBody, DEVICE, DecidedBody, RequestBody } from "./device-view.tsx";
import { switchAndDisplay } from "./switch-organization.ts";

type PageDeps = SignInDeps & DecideDeviceDeps & SignedInUserDeps & Pick<Deps, "oauthResources" | "ssoDirectory">;

const USER_CODE_MAX_CHARACTERS = 32;

export function devicePage(deps: PageDeps): Page {
  return authenticatedPage({
    path: DEVICE,
    limit: "sign_in",
    ofOrganization: true,
    async get(call) {
      const { result, query } = call;
      if (result === "approved" || result === "denied") return await showDecided(deps, call, result);
      const userCode = codeIn(query.text("user_code"));
      if (query.has("request")) return await showRequest(deps, call, query.text("request"));
      return userCode === "" ? await showCode(deps, call, {}) : await showCompare(deps, call, userCode, {});
    },
    async post(call) {
      const { form, caller, client } = call;
      const input = { session: caller.session, id: form.text("request"), requestContext: client };
      switch (form.text("step")) {
        case "approve":
          return await approve(deps, call, input);
        case "switch": {
          const { view } = await signedInUser(deps, call);
          return await switchAndDisplay(deps, call, view, requestPath(input.id));
        }
        case "deny": {
          const denied = await denyDevice(deps, input);
          return denied.ok ? seeResult(DEVICE, "denied") : await refuseCode(deps, call, denied.error);
        }
        default:
          return await findDevice(deps, call);
      }
    },
  });
}

/** As typed, or as in the address that a device displays. */
function codeIn(text: string): string {
  return text.slice(0, USER_CODE_MAX_CHARACTERS).replaceAll("\0", "").trim();
}

async function findDevice(deps: PageDeps, call: AuthenticatedCall): Promise<Reply> {
  const { form, caller, client } = call;
  const userCode = codeIn(form.text("user_code"));
  // The code of the address is no proof that the user saw the device.
  if (form.text("step") === "compare" && !form.has("seen")) {
    const { view } = await signedInUser(deps, call);
    return await showCompare(deps, call, userCode, { errors: { seen: view.t.oauth.device.mustSee } });
  }
  const found = await findDeviceByCode(deps, { session: caller.session, userCode, client });
  if (!found.ok) return await refuseCode(deps, call, found.error, userCode);
  return seeOther(requestPath(found.value.request.id));
}

function requestPath(id: string): string {
  return pathWith(DEVICE, { request: id });
}

interface Deciding {
  readonly session: AuthenticatedCall["caller"]["session"];
  readonly id: string;
  readonly requestContext: AuthenticatedCall["client"];
}

async function approve(deps: PageDeps, call: AuthenticatedCall, input: Deciding): Promise<Reply> {
  const approved = await approveDevice(deps, input);
  if (approved.ok) return seeResult(DEVICE, "approved");
  if (approved.error.code !== "mfa_required") return await refuseCode(deps, call, approved.error);
  const back = requestPath(input.id);
  return seeOther(
    asksForSignIn(approved.error) ? pathWith("/sign-in", { return_to: back, again: "1" }) : stepUpPath(back),
  );
}

async function refuseCode(deps: PageDeps, call: AuthenticatedCall, refused: Refusal, userCode = ""): Promise<Reply> {
  const { view } = await signedInUser(deps, call);
  const text = messageOf(view, refused, { not_found: view.t.oauth.device.unknown });
  return await showCode(
    deps,
    call,
    { values: { user_code: userCode }, errors: { user_code: text } },
    refusedParts(refused),
  );
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
  if (!found.ok) return await refuseCode(deps, call, found.error);
  const { profile, view } = await signedInUser(deps, call);
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
