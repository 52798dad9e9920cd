/**
 * Actions that require the password and, if enabled, the second factor: turning off two-factor authentication, and new
 * recovery codes.
 */

import type { Refusal } from "../../base/problem.ts";
import type { Result } from "../../base/result.ts";
import type { SignInDeps } from "../../deps.ts";
import { type DisableInput, disableMfa } from "../../flows/mfa/disable.ts";
import { renewRecoveryCodes } from "../../flows/mfa/renew-recovery-codes.ts";
import { authorizeCredentialChange } from "../../flows/steps/credentials/change-credentials.ts";
import type { Reply } from "../../http/reply.ts";
import type { Profile } from "../../models/user/profile.ts";
import { stepUpPath } from "../addresses.ts";
import { CurrentPassword } from "../components/current-password.tsx";
import { Actions, Button, Form, type FormState } from "../components/form.tsx";
import { Shell } from "../components/layout.tsx";
import { Problem } from "../components/notices.tsx";
import { refusedPage } from "../error.tsx";
import { type DisplayedParts, showPage } from "../html.tsx";
import { type AuthenticatedCall, authenticatedPage, type Page, seeOther, seeResult } from "../page.ts";
import { refusedForm, refusedParts } from "../problem-messages.ts";
import { type SignedInUserDeps, signedInUser } from "../signed-in-user.ts";
import type { Texts } from "../texts/catalogue.ts";
import { useView, type View } from "../view.tsx";
import { showRecoveryCodes } from "./recovery-codes.tsx";
import { SECURITY } from "./view-model.ts";

interface Guarded {
  readonly path: string;
  readonly words: (t: Texts) => { readonly title: string; readonly lead: string; readonly action: string };
  readonly bad?: boolean;
  readonly run: (input: DisableInput) => Promise<Result<(view: View, profile: Profile) => Reply, Refusal>>;
}

interface BodyProps {
  readonly profile: Profile;
  readonly guarded: Guarded;
  readonly state: FormState;
}

function GuardedBody({ profile, guarded, state }: BodyProps) {
  const { t } = useView();
  const { title, lead, action } = guarded.words(t);
  return (
    <Shell at={SECURITY} profile={profile} below={title}>
      <h1>{title}</h1>
      <div class="panel stack">
        <p>{lead}</p>
        <Form action={guarded.path} class="stack">
          <Problem state={state} />
          <input type="text" name="username" value={profile.email} autocomplete="username" hidden readOnly />
          <CurrentPassword
            label={t.common.password}
            state={state}
            aside={!profile.hasPassword && <a href="/forgot-password">{t.account.setPassword}</a>}
            autofocus
          />
          <Actions cancel={SECURITY}>
            <Button kind={guarded.bad ? "loss" : "primary"}>{action}</Button>
          </Actions>
        </Form>
      </div>
    </Shell>
  );
}

function guardedPage(deps: SignedInUserDeps, guarded: Guarded): Page {
  const show = async (call: AuthenticatedCall, state: FormState, parts: DisplayedParts = {}) => {
    const { profile, view } = await signedInUser(deps, call);
    const body = <GuardedBody profile={profile} guarded={guarded} state={state} />;
    return showPage(view, { title: guarded.words(view.t).title, body, islands: ["password"], ...parts });
  };
  const refuse = async (call: AuthenticatedCall, refusal: Refusal) => {
    if (refusal.code === "mfa_required") return seeOther(stepUpPath(guarded.path));
    const { view } = await signedInUser(deps, call);
    return refusedPage(view, refusal);
  };
  return authenticatedPage({
    path: guarded.path,
    async get(call) {
      const authorized = await authorizeCredentialChange(deps, call.caller.session);
      return authorized.ok ? await show(call, {}) : await refuse(call, authorized.error);
    },
    async post(call) {
      const caller = call.caller.session;
      const authorized = await authorizeCredentialChange(deps, caller);
      if (!authorized.ok) return await refuse(call, authorized.error);
      const password = call.form.text("password");
      const outcome = await guarded.run({ caller, authorized: authorized.value, password, client: call.client });
      const { profile, view } = await signedInUser(deps, call);
      if (outcome.ok) return outcome.value(view, profile);
      const { code } = outcome.error;
      if (code === "mfa_required") return await refuse(call, outcome.error);
      const state =
        code === "authentication_required"
          ? { errors: { password: view.t.account.wrongPassword } }
          : refusedForm(view, outcome.error, {}, { conflict: view.t.security.needsPassword });
      return await show(call, state, refusedParts(outcome.error));
    },
  });
}

/** `/account/security/authenticator/off`. */
export function authenticatorOffPage(deps: SignInDeps & SignedInUserDeps): Page {
  return guardedPage(deps, {
    path: "/account/security/authenticator/off",
    words: (t) => t.turnOff,
    bad: true,
    async run(input) {
      const outcome = await disableMfa(deps, input);
      return outcome.ok ? { ok: true, value: () => seeResult(SECURITY, "factor_off") } : outcome;
    },
  });
}

/** `/account/security/recovery-codes`: replaces the recovery codes. */
export function newRecoveryCodesPage(deps: SignInDeps & SignedInUserDeps): Page {
  return guardedPage(deps, {
    path: "/account/security/recovery-codes",
    words: (t) => t.newCodes,
    async run(input) {
      const outcome = await renewRecoveryCodes(deps, input);
      if (!outcome.ok) return outcome;
      return {
        ok: true,
        value: (view, profile) => showRecoveryCodes(view, { profile, codes: outcome.value, done: "codes_renewed" }),
      };
    },
  });
}
