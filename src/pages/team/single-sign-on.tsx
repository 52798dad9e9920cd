import type { Refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { clampPage, type Listing } from "../../database/listing.ts";
import type { Deps, EmailDeps } from "../../deps.ts";
import { type CheckedDomain, checkResultOf } from "../../flows/organization-domains/check.ts";
import { claimDomain } from "../../flows/organization-domains/claim.ts";
import { listOrganizationDomains, removeDomain } from "../../flows/organization-domains/manage.ts";
import { verifyDomain } from "../../flows/organization-domains/verify.ts";
import { authorizeSsoManager, authorizeSsoReader } from "../../flows/steps/authorization/authorize-sso.ts";
import { isSteppedUp } from "../../flows/steps/sign-in/step-up.ts";
import type { OrganizationDomain } from "../../models/organization-domain/organization-domain.ts";
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
import { type CheckedView, DOMAINS, SingleSignOnBody } from "./single-sign-on-view.tsx";

type SingleSignOnDeps = EmailDeps & SignedInUserDeps & Pick<Deps, "domainDirectory" | "reads" | "txtResolver">;

/** `/team/single-sign-on`: the domains of the session's organization. */
export function singleSignOnPage(deps: SingleSignOnDeps): Page {
  const show = async (call: AuthenticatedCall, state: FormState, parts: DisplayedParts = {}, checked?: CheckedView) => {
    const [{ profile, view }, domains] = await Promise.all([signedInUser(deps, call), domainsOf(deps, call)]);
    const t = view.t.singleSignOn;
    const problem = domains.ok ? undefined : domains.error.code === "payment_required" ? t.notIncluded : t.notYours;
    const body = (
      <SingleSignOnBody
        profile={profile}
        domains={domains.ok ? domains.value.items : []}
        problem={problem}
        canEdit={isSteppedUp(deps, call.caller.session)}
        state={state}
        checked={checked}
      />
    );
    const done = textAt({ added: t.added, removed: t.removed }, call.result);
    return showPage(view, { title: t.title, body, done, islands: ["confirm", "copy"], ...parts });
  };
  return authenticatedPage({
    path: "/team/single-sign-on",
    ofOrganization: true,
    get: (call) => show(call, {}),
    async post(call) {
      const outcome = await act(deps, call);
      if (outcome.ok) {
        const { value } = outcome;
        return typeof value === "string" ? seeResult(DOMAINS, value) : await show(call, {}, {}, checkedView(value));
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

/** All domains of the organization: at most `DOMAINS_MAX`. */
async function domainsOf(
  deps: SingleSignOnDeps,
  { caller }: AuthenticatedCall,
): Promise<Result<Listing<OrganizationDomain>, Refusal>> {
  const authorized = await authorizeSsoReader(deps, caller, caller.session.organizationId);
  if (!authorized.ok) return authorized;
  return await listOrganizationDomains(deps, { caller: authorized.value, page: clampPage(1, 100) });
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
