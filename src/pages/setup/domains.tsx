import { claimDomain } from "../../flows/organization-domains/claim.ts";
import { listOrganizationDomains } from "../../flows/organization-domains/manage.ts";
import { verifyDomain } from "../../flows/organization-domains/verify.ts";
import { authorizeSetupLink, type SetupCaller } from "../../flows/steps/authorization/authorize-setup-link.ts";
import type { Reply } from "../../http/reply.ts";
import type { FormState } from "../components/form.tsx";
import { setupToken } from "../cookies.ts";
import { refusedPage } from "../error.tsx";
import { type DisplayedParts, showPage } from "../html.tsx";
import {
  NOTHING_THERE,
  type Page,
  type PageCall,
  type PageReply,
  publicPage,
  seeResult,
  textAt,
  uuidIn,
} from "../page.ts";
import { refusedParts } from "../problem-messages.ts";
import { pressedPublicAction, publicActionsOf } from "../public-action.ts";
import { addDomain, checkDomain } from "../single-sign-on/actions.tsx";
import {
  type CheckedView,
  checkedView,
  type DomainActionDeps,
  refusedDomain,
} from "../single-sign-on/domain-actions.ts";
import { DomainsSection } from "../single-sign-on/domains-view.tsx";
import type { View } from "../view.tsx";
import { type SetupDeps, withSetup } from "./parts.tsx";
import { SETUP_DOMAINS } from "./paths.ts";
import { TaskFrame } from "./setup-frame.tsx";

type SetupDomainDeps = SetupDeps & DomainActionDeps;

/** More than the domains of an organization. */
const LIST = { page: 1, pageSize: 100 } as const;

interface Displayed {
  readonly state?: FormState;
  readonly checked?: CheckedView;
  readonly parts?: DisplayedParts;
}

interface DomainsInput {
  readonly deps: SetupDomainDeps;
  readonly call: PageCall;
  readonly setup: SetupCaller;
  readonly view: View;
}

const action = publicActionsOf<DomainsInput>();

/** The steps are the steps of the page of an organization, whose view the page of the link displays. */
export const addLinkDomain = action({
  step: addDomain.step,
  async run(input) {
    const { deps, call, setup, view } = input;
    const { form, client } = call;
    const added = await claimDomain(deps, { caller: setup.caller, domain: form.text("domain"), client });
    if (added.ok) return seeResult(SETUP_DOMAINS, "added");
    const state = refusedDomain(view, form, added.error);
    return state ? await show(input, { state, parts: refusedParts(added.error) }) : refusedPage(view, added.error);
  },
});

export const checkLinkDomain = action({
  step: checkDomain.step,
  async run(input) {
    const { deps, call, setup, view } = input;
    const { form, client } = call;
    const checked = await verifyDomain(deps, { caller: setup.caller, domainId: uuidIn(form.text("id")), client });
    return checked.ok ? await show(input, { checked: checkedView(checked.value) }) : refusedPage(view, checked.error);
  },
});

const ACTIONS = { addLinkDomain, checkLinkDomain };

/** `/setup/domains`: adds and checks domains of the organization. */
export function setupDomainsPage(deps: SetupDomainDeps): Page {
  const on = (handle: (input: DomainsInput) => Promise<PageReply> | PageReply) => async (call: PageCall) => {
    const authorized = await authorizeSetupLink(deps, setupToken(call.cookies), "domains");
    return await withSetup(deps, call, authorized, (setup, view) => handle({ deps, call, setup, view }));
  };
  return publicPage({
    path: SETUP_DOMAINS,
    readLimit: "public_reads",
    get: on((input) => show(input, {})),
    post: on((input) => {
      const action = pressedPublicAction(ACTIONS, input.call.form);
      return action ? action.run(input) : refusedPage(input.view, NOTHING_THERE);
    }),
  });
}

async function show(
  { deps, call, setup: { caller }, view }: DomainsInput,
  { state = {}, checked, parts }: Displayed,
): Promise<Reply> {
  const listed = await listOrganizationDomains(deps, { caller, page: LIST });
  const domains = listed.ok ? listed.value.items : [];
  const { ssoSetup, singleSignOn } = view.t;
  const body = (
    <TaskFrame title={ssoSetup.tasks.domains}>
      <DomainsSection place={SETUP_DOMAINS} canRemove={false} domains={domains} state={state} checked={checked} />
    </TaskFrame>
  );
  const done = textAt({ added: singleSignOn.added }, call.result);
  return showPage(view, { title: ssoSetup.tasks.domains, body, done, islands: ["copy"], ...parts });
}
