import type { SignInDeps } from "../../deps.ts";
import { changeOwnPassword } from "../../flows/password/change.ts";
import type { Profile } from "../../models/user/profile.ts";
import { Actions, Button, Field, Form, type FormState, Problem } from "../components/form.tsx";
import { Shell } from "../components/layout.tsx";
import { NewPassword } from "../components/new-password.tsx";
import { type DisplayedParts, showPage } from "../html.tsx";
import { type AuthenticatedCall, authenticatedPage, type Page, seeResult } from "../page.ts";
import { refusedForm, refusedParts } from "../problem-messages.ts";
import { type SignedInUserDeps, signedInUser } from "../signed-in-user.ts";
import { useView } from "../view.tsx";

const PATH = "/account/password";

function PasswordBody({ profile, state }: { readonly profile: Profile; readonly state: FormState }) {
  const { t } = useView();
  return (
    <Shell at="/account" profile={profile}>
      <h1>{t.account.changePassword}</h1>
      <p class="soft">{t.account.passwordLead}</p>
      <div class="panel">
        <Form action={PATH} class="stack">
          <Problem state={state} />
          <input type="text" name="username" value={profile.email} autocomplete="username" hidden readOnly />
          <Field
            name="current_password"
            type="password"
            label={t.account.currentPassword}
            state={state}
            autocomplete="current-password"
            autofocus
          />
          <NewPassword name="new_password" label={t.reset.password} state={state} />
          <Actions cancel="/account">
            <Button kind="primary">{t.account.changePassword}</Button>
          </Actions>
        </Form>
      </div>
    </Shell>
  );
}

export function accountPasswordPage(deps: SignInDeps & SignedInUserDeps): Page {
  const show = async (call: AuthenticatedCall, state: FormState, parts: DisplayedParts = {}) => {
    const { profile, view } = await signedInUser(deps, call);
    const body = <PasswordBody profile={profile} state={state} />;
    return showPage(view, { title: view.t.account.changePassword, body, islands: ["password"], ...parts });
  };
  return authenticatedPage({
    path: PATH,
    get: (call) => show(call, {}),
    async post(call) {
      const { caller, form, client } = call;
      const [currentPassword, newPassword] = [form.text("current_password"), form.text("new_password")];
      const outcome = await changeOwnPassword(deps, { caller: caller.session, currentPassword, newPassword, client });
      if (outcome.ok) return seeResult("/account", "password");
      const { view } = await signedInUser(deps, call);
      const { code } = outcome.error;
      const state =
        code === "authentication_required"
          ? { errors: { current_password: view.t.account.wrongPassword } }
          : refusedForm(view, outcome.error, {}, { conflict: view.t.account.passwordMissing });
      return await show(call, state, refusedParts(outcome.error));
    },
  });
}
