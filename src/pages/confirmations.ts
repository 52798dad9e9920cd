/** Confirmations of destructive actions. Each confirmation names the object of the form, which is read by id. */
import type { Deps, StoreDeps } from "../deps.ts";
import { findOrganizationDomain } from "../flows/organization-domains/manage.ts";
import { readConnection } from "../flows/sso-connections/read.ts";
import { authorizeSsoReader } from "../flows/steps/authorization/authorize-sso.ts";
import type { Question } from "./components/question.tsx";
import { type AuthenticatedCall, uuidIn } from "./page.ts";
import type { SignedInUser } from "./signed-in-user.ts";
import { connectionPath } from "./single-sign-on/paths.ts";

/** Undefined for an unknown step, and for an unknown `id`. */
export type Ask = (
  deps: StoreDeps & Pick<Deps, "reads">,
  call: AuthenticatedCall,
  who: SignedInUser,
) => Promise<Question | undefined>;

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
  const { takeOver, takeOverText, takeOverTitle } = t.ssoConnections;
  switch (step) {
    case "take-over": {
      const version = query.text("version");
      return { title: takeOverTitle({ name }), text: takeOverText, action: takeOver, place, version, harmless: true };
    }
    case "deactivate":
      return { title: deactivateTitle({ name }), text: deactivateText, action: deactivate, place };
    case "delete":
      return { title: removeTitle({ name }), text: removeText, action: remove, typedName: name, place };
    default:
      return undefined;
  }
};
