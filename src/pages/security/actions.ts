/** The actions of `/account/security`. */
import { NAME_RULE, normalizeName } from "../../base/display-name.ts";
import { invalidInput } from "../../base/invalid-input.ts";
import type { Refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Deps, SignInDeps } from "../../deps.ts";
import { deleteOwnPasskey } from "../../flows/passkeys/delete.ts";
import { listOwnPasskeys } from "../../flows/passkeys/list.ts";
import { renameOwnPasskey } from "../../flows/passkeys/rename.ts";
import { renameOwnSession } from "../../flows/sessions/rename.ts";
import { mayRevokeKeys, revokeOwnSession, revokeOwnSessions } from "../../flows/sessions/revoke.ts";
import { revokeOwnTrustedBrowser } from "../../flows/trusted-browsers/revoke.ts";
import { PAGE_SIZE_MAX } from "../../limits/limits.ts";
import { type ActionInput, actionsOf, ownAccount } from "../action.ts";
import type { Fields } from "../fields.ts";
import { type PageReply, seeOther, seeResult, uuidIn } from "../page.ts";
import { localPath } from "../return-to.ts";
import { type CompanyAccountDeps, linkCompanyAccount } from "./company-account.tsx";
import { listCompanyAccounts, unlinkCompanyAccount } from "./company-account-actions.ts";
import { linkProvider } from "./link-provider.tsx";
import { ALL_PASSKEYS, removePasskeyTitle, SECURITY } from "./view-model.ts";

export interface SecurityInput extends ActionInput {
  readonly deps: SignInDeps & CompanyAccountDeps & Pick<Deps, "reads">;
}

const { action, confirmed } = actionsOf<SecurityInput>();

/** The end of a set-up, which continues the action that asked for the factor. */
function resume(fields: Fields, result: string): PageReply {
  const next = localPath(fields.text("return_to"));
  return next === undefined ? seeResult(SECURITY, result) : seeOther(next);
}

/** Displays the result of the ceremony of the browser. */
export const passkeyAdded = action({
  step: "passkey-added",
  may: ownAccount,
  run: () => ok(undefined),
  done: ["passkey_added", ({ t }) => t.security.passkeyAdded],
  reply: ({ fields }) => resume(fields, "passkey_added"),
});

/** The user has stored the recovery codes of a new app, or new codes. */
export const codesStored = action({
  step: "codes-stored",
  may: ownAccount,
  run: () => ok(undefined),
  done: ["codes_renewed", ({ t }) => t.security.codesRenewed],
  reply: ({ fields }) => resume(fields, fields.text("done") === "factor_on" ? "factor_on" : "codes_renewed"),
});

export const renamePasskey = action({
  step: "rename-passkey",
  may: ownAccount,
  run: async ({ deps, caller, fields, id }) => {
    const name = normalizeName(fields.text("name"));
    return name === undefined ? err(BAD_NAME) : await renameOwnPasskey(deps, { caller, id, name });
  },
  done: ["passkey_renamed", ({ t }) => t.security.passkeyRenamed],
});

export const deletePasskey = confirmed({
  step: "delete-passkey",
  may: ownAccount,
  async question({ deps, caller, id, view }) {
    const { items } = await listOwnPasskeys(deps, { caller, page: ALL_PASSKEYS });
    const passkey = items.find((each) => each.id === id);
    const { common, security } = view.t;
    return (
      passkey && { title: removePasskeyTitle(view, passkey), text: security.removePasskeyText, action: common.remove }
    );
  },
  run: ({ deps, caller, client, id }) => deleteOwnPasskey(deps, { caller, client, id }),
  done: ["passkey_removed", ({ t }) => t.security.passkeyRemoved],
});

export const renameSession = action({
  step: "rename-session",
  may: ownAccount,
  run: async ({ deps, caller, fields }) => {
    const name = normalizeName(fields.text("name"));
    if (name === undefined) return err(BAD_NAME);
    return await forEachId(fields, (id) => renameOwnSession(deps, { caller, id, name }));
  },
  done: ["session_renamed", ({ t }) => t.security.sessionRenamed],
});

export const revokeSession = action({
  step: "revoke-session",
  may: ownAccount,
  run: ({ deps, caller, client, fields }) =>
    forEachId(fields, (sessionId) => revokeOwnSession(deps, { caller, client, sessionId })),
  done: ["session", ({ t }) => t.security.sessionEnded],
});

export const revokeSessions = confirmed({
  step: "revoke-sessions",
  may: ownAccount,
  async question({ deps, caller, view: { t } }) {
    const { endApplications, endOthers, endOthersText, revokeKeys } = t.security;
    const keys = (await mayRevokeKeys(deps, caller)) ? [{ name: "revoke_api_keys", label: revokeKeys }] : [];
    const choices = [{ name: "end_applications", label: endApplications }, ...keys];
    return { title: endOthers, text: endOthersText, action: endOthers, choices };
  },
  run({ deps, caller, client, fields }) {
    const endApplications = fields.text("end_applications") === "yes";
    const revokeKeys = fields.text("revoke_api_keys") === "yes";
    return revokeOwnSessions(deps, { caller, client, exceptCurrent: true, endApplications, revokeKeys });
  },
  done: ["sessions", ({ t }) => t.security.sessionsEnded],
});

export const forgetBrowser = action({
  step: "forget-browser",
  may: ownAccount,
  run: ({ deps, caller, client, id }) => revokeOwnTrustedBrowser(deps, { caller, client, id, trustToken: undefined }),
  done: ["browser", ({ t }) => t.security.browserRemoved],
});

export const unlinkCompany = confirmed({
  step: "unlink-company",
  may: ownAccount,
  async question({ deps, caller, id, view: { t } }) {
    const accounts = await listCompanyAccounts(deps, caller);
    const { unlinkText, unlinkTitle } = t.companyAccounts;
    const isLinked = accounts.some((each) => each.id === id);
    return isLinked ? { title: unlinkTitle, text: unlinkText, action: t.security.unlink } : undefined;
  },
  run: ({ deps, caller, client, id }) => unlinkCompanyAccount(deps, caller, { id, client }),
  done: ["company_unlinked", ({ t }) => t.companyAccounts.unlinked],
});

/** Continues at the identity provider of the company. */
export const linkCompany = action({
  step: "link-company",
  may: ownAccount,
  run: () => ok(undefined),
  reply: ({ deps, call }) => linkCompanyAccount(deps, call),
});

/** Continues at the provider. */
export const linkToProvider = action({
  step: "link-provider",
  may: ownAccount,
  run: () => ok(undefined),
  reply: ({ deps, call }) => linkProvider(deps, call),
});

export const securityActions = {
  ...{ passkeyAdded, renamePasskey, deletePasskey, codesStored },
  ...{ renameSession, revokeSession, revokeSessions, forgetBrowser },
  ...{ linkCompany, unlinkCompany, linkToProvider },
};

const BAD_NAME = invalidInput("name", "format", NAME_RULE);

/** Acts on the sessions of one device, one after the other, up to the first refusal. */
async function forEachId(
  fields: Fields,
  work: (id: string) => Promise<Result<unknown, Refusal>>,
): Promise<Result<void, Refusal>> {
  for (const id of fields.all("id").slice(0, PAGE_SIZE_MAX)) {
    const outcome = await work(uuidIn(id));
    if (!outcome.ok) return outcome;
  }
  return ok(undefined);
}
