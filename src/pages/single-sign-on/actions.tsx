/** The actions of `/team/single-sign-on`: domains, company accounts, set-up links. */
import type { SessionDeps } from "../../deps.ts";
import { claimDomain } from "../../flows/organization-domains/claim.ts";
import { findOrganizationDomain, removeDomain } from "../../flows/organization-domains/manage.ts";
import { verifyDomain } from "../../flows/organization-domains/verify.ts";
import { resetOrganizationFactor } from "../../flows/sso/factor/reset.ts";
import { unlinkSsoIdentity } from "../../flows/sso/identities/unlink.ts";
import { createSetupLink } from "../../flows/sso/setup-links/create.ts";
import { finishSetupLink } from "../../flows/sso/setup-links/manage.ts";
import type { Reply } from "../../http/reply.ts";
import { type ActionInput, actionsOf } from "../action.ts";
import type { FormState } from "../components/form.tsx";
import { showPage } from "../html.tsx";
import { type CheckedView, checkedView, type DomainActionDeps, refusedDomain } from "./domain-actions.ts";
import { NewSetupLinkBody } from "./new-setup-link.tsx";
import { ssoMessages } from "./parts.tsx";
import { refusedSetupLink, setupLinkIn } from "./setup-link-form.ts";
import { mayManageSso, maySeeSso } from "./sso-access.ts";

/** What the page displays beside the stored settings. */
export interface SsoStates {
  readonly state?: FormState;
  readonly linkState?: FormState;
  readonly checked?: CheckedView;
}

export interface SsoInput extends ActionInput {
  readonly deps: DomainActionDeps & SessionDeps & ActionInput["deps"];
  /** Displays the page. */
  readonly display: (states: SsoStates) => Promise<Reply>;
}

const { action, asks, confirmed } = actionsOf<SsoInput, SsoStates>();

export const addDomain = action({
  step: "add",
  may: mayManageSso,
  run: ({ deps, caller, client, fields }) => claimDomain(deps, { caller, domain: fields.text("domain"), client }),
  done: ["added", ({ t }) => t.singleSignOn.added],
  refused({ fields, view }, refusal) {
    const state = refusedDomain(view, fields, refusal);
    return state && { state };
  },
});

/** The page displays the result of the check beside the domain. */
export const checkDomain = action({
  step: "check",
  may: mayManageSso,
  run: ({ deps, caller, client, id: domainId }) => verifyDomain(deps, { caller, domainId, client }),
  reply: ({ display }, checked) => display({ checked: checkedView(checked) }),
});

export const removeClaim = confirmed({
  step: "remove",
  may: mayManageSso,
  question: asks(maySeeSso, async ({ deps, caller, id: domainId, view: { t } }) => {
    const found = await findOrganizationDomain(deps, { caller, domainId });
    const { removeText: text, removeTitle } = t.singleSignOn;
    return found.ok ? { title: removeTitle({ domain: found.value.domain }), text, action: t.common.remove } : undefined;
  }),
  run: ({ deps, caller, client, id: domainId }) => removeDomain(deps, { caller, domainId, client }),
  done: ["removed", ({ t }) => t.singleSignOn.removed],
});

export const unlinkAccount = confirmed({
  step: "unlink-account",
  may: mayManageSso,
  question: asks(maySeeSso, ({ view: { t } }) => {
    const { unlinkMemberText, unlinkTitle } = t.companyAccounts;
    return { title: unlinkTitle, text: unlinkMemberText, action: t.security.unlink };
  }),
  run: ({ deps, caller, client, id }) =>
    unlinkSsoIdentity(deps, { caller: { caller, scope: { organizationId: caller.organizationId } }, id, client }),
  done: ["unlinked", ({ t }) => t.companyAccounts.unlinked],
});

export const resetMemberFactor = confirmed({
  step: "reset-factor",
  may: mayManageSso,
  question: asks(maySeeSso, ({ view: { t } }) => {
    const { resetFactor, resetText, resetTitle } = t.companyAccounts;
    return { title: resetTitle, text: resetText, action: resetFactor };
  }),
  run: ({ deps, caller, client, id: userId }) => resetOrganizationFactor(deps, { caller, userId, client }),
  done: ["factorReset", ({ t }) => t.companyAccounts.factorReset],
});

/** Only the response to the form contains the URL of the link. */
export const createLink = action({
  step: "create-link",
  may: mayManageSso,
  mayProblems: ssoMessages,
  problems: ssoMessages,
  run: ({ deps, caller, client, fields }) => createSetupLink(deps, { caller, client, ...setupLinkIn(fields) }),
  async reply({ fields, user }, created) {
    const { profile, view } = await user();
    const body = <NewSetupLinkBody profile={profile} created={created} email={setupLinkIn(fields).email} />;
    return showPage(view, { title: view.t.ssoSetup.linkTitle, body, islands: ["copy"] });
  },
  refused({ fields, view }, refusal) {
    const linkState = refusedSetupLink(view, fields, refusal);
    return linkState && { linkState };
  },
});

export const revokeLink = confirmed({
  step: "revoke-link",
  may: mayManageSso,
  question: asks(maySeeSso, ({ view: { t } }) => {
    const { revoke, revokeText, revokeTitle } = t.ssoSetup;
    return { title: revokeTitle, text: revokeText, action: revoke };
  }),
  run: ({ deps, caller, client, id: linkId }) => finishSetupLink(deps, { caller, linkId, reason: "revoked", client }),
  done: ["revoked", ({ t }) => t.ssoSetup.revoked],
});

export const ssoActions = {
  ...{ addDomain, checkDomain, removeClaim },
  ...{ unlinkAccount, resetMemberFactor },
  ...{ createLink, revokeLink },
};
