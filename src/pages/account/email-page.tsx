import type { Refusal } from "../../base/problem.ts";
import { authorizeCredentialChange } from "../../flows/steps/credentials/change-credentials.ts";
import type { Profile } from "../../models/user/profile.ts";
import { type ActionPage, actionPage, shellFrame } from "../action-page.tsx";
import { stepUpPath } from "../addresses.ts";
import { CurrentPassword } from "../components/current-password.tsx";
import { Actions, Button, Field, Form } from "../components/form.tsx";
import { Shell } from "../components/layout.tsx";
import { Problem } from "../components/notices.tsx";
import { asksStepUp } from "../components/step-up-again.tsx";
import { refusedPage } from "../error.tsx";
import { type DisplayedParts, showPage } from "../html.tsx";
import { type Page, pathWith, seeOther } from "../page.ts";
import { refusedParts } from "../problem-messages.ts";
import { signedInUser } from "../signed-in-user.ts";
import { useView } from "../view.tsx";
import { ACCOUNT } from "./account-actions.ts";
import { type EmailForm, type EmailInput, emailActions, emailFormOf, emailState } from "./email-actions.ts";
import { EMAILS } from "./own-emails.ts";

interface BodyProps {
  readonly profile: Profile;
  readonly form: EmailForm;
}

function EmailBody({ profile, form: { spec, address, state } }: BodyProps) {
  const { t } = useView();
  const { title, lead, action } = spec.texts(t, address?.email ?? "");
  return (
    <Shell at={ACCOUNT} profile={profile} below={title}>
      <h1>{title}</h1>
      <p class="soft">{lead}</p>
      <div class="panel">
        <Form action={EMAILS} class="stack">
          <Problem state={state} />
          <input type="hidden" name="id" value={address?.id ?? ""} />
          {!address && (
            <Field name="email" type="email" label={t.emails.address} state={state} autocomplete="email" autofocus />
          )}
          {profile.hasPassword && <CurrentPassword state={state} autofocus={address !== undefined} />}
          <Actions cancel={`${ACCOUNT}#emails`}>
            <Button kind={spec.button} name="step" value={spec.step}>
              {action}
            </Button>
          </Actions>
        </Form>
      </div>
    </Shell>
  );
}

const PAGE: ActionPage<EmailInput, EmailForm> = {
  frame: {
    ...shellFrame(ACCOUNT),
    refuse: (_, { view }, refusal, own, place) =>
      asksStepUp(refusal) ? seeOther(stepUpPath(place)) : refusedPage(view, refusal, own),
  },
  actions: emailActions,
  place: () => EMAILS,
  show,
};

/** `/account/email`: requests an address, makes an address the primary address, and removes an address. */
export function accountEmailPage(deps: EmailInput["deps"]): Page {
  return actionPage(deps, PAGE, {
    path: EMAILS,
    servesUnverified: true,
    async get(call) {
      const form = await emailFormOf({ deps, call });
      if (!form) return seeOther(ACCOUNT);
      const authorized = await authorizeCredentialChange(deps, call.caller.session);
      return authorized.ok ? await show({ deps, call }, form) : await refuse({ deps, call }, form, authorized.error);
    },
  });
}

/** A user who may change no address now sees the form with the reason, or steps up first. */
async function refuse({ deps, call }: EmailInput, form: EmailForm, refusal: Refusal) {
  const { spec, address } = form;
  if (asksStepUp(refusal)) return seeOther(stepUpPath(pathWith(EMAILS, { step: spec.step, id: address?.id })));
  const state = emailState(await signedInUser(deps, call), call.form, refusal);
  return await show({ deps, call }, { ...form, state }, refusedParts(refusal));
}

async function show({ deps, call }: EmailInput, form: EmailForm, parts: DisplayedParts = {}) {
  const { profile, view } = await signedInUser(deps, call);
  const { title } = form.spec.texts(view.t, form.address?.email ?? "");
  return showPage(view, { title, body: <EmailBody profile={profile} form={form} />, islands: ["password"], ...parts });
}
