/** The actions of `/account/delete`. */
import { invalidInput } from "../../base/invalid-input.ts";
import type { Refusal } from "../../base/problem.ts";
import { err, ok } from "../../base/result.ts";
import type { Deps, SignInDeps } from "../../deps.ts";
import { requestOwnDeletion } from "../../flows/deletions/request-own.ts";
import { requestEmailCode } from "../../flows/email-otp/request.ts";
import { clearedCookies } from "../../http/cookies.ts";
import type { Profile } from "../../models/user/profile.ts";
import { type ActionInput, actionsOf, ownAccount } from "../action.ts";
import type { FormState } from "../components/form.tsx";
import { seeResult } from "../page.ts";
import { refusedForm } from "../problem-messages.ts";
import type { SignedInUserDeps } from "../signed-in-user.ts";
import type { View } from "../view.tsx";

export interface DeletionInput extends ActionInput {
  readonly deps: SignInDeps & SignedInUserDeps & Pick<Deps, "reads">;
}

const { action } = actionsOf<DeletionInput>();
const OTHER_ADDRESS = invalidInput("email", "incorrect", "The address is not the address of the account.");

/** The confirmation of a user without a password. */
export const mailDeletionCode = action({
  step: "code",
  may: ownAccount,
  async run({ deps, caller, client, user }) {
    const { profile } = await user();
    const tenants = { organizationId: caller.organizationId };
    await requestEmailCode(deps, { email: profile.email, tenants, client });
    return ok(undefined);
  },
  done: ["code", ({ t }) => t.deleteAccount.codeSent],
});

/** Ends every session of the user. */
export const deleteAccount = action({
  step: "delete",
  may: ownAccount,
  async run({ deps, call: { caller }, client, fields, user }) {
    const { profile } = await user();
    if (fields.text("email").trim().toLowerCase() !== profile.email) return err(OTHER_ADDRESS);
    const [password, code] = [fields.text("password") || undefined, fields.text("code") || undefined];
    return await requestOwnDeletion(deps, { caller: caller.session, password, code, client });
  },
  reply({ deps: { config } }) {
    const result = config.accountDeletionDays === 0 ? "account_erased" : "account_deleted";
    return seeResult("/sign-in", result, clearedCookies(config));
  },
  refused: ({ fields, profile, view }, refusal) => stateOf(view, refusal, profile, { email: fields.text("email") }),
});

export const deletionActions = { mailDeletionCode, deleteAccount };

function stateOf(view: View, refusal: Refusal, profile: Profile, values: Readonly<Record<string, string>>): FormState {
  const { deleteAccount: t, account } = view.t;
  const { code, reason, organizations = [] } = refusal;
  const names = () => view.dates.list(organizations.map(({ name }) => name));
  if (reason === "last_owner") return { values, problem: t.lastOwner({ names: names() }) };
  if (reason === "break_glass") return { values, problem: t.breakGlass({ names: names() }) };
  if (reason === "last_platform_owner") return { values, problem: t.lastPlatformOwner };
  if (code !== "authentication_required") return refusedForm(view, refusal, values, {}, { email: t.wrongEmail });
  return {
    values,
    errors: profile.hasPassword ? { password: account.wrongPassword } : { code: t.wrongCode },
  };
}
