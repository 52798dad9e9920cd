import type { Refusal } from "../../base/problem.ts";
import { ok, type Result } from "../../base/result.ts";
import { clampPage } from "../../database/listing.ts";
import type { SessionDeps } from "../../deps.ts";
import { listOrganizationDomains, removeDomain } from "../../flows/organization-domains/manage.ts";
import { createSetupLink } from "../../flows/setup-links/create.ts";
import { finishSetupLink, listOrganizationSetupLinks, tasksOf } from "../../flows/setup-links/manage.ts";
import { listOrganizationConnections } from "../../flows/sso-connections/read.ts";
import { resetOrganizationFactor } from "../../flows/sso-factor/reset.ts";
import { listOrganizationIdentities } from "../../flows/sso-identities/list.ts";
import { unlinkSsoIdentity } from "../../flows/sso-identities/unlink.ts";
import { readPolicy } from "../../flows/sso-policy/replace.ts";
import { authorizeSsoManager, authorizeSsoReader } from "../../flows/steps/authorization/authorize-sso.ts";
import { isSteppedUp } from "../../flows/steps/sessions/step-up.ts";
import type { Reply } from "../../http/reply.ts";
import type { FormState } from "../components/form.tsx";
import { refusedPage } from "../error.tsx";
import { type DisplayedParts, showPage } from "../html.tsx";
import {
  type AuthenticatedCall,
  authenticatedPage,
  type Page,
  pageNumber,
  seeResult,
  textAt,
  uuidIn,
} from "../page.ts";
import { refusedParts } from "../problem-messages.ts";
import { type SignedInUserDeps, signedInUser } from "../signed-in-user.ts";
import { addOrCheckDomain, type DomainActionDeps, refusedDomain } from "./domain-actions.ts";
import type { CheckedView } from "./domains-view.tsx";
import { SingleSignOnBody, type SsoSettings } from "./overview-view.tsx";
import { ssoMessages } from "./parts.tsx";
import { SSO } from "./paths.ts";
import { refusedSetupLink, setupLinkIn } from "./setup-link-form.ts";
import { NewSetupLinkBody } from "./setup-links-view.tsx";

type SingleSignOnDeps = DomainActionDeps & SessionDeps & SignedInUserDeps;

/** More than the domains of an organization. */
const LIST_SIZE = 100;
const ACCOUNTS_PER_PAGE = 25;
/** The latest links; ended links stay for 30 days. */
const SETUP_LINKS_DISPLAYED = 10;

/** `/team/single-sign-on`: the connections and domains of the session's organization. */
export function singleSignOnPage(deps: SingleSignOnDeps): Page {
  const show = async (
    call: AuthenticatedCall,
    { state = {}, linkState = {}, checked, parts = {} }: Displayed = {},
  ): Promise<Reply> => {
    const [{ profile, view }, settings] = await Promise.all([signedInUser(deps, call), settingsOf(deps, call)]);
    const t = view.t.singleSignOn;
    if (!settings.ok) return refusedPage(view, settings.error, ssoMessages(view));
    const body = (
      <SingleSignOnBody
        profile={profile}
        settings={settings.value}
        canEdit={isSteppedUp(deps, call.caller.session)}
        state={state}
        linkState={linkState}
        checked={checked}
      />
    );
    const { unlinked, factorReset } = view.t.companyAccounts;
    const { added, removed } = t;
    const ofLists = { deleted: view.t.ssoConnections.removed, revoked: view.t.ssoSetup.revoked };
    const results = { added, removed, ...ofLists, unlinked, factorReset };
    const done = textAt(results, call.result);
    return showPage(view, { title: t.title, body, done, islands: ["confirm", "copy"], ...parts });
  };
  return authenticatedPage({
    path: SSO,
    ofOrganization: true,
    get: (call) => show(call),
    async post(call) {
      if (call.form.text("step") === "create-link") return await createLink(deps, call, show);
      const outcome = await act(deps, call);
      if (outcome.ok) {
        const { value } = outcome;
        return typeof value === "string" ? seeResult(SSO, value) : await show(call, { checked: value });
      }
      const { view } = await signedInUser(deps, call);
      const state = refusedDomain(view, call, outcome.error);
      return state ? await show(call, { state, parts: refusedParts(outcome.error) }) : refusedPage(view, outcome.error);
    },
  });
}

/** What the page displays beside the stored settings. */
interface Displayed {
  readonly state?: FormState;
  readonly linkState?: FormState;
  readonly checked?: CheckedView;
  readonly parts?: DisplayedParts;
}

/** Creates a set-up link, whose URL is displayed in this response only. */
async function createLink(
  deps: SingleSignOnDeps,
  call: AuthenticatedCall,
  show: (call: AuthenticatedCall, displayed: Displayed) => Promise<Reply>,
): Promise<Reply> {
  const { caller: user, client, form } = call;
  const caller = await authorizeSsoManager(deps, user.session, user.session.organizationId);
  const submitted = setupLinkIn(form);
  const created = caller.ok ? await createSetupLink(deps, { caller: caller.value, client, ...submitted }) : caller;
  const { profile, view } = await signedInUser(deps, call);
  if (!created.ok) {
    const linkState = refusedSetupLink(view, form, created.error);
    const parts = refusedParts(created.error);
    return linkState ? await show(call, { linkState, parts }) : refusedPage(view, created.error, ssoMessages(view));
  }
  const body = <NewSetupLinkBody profile={profile} created={created.value} email={submitted.email} />;
  return showPage(view, { title: view.t.ssoSetup.linkTitle, body, islands: ["copy"] });
}

/** All domains, all connections and the policy of the organization: lists of at most `LIST_SIZE`. */
async function settingsOf(
  deps: SingleSignOnDeps,
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

async function act(deps: SingleSignOnDeps, call: AuthenticatedCall): Promise<Result<string | CheckedView, Refusal>> {
  const { caller: user, form, client } = call;
  const authorized = await authorizeSsoManager(deps, user.session, user.session.organizationId);
  if (!authorized.ok) return authorized;
  const caller = authorized.value;
  const id = uuidIn(form.text("id"));
  switch (form.text("step")) {
    case "remove": {
      const removed = await removeDomain(deps, { caller, domainId: id, client });
      return removed.ok ? ok("removed") : removed;
    }
    case "unlink-account": {
      const identities = { caller, scope: { organizationId: caller.organizationId } };
      const unlinked = await unlinkSsoIdentity(deps, { caller: identities, id, client });
      return unlinked.ok ? ok("unlinked") : unlinked;
    }
    case "reset-factor": {
      const reset = await resetOrganizationFactor(deps, { caller, userId: id, client });
      return reset.ok ? ok("factorReset") : reset;
    }
    case "revoke-link": {
      const ended = await finishSetupLink(deps, { caller, linkId: id, reason: "revoked", client });
      return ended.ok ? ok("revoked") : ended;
    }
    default:
      return await addOrCheckDomain(deps, call, caller);
  }
}
