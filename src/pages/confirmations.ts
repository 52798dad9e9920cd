/** Confirmations of destructive actions. Each confirmation names the object of the form, which is read by id. */
import type { Deps, StoreDeps } from "../deps.ts";
import { listKeysOfDirectory } from "../flows/directories/keys.ts";
import { findOwnGrant } from "../flows/oauth-provider/grants.ts";
import { findOrganizationDomain } from "../flows/organization-domains/manage.ts";
import { listOwnPasskeys } from "../flows/passkeys/list.ts";
import { mayRevokeKeys } from "../flows/sessions/revoke.ts";
import { readConnection } from "../flows/sso-connections/read.ts";
import { authorizeDirectoryReader } from "../flows/steps/authorization/authorize-directory-manager.ts";
import { authorizeSsoReader } from "../flows/steps/authorization/authorize-sso.ts";
import { applicationName } from "./components/application.tsx";
import type { Question } from "./components/question.tsx";
import { type AuthenticatedCall, uuidIn } from "./page.ts";
import { listCompanyAccounts } from "./security/company-account-actions.ts";
import { ALL_PASSKEYS, removePasskeyTitle } from "./security/view-model.ts";
import { displayedKey } from "./service-accounts/view-model.ts";
import type { SignedInUser } from "./signed-in-user.ts";
import { connectionPath } from "./single-sign-on/paths.ts";

/** Undefined for an unknown step, and for an unknown `id`. */
export type Ask = (
  deps: StoreDeps & Pick<Deps, "reads">,
  call: AuthenticatedCall,
  who: SignedInUser,
) => Promise<Question | undefined>;

export const askSecurity: Ask = async (deps, { caller: { session: caller }, query }, { view }) => {
  const { security: t, common } = view.t;
  switch (query.text("step")) {
    case "delete-passkey": {
      const { items } = await listOwnPasskeys(deps, { caller, page: ALL_PASSKEYS });
      const passkey = items.find(({ id }) => id === uuidIn(query.text("id")));
      return passkey && { title: removePasskeyTitle(view, passkey), text: t.removePasskeyText, action: common.remove };
    }
    case "revoke-sessions":
      return {
        title: t.endOthers,
        text: t.endOthersText,
        action: t.endOthers,
        choices: [
          { name: "end_applications", label: t.endApplications },
          ...((await mayRevokeKeys(deps, caller)) ? [{ name: "revoke_api_keys", label: t.revokeKeys }] : []),
        ],
      };
    case "unlink-company": {
      const accounts = await listCompanyAccounts(deps, caller);
      const { unlinkText, unlinkTitle } = view.t.companyAccounts;
      const isLinked = accounts.some(({ id }) => id === uuidIn(query.text("id")));
      return isLinked ? { title: unlinkTitle, text: unlinkText, action: t.unlink } : undefined;
    }
    default:
      return undefined;
  }
};

export const applicationConfirmations: Ask = async (deps, { caller: { session }, query }, { view }) => {
  if (query.text("step") !== "remove") return undefined;
  const client = await findOwnGrant(deps, { caller: session, id: uuidIn(query.text("id")) });
  if (client === undefined) return undefined;
  const { t } = view;
  return {
    title: t.oauth.takeBackTitle({ name: applicationName(view, client) }),
    text: t.oauth.takeBackText,
    action: t.oauth.takeBack,
  };
};

export const ssoConfirmations: Ask = async (deps, { caller, query }, { view: { t } }) => {
  const reader = await authorizeSsoReader(deps, caller, caller.session.organizationId);
  if (!reader.ok) return undefined;
  const step = query.text("step");
  const id = uuidIn(query.text("id"));
  if (step === "remove") {
    const found = await findOrganizationDomain(deps, { caller: reader.value, domainId: id });
    const { removeText: text, removeTitle } = t.singleSignOn;
    return found.ok ? { title: removeTitle({ domain: found.value.domain }), text, action: t.common.remove } : undefined;
  }
  const { resetFactor, resetText, resetTitle, unlinkMemberText, unlinkTitle } = t.companyAccounts;
  if (step === "unlink-account") return { title: unlinkTitle, text: unlinkMemberText, action: t.security.unlink };
  if (step === "reset-factor") return { title: resetTitle, text: resetText, action: resetFactor };
  if (step === "revoke-link") {
    const { revoke, revokeText: text, revokeTitle: title } = t.ssoSetup;
    return { title, text, action: revoke };
  }
  const found = await readConnection(deps, { caller: reader.value, connectionId: id });
  if (!found.ok) return undefined;
  const { name } = found.value.connection;
  const place = connectionPath(id);
  const { deactivate, deactivateText, deactivateTitle, remove, removeText, removeTitle } = t.ssoConnections;
  switch (step) {
    case "deactivate":
      return { title: deactivateTitle({ name }), text: deactivateText, action: deactivate, place };
    case "delete":
      return { title: removeTitle({ name }), text: removeText, action: remove, typedName: name, place };
    default:
      return undefined;
  }
};

export const directoryConfirmations: Ask = async (deps, { caller: { session }, query }, { view: { t } }) => {
  const reader = await authorizeDirectoryReader(deps, session, session.organizationId);
  if (!reader.ok) return undefined;
  const { pause, pauseText, pauseTitle, remove, removeText, removeTitle } = t.provisioning;
  switch (query.text("step")) {
    case "pause":
      return { title: pauseTitle, text: pauseText, action: pause };
    case "delete":
      return { title: removeTitle, text: removeText, action: remove };
    case "revoke-key": {
      const [, id = ""] = query.text("id").split("/");
      const keys = await listKeysOfDirectory(deps, reader.value);
      const key = keys.find((each) => each.id === uuidIn(id));
      const { revokeKey, revokeKeyText, revokeKeyTitle } = t.serviceAccounts;
      return key && { title: revokeKeyTitle({ key: displayedKey(key) }), text: revokeKeyText, action: revokeKey };
    }
    default:
      return undefined;
  }
};
