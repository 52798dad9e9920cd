import type { Deps, SignInDeps } from "../../deps.ts";
import { authorizeFirstPassword, changeOwnPassword } from "../../flows/password/change.ts";
import type { Profile } from "../../models/user/profile.ts";
import { stepUpPath } from "../addresses.ts";
import { CurrentPassword } from "../components/current-password.tsx";
import { Actions, Button, Form, type FormState } from "../components/form.tsx";
import { Shell } from "../components/layout.tsx";
import { NEW_PASSWORD_ISLANDS, NewPassword } from "../components/new-password.tsx";
import { Problem } from "../components/notices.tsx";
import { type DisplayedParts, showPage } from "../html.tsx";
import { type AuthenticatedCall, authenticatedPage, type Page, seeOther, seeResult } from "../page.ts";
import { refusedForm, refusedParts } from "../problem-messages.ts";
import { findSecondFactors } from "../security/second-factors.ts";
import { type SignedInUserDeps, signedInUser } from "../signed-in-user.ts";
import { useView } from "../view.tsx";
import { REMOVE_PASSWORD } from "./remove-password.tsx";

const PATH = "/account/password";
type PageDeps = SignInDeps & SignedInUserDeps & Pick<Deps, "reads">;

function PasswordBody({ profile, state }: { readonly profile: Profile; readonly state: FormState }) {
  const { t } = useView();
  const { hasPassword } = profile;
  const title = hasPassword ? t.account.changePassword : t.account.setPassword;
  return (
    <Shell at="/account" profile={profile} below={title}>
      <h1>{title}</h1>
      <p class="soft">{hasPassword ? t.account.passwordLead : t.account.firstPasswordLead}</p>
      <div class="panel">
        <Form action={PATH} class="stack">
          <Problem state={state} />
          <input type="text" name="username" value={profile.email} autocomplete="username" hidden readOnly />
          {hasPassword && <CurrentPassword name="current_password" state={state} autofocus />}
          <NewPassword name="new_password" label={t.reset.password} state={state} />
          <Actions cancel="/account">
            <Button kind="primary">{title}</Button>
          </Actions>
        </Form>
      </div>
      {hasPassword && (
        <p>
          <a href={REMOVE_PASSWORD}>{t.account.removePassword}</a>
        </p>
      )}
    </Shell>
  );
}

/** `/account/password`: changes the password, or sets the first password after a step-up or a recent proof. */
export function accountPasswordPage(deps: PageDeps): Page {
  const show = async (call: AuthenticatedCall, state: FormState, parts: DisplayedParts = {}) => {
    const { profile, view } = await signedInUser(deps, call);
    const title = profile.hasPassword ? view.t.account.changePassword : view.t.account.setPassword;
    const body = <PasswordBody profile={profile} state={state} />;
    return showPage(view, { title, body, islands: NEW_PASSWORD_ISLANDS, ...parts });
  };
  /** A user without a factor sets the first password by a link, which is a proof of the mailbox. */
  const confirm = async (call: AuthenticatedCall, profile: Profile) => {
    const { authenticator, passkey } = await findSecondFactors(deps, call.caller.session, profile);
    return seeOther(authenticator || passkey ? stepUpPath(PATH) : "/forgot-password");
  };
  return authenticatedPage({
    path: PATH,
    async get(call) {
      const { profile } = await signedInUser(deps, call);
      if (profile.hasPassword) return await show(call, {});
      const authorized = await authorizeFirstPassword(deps, call.caller.session);
      return authorized.ok ? await show(call, {}) : await confirm(call, profile);
    },
    async post(call) {
      const { caller, form, client } = call;
      const { profile, view } = await signedInUser(deps, call);
      const currentPassword = profile.hasPassword ? form.text("current_password") : undefined;
      const newPassword = form.text("new_password");
      const outcome = await changeOwnPassword(deps, { caller: caller.session, currentPassword, newPassword, client });
      if (outcome.ok) return seeResult("/account", "password");
      const { code } = outcome.error;
      if (code === "mfa_required") return await confirm(call, profile);
      const state =
        code === "authentication_required"
          ? { errors: { current_password: view.t.account.wrongPassword } }
          : refusedForm(view, outcome.error, {}, { conflict: view.t.account.passwordMissing });
      return await show(call, state, refusedParts(outcome.error));
    },
  });
}
