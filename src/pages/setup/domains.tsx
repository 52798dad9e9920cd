import { listOrganizationDomains } from "../../flows/organization-domains/manage.ts";
import { authorizeSetupLink, type SetupCaller } from "../../flows/steps/authorization/authorize-setup-link.ts";
import { CopyResults } from "../components/copy.tsx";
import type { FormState } from "../components/form.tsx";
import { setupToken } from "../cookies.ts";
import { refusedPage } from "../error.tsx";
import { type DisplayedParts, showPage } from "../html.tsx";
import { type Page, type PageCall, publicPage, seeResult, textAt } from "../page.ts";
import { refusedParts } from "../problem-messages.ts";
import type { CheckedView } from "../single-sign-on/domain-actions.ts";
import { addOrCheckDomain, type DomainActionDeps, refusedDomain } from "../single-sign-on/domain-actions.ts";
import { DomainsSection } from "../single-sign-on/domains-view.tsx";
import type { View } from "../view.tsx";
import { type SetupDeps, TaskFrame, withSetup } from "./parts.tsx";
import { SETUP_DOMAINS } from "./paths.ts";

type SetupDomainDeps = SetupDeps & DomainActionDeps;

/** More than the domains of an organization. */
const LIST = { page: 1, pageSize: 100 } as const;

interface Displayed {
  readonly state?: FormState;
  readonly checked?: CheckedView;
  readonly parts?: DisplayedParts;
}

/** `/setup/domains`: adds and checks domains of the organization. */
export function setupDomainsPage(deps: SetupDomainDeps): Page {
  const show = async (
    call: PageCall,
    { caller }: SetupCaller,
    view: View,
    { state = {}, checked, parts }: Displayed,
  ) => {
    const listed = await listOrganizationDomains(deps, { caller, page: LIST });
    const domains = listed.ok ? listed.value.items : [];
    const { ssoSetup, singleSignOn } = view.t;
    const body = (
      <TaskFrame title={ssoSetup.tasks.domains}>
        <DomainsSection place={SETUP_DOMAINS} canRemove={false} domains={domains} state={state} checked={checked} />
        <CopyResults />
      </TaskFrame>
    );
    const done = textAt({ added: singleSignOn.added }, call.result);
    return showPage(view, { title: ssoSetup.tasks.domains, body, done, islands: ["copy"], ...parts });
  };
  return publicPage({
    path: SETUP_DOMAINS,
    readLimit: "public_reads",
    async get(call) {
      const setup = await authorizeSetupLink(deps, setupToken(call.cookies), "domains");
      return await withSetup(deps, call, setup, (link, view) => show(call, link, view, {}));
    },
    async post(call) {
      const authorized = await authorizeSetupLink(deps, setupToken(call.cookies), "domains");
      return await withSetup(deps, call, authorized, async (setup, view) => {
        const outcome = await addOrCheckDomain(deps, call, setup.caller);
        if (outcome.ok) {
          const { value } = outcome;
          return value === "added"
            ? seeResult(SETUP_DOMAINS, value)
            : await show(call, setup, view, { checked: value });
        }
        const state = refusedDomain(view, call, outcome.error);
        const parts = refusedParts(outcome.error);
        return state ? await show(call, setup, view, { state, parts }) : refusedPage(view, outcome.error);
      });
    },
  });
}
