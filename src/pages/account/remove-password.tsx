import type { Refusal } from "../../base/problem.ts";
import type { SignInDeps } from "../../deps.ts";
import { authorizePasswordRemoval, removeOwnPassword } from "../../flows/password/remove.ts";
import type { Profile } from "../../models/user/profile.ts";
import { stepUpPath } from "../addresses.ts";
import { Button, Form, type FormState } from "../components/form.tsx";
import { Shell } from "../components/layout.tsx";
import { Problem } from "../components/notices.tsx";
import { LossActions } from "../components/question.tsx";
import { type DisplayedParts, showPage } from "../html.tsx";
import { type AuthenticatedCall, authenticatedPage, type Page, seeOther, seeResult } from "../page.ts";
import { refusedForm, refusedParts } from "../problem-messages.ts";
import { type SignedInUserDeps, signedInUser } from "../signed-in-user.ts";
import { useView } from "../view.tsx";

export const REMOVE_PASSWORD = "/account/password/remove";

function RemoveBody({ profile, state }: { readonly profile: Profile; readonly state: FormState }) {
  const { t } = useView();
  return (
    <Shell at="/account" profile={profile} below={t.account.removePassword}>
      <h1>{t.account.removePassword}</h1>
      <p class="soft">{t.account.removePasswordLead}</p>
      <div class="panel">
        <Form action={REMOVE_PASSWORD} class="stack">
          <Problem state={state} />
          <LossActions cancel="/account">
            <Button kind="loss">{t.account.removePassword}</Button>
          </LossActions>
        </Form>
      </div>
    </Shell>
  );
}

/** `/account/password/remove`: removes the password of a user with passkeys, after a step-up. */
export function removePasswordPage(deps: SignInDeps & SignedInUserDeps): Page {
  const show = async (call: AuthenticatedCall, state: FormState, parts: DisplayedParts = {}) => {
    const { profile, view } = await signedInUser(deps, call);
    const body = <RemoveBody profile={profile} state={state} />;
    return showPage(view, { title: view.t.account.removePassword, body, ...parts });
  };
  const refuse = async (call: AuthenticatedCall, refusal: Refusal) => {
    if (refusal.code === "mfa_required") return seeOther(stepUpPath(REMOVE_PASSWORD));
    const { view } = await signedInUser(deps, call);
    const own = { conflict: view.t.account.removePasswordNeeds };
    return await show(call, refusedForm(view, refusal, {}, own), refusedParts(refusal));
  };
  return authenticatedPage({
    path: "/account/password/remove",
    async get(call) {
      const authorized = await authorizePasswordRemoval(deps, call.caller.session);
      return authorized.ok ? await show(call, {}) : await refuse(call, authorized.error);
    },
    async post(call) {
      const { caller, client } = call;
      const authorized = await authorizePasswordRemoval(deps, caller.session);
      if (!authorized.ok) return await refuse(call, authorized.error);
      const outcome = await removeOwnPassword(deps, { caller: caller.session, client });
      return outcome.ok ? seeResult("/account", "password_removed") : await refuse(call, outcome.error);
    },
  });
}
