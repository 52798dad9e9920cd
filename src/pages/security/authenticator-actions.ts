/** The actions of `/account/security/authenticator`. */
import { typedDigits } from "../../base/typed-code.ts";
import type { SignInDeps } from "../../deps.ts";
import type { MfaSetup } from "../../flows/mfa/setup.ts";
import { enableFactor } from "../../flows/sso/factor/enable.ts";
import { setUpFactor } from "../../flows/sso/factor/setup.ts";
import type { Reply } from "../../http/reply.ts";
import { type ActionInput, actionsOf, ownAccount } from "../action.ts";
import type { FormState } from "../components/form.tsx";
import type { Fields } from "../page.ts";
import { refusedForm } from "../problem-messages.ts";
import { localPath } from "../return-to.ts";
import type { SignedInUserDeps } from "../signed-in-user.ts";
import { showRecoveryCodes } from "./recovery-codes.tsx";

/** The displayed secret, with the form of the first code. */
export interface SetupState {
  readonly setup: MfaSetup;
  readonly state: FormState;
}

export interface AuthenticatorInput extends ActionInput {
  readonly deps: SignInDeps & SignedInUserDeps;
  readonly display: (state: SetupState) => Promise<Reply>;
}

const { action } = actionsOf<AuthenticatorInput, SetupState>();

export const beginSetup = action({
  step: "begin",
  may: ownAccount,
  run: ({ deps, caller }) => setUpFactor(deps, caller, "recent"),
  reply: ({ display }, setup) => display({ setup, state: {} }),
});

/** Displays the recovery codes once. */
export const enableAuthenticator = action({
  step: "enable",
  may: ownAccount,
  run: ({ deps, caller, client, fields }) =>
    enableFactor(deps, {
      caller,
      code: typedDigits(fields.text("code")),
      password: fields.text("password") || undefined,
      client,
    }),
  async reply({ caller, fields, user }, codes) {
    const { profile, view } = await user();
    const [to, isBound] = [returnPathIn(fields), caller.organizationBound];
    return showRecoveryCodes(view, { profile, codes, done: "factor_on", to, isBound });
  },
  async refused({ deps, call, view }, refusal) {
    // A repeated form: the response with the recovery codes was not displayed.
    if (refusal.code === "conflict") return undefined;
    const state =
      refusal.code === "authentication_required"
        ? { errors: { password: view.t.account.wrongPassword } }
        : refusedForm(view, refusal, {});
    const setup = await setUpFactor(deps, call.caller.session, "recent");
    return setup.ok ? { setup: setup.value, state } : undefined;
  },
});

export const authenticatorActions = { beginSetup, enableAuthenticator };

/** The return path that `/step-up` passes on; undefined for a set-up that the user began at `/account/security`. */
export function returnPathIn(fields: Fields): string | undefined {
  return localPath(fields.text("return_to"));
}
