import type { Refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { clampPage } from "../../database/listing.ts";
import type { Deps, EmailDeps } from "../../deps.ts";
import { type CheckedDomain, checkResultOf } from "../../flows/organization-domains/check.ts";
import { claimDomain } from "../../flows/organization-domains/claim.ts";
import { listOrganizationDomains, removeDomain } from "../../flows/organization-domains/manage.ts";
import { verifyDomain } from "../../flows/organization-domains/verify.ts";
import { listOrganizationConnections } from "../../flows/sso-connections/read.ts";
import { readPolicy } from "../../flows/sso-policy/replace.ts";
import { authorizeSsoManager, authorizeSsoReader } from "../../flows/steps/authorization/authorize-sso.ts";
import { isSteppedUp } from "../../flows/steps/sign-in/step-up.ts";
import type { FormState } from "../components/form.tsx";
import { refusedPage } from "../error.tsx";
import { type DisplayedParts, showPage } from "../html.tsx";
import {
  type AuthenticatedCall,
  authenticatedPage,
  NOTHING_THERE,
  type Page,
  seeResult,
  textAt,
  uuidIn,
} from "../page.ts";
import { refusedParts } from "../problem-messages.ts";
import { type SignedInUserDeps, signedInUser } from "../signed-in-user.ts";
import type { CheckedView } from "./domains-view.tsx";
import { SingleSignOnBody, type SsoSettings } from "./overview-view.tsx";
import { ssoMessages } from "./parts.tsx";
import { SSO } from "./paths.ts";

type SingleSignOnDeps = EmailDeps &
  SignedInUserDeps &
  Pick<Deps, "domainDirectory" | "reads" | "ssoDirectory" | "txtResolver">;

/** More than the domains of an organization. */
const LIST_SIZE = 100;

/** `/team/single-sign-on`: the connections and domains of the session's organization. */
export function singleSignOnPage(deps: SingleSignOnDeps): Page {
  const show = async (call: AuthenticatedCall, state: FormState, parts: DisplayedParts = {}, checked?: CheckedView) => {
    const [{ profile, view }, settings] = await Promise.all([signedInUser(deps, call), settingsOf(deps, call)]);
    const t = view.t.singleSignOn;
    if (!settings.ok) return refusedPage(view, settings.error, ssoMessages(view));
    const body = (
      <SingleSignOnBody
        profile={profile}
        settings={settings.value}
        canEdit={isSteppedUp(deps, call.caller.session)}
        state={state}
        checked={checked}
      />
    );
    const results = { added: t.added, removed: t.removed, deleted: view.t.ssoConnections.removed };
    const done = textAt(results, call.result);
    return showPage(view, { title: t.title, body, done, islands: ["confirm", "copy"], ...parts });
  };
  return authenticatedPage({
    path: SSO,
    ofOrganization: true,
    get: (call) => show(call, {}),
    async post(call) {
      const outcome = await act(deps, call);
      if (outcome.ok) {
        const { value } = outcome;
        return typeof value === "string" ? seeResult(SSO, value) : await show(call, {}, {}, checkedView(value));
      }
      const { view } = await signedInUser(deps, call);
      if (call.form.text("step") !== "add") return refusedPage(view, outcome.error);
      const t = view.t.singleSignOn;
      const values = { domain: call.form.text("domain") };
      const isForm = outcome.error.code === "conflict" || outcome.error.code === "invalid_input";
      if (!isForm) return refusedPage(view, outcome.error);
      const text = outcome.error.code === "conflict" ? t.alreadyAdded : flawText(outcome.error, t);
      return await show(call, { values, errors: { domain: text } }, refusedParts(outcome.error));
    },
  });
}

function flawText({ fields }: Refusal, t: { readonly notAccepted: string; readonly domainHint: string }): string {
  return fields?.some(({ rule }) => rule === "not_allowed") ? t.notAccepted : t.domainHint;
}

/** All domains, all connections and the policy of the organization: lists of at most `LIST_SIZE`. */
async function settingsOf(
  deps: SingleSignOnDeps,
  { caller: { session } }: AuthenticatedCall,
): Promise<Result<SsoSettings, Refusal>> {
  const authorized = await authorizeSsoReader(deps, { session }, session.organizationId);
  if (!authorized.ok) return authorized;
  const list = { caller: authorized.value, page: clampPage(1, LIST_SIZE) };
  const [domains, connections, policy] = await Promise.all([
    listOrganizationDomains(deps, list),
    listOrganizationConnections(deps, list),
    readPolicy(deps, authorized.value),
  ]);
  if (!domains.ok) return domains;
  if (!connections.ok) return connections;
  if (!policy.ok) return policy;
  return ok({ domains: domains.value.items, connections: connections.value.items, policy: policy.value });
}

/** Executes the action of the pressed button; returns the result to display, or the checked domain. */
async function act(deps: SingleSignOnDeps, call: AuthenticatedCall): Promise<Result<string | CheckedDomain, Refusal>> {
  const { caller: user, form, client } = call;
  const authorized = await authorizeSsoManager(deps, user.session, user.session.organizationId);
  if (!authorized.ok) return authorized;
  const caller = authorized.value;
  const input = { caller, domainId: uuidIn(form.text("id")), client };
  switch (form.text("step")) {
    case "add": {
      const claimed = await claimDomain(deps, { caller, domain: form.text("domain"), client });
      return claimed.ok ? ok("added") : claimed;
    }
    case "check":
      return await verifyDomain(deps, input);
    case "remove": {
      const removed = await removeDomain(deps, input);
      return removed.ok ? ok("removed") : removed;
    }
    default:
      return err(NOTHING_THERE);
  }
}

function checkedView(checked: CheckedDomain): CheckedView {
  return { id: checked.domain.id, found: checked.found, result: checkResultOf(checked) };
}
