import type { Refusal } from "../../base/problem.ts";
import { ok, type Result } from "../../base/result.ts";
import { clampPage } from "../../database/listing.ts";
import { listOrganizationDomains } from "../../flows/organization-domains/manage.ts";
import { listOrganizationConnections } from "../../flows/sso/connections/read.ts";
import { listOrganizationIdentities } from "../../flows/sso/identities/list.ts";
import { readPolicy } from "../../flows/sso/policy/replace.ts";
import { listOrganizationSetupLinks, tasksOf } from "../../flows/sso/setup-links/manage.ts";
import { authorizeSsoReader } from "../../flows/steps/authorization/authorize-sso.ts";
import type { Reply } from "../../http/reply.ts";
import { resultText } from "../action.ts";
import { type ActionPage, askAction, postAction, shellFrame } from "../action-page.tsx";
import { refusedPage } from "../error.tsx";
import { type DisplayedParts, showPage } from "../html.tsx";
import { type AuthenticatedCall, authenticatedPage, type Page, pageNumber } from "../page.ts";
import { signedInUser } from "../signed-in-user.ts";
import {
  removeClaim,
  resetMemberFactor,
  revokeLink,
  type SsoInput,
  type SsoStates,
  ssoActions,
  unlinkAccount,
} from "./actions.tsx";
import { type ConnectionInput, deleteConnection, lifecycleActions } from "./lifecycle-actions.ts";
import { SingleSignOnBody, type SsoSettings } from "./overview-view.tsx";
import { ssoMessages } from "./parts.tsx";
import { SSO } from "./paths.ts";

type SingleSignOnDeps = SsoInput["deps"] & ConnectionInput["deps"];

/** More than the domains of an organization. */
const LIST_SIZE = 100;
const ACCOUNTS_PER_PAGE = 25;
/** The latest links; ended links stay for 30 days. */
const SETUP_LINKS_DISPLAYED = 10;

const PAGE: ActionPage<SsoInput, SsoStates> = {
  frame: shellFrame(SSO),
  actions: ssoActions,
  place: () => SSO,
  show: ({ deps, call }, states, parts) => show(deps, call, states, parts),
};

/** The questions of the page, and of the page of a connection. */
const QUESTIONS: ActionPage<SsoInput & ConnectionInput, unknown> = {
  frame: shellFrame(SSO),
  actions: { removeClaim, unlinkAccount, resetMemberFactor, revokeLink, ...lifecycleActions },
  place: () => SSO,
};

/** `/team/single-sign-on`: the connections and domains of the session's organization. */
export function singleSignOnPages(deps: SingleSignOnDeps): readonly Page[] {
  const inputOf = (call: AuthenticatedCall) => ({
    deps,
    call,
    display: (states: SsoStates) => show(deps, call, states),
  });
  return [
    authenticatedPage({
      path: SSO,
      ofOrganization: true,
      get: (call) => show(deps, call),
      post: (call) => postAction(PAGE, inputOf(call)),
    }),
    authenticatedPage({
      path: "/team/single-sign-on/confirm",
      get: (call) => askAction(QUESTIONS, inputOf(call)),
    }),
  ];
}

async function show(
  deps: SsoInput["deps"],
  call: AuthenticatedCall,
  { state = {}, linkState = {}, checked }: SsoStates = {},
  parts: DisplayedParts = {},
): Promise<Reply> {
  const [{ profile, view }, settings] = await Promise.all([signedInUser(deps, call), settingsOf(deps, call)]);
  const { title } = view.t.singleSignOn;
  if (!settings.ok) return refusedPage(view, settings.error, ssoMessages(view));
  const body = (
    <SingleSignOnBody
      profile={profile}
      settings={settings.value}
      state={state}
      linkState={linkState}
      checked={checked}
    />
  );
  const done = resultText(view, { ...ssoActions, deleteConnection }, call.result);
  return showPage(view, { title, body, done, islands: ["confirm", "copy"], ...parts });
}

/** All domains, all connections and the policy of the organization: lists of at most `LIST_SIZE`. */
async function settingsOf(
  deps: SsoInput["deps"],
  { caller: { session }, query }: AuthenticatedCall,
): Promise<Result<SsoSettings, Refusal>> {
  const authorized = await authorizeSsoReader(deps, { session }, session.organizationId);
  if (!authorized.ok) return authorized;
  const list = { caller: authorized.value, page: clampPage(1, LIST_SIZE) };
  const accounts = {
    caller: { caller: authorized.value, scope: { organizationId: session.organizationId } },
    page: clampPage(pageNumber(query), ACCOUNTS_PER_PAGE),
  };
  const [domains, connections, policy, identities, links] = await Promise.all([
    listOrganizationDomains(deps, list),
    listOrganizationConnections(deps, list),
    readPolicy(deps, authorized.value),
    listOrganizationIdentities(deps, accounts),
    listOrganizationSetupLinks(deps, { caller: authorized.value, page: clampPage(1, SETUP_LINKS_DISPLAYED) }),
  ]);
  if (!domains.ok) return domains;
  if (!connections.ok) return connections;
  if (!policy.ok) return policy;
  if (!identities.ok) return identities;
  if (!links.ok) return links;
  return ok({
    domains: domains.value.items,
    connections: connections.value.items,
    policy: policy.value,
    identities: identities.value,
    setupLinks: links.value.items,
    setupTasks: tasksOf(authorized.value),
  });
}
