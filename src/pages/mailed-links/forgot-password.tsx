import type { EmailDeps } from "../../deps.ts";
import { forgotPassword } from "../../flows/password/forgot.ts";
import { DevMailLink } from "../components/dev-mail-link.tsx";
import { Button, Field, Form, type FormState } from "../components/form.tsx";
import { Stage, StageHead } from "../components/layout.tsx";
import { resetReturnCookie } from "../cookies.ts";
import { type DisplayedParts, showPage } from "../html.tsx";
import { type Page, type PageCall, pathWith, publicPage, seeOther } from "../page.ts";
import { emailText, refusedParts } from "../problem-messages.ts";
import { carried, returnTo } from "../return-to.ts";
import { showBeforeReturn, type WaitingPageDeps } from "../shared/waiting-application.ts";
import { isAddress, NO_ADDRESS } from "../sign-in/address.ts";
import { type SiteDeps, useView, viewOf } from "../view.tsx";

const PATH = "/forgot-password";

/** The sign-in with the target from which the user came. */
function signInPath(to: string): string {
  return pathWith("/sign-in", { return_to: carried(to) });
}

function ForgotBody({ state, to }: { readonly state: FormState; readonly to: string }) {
  const { t } = useView();
  return (
    <Stage after={<a href={signInPath(to)}>{t.common.backToSignIn}</a>}>
      <StageHead title={t.forgot.title} icon="key" />
      <p>{t.forgot.lead}</p>
      <Form action={PATH}>
        <input type="hidden" name="return_to" value={to} />
        <Field name="email" type="email" label={t.common.email} state={state} autocomplete="username" autofocus />
        <Button kind="primary" wide busy={t.common.sending}>
          {t.forgot.action}
        </Button>
      </Form>
    </Stage>
  );
}

function SentBody({ to }: { readonly to: string }) {
  const { t } = useView();
  return (
    <Stage after={<a href={pathWith(PATH, { return_to: carried(to) })}>{t.forgot.again}</a>}>
      <StageHead title={t.forgot.sentTitle} icon="mail" />
      <p>{t.forgot.sent}</p>
      <DevMailLink />
      <a class="button wide" href={signInPath(to)}>
        {t.common.backToSignIn}
      </a>
    </Stage>
  );
}

/**
 * `/forgot-password`: the page is identical for known and unknown addresses. The target of the sign-in waits in a
 * cookie of this browser for the link of the email.
 */
export function forgotPasswordPage(deps: EmailDeps & SiteDeps & WaitingPageDeps): Page {
  const show = (call: PageCall, to: string, state: FormState, parts: DisplayedParts = {}) =>
    showBeforeReturn(deps, call, { view: viewOf(deps, call.client), to }, (view) => {
      const { title, sentTitle } = view.t.forgot;
      if (call.query.has("sent")) return showPage(view, { title: sentTitle, body: <SentBody to={to} /> });
      return showPage(view, { title, body: <ForgotBody state={state} to={to} />, ...parts });
    });
  return publicPage({
    path: PATH,
    limit: "sign_in",
    get: (call) => show(call, returnTo(call.query), {}),
    async post(call) {
      const { form, client } = call;
      const to = returnTo(form);
      const email = form.text("email").trim();
      if (isAddress(email)) {
        await forgotPassword(deps, { email, client });
        const sent = pathWith(PATH, { sent: "1", return_to: carried(to) });
        return seeOther(sent, [resetReturnCookie(deps.config, to)]);
      }
      const errors = { email: emailText(viewOf(deps, client), email) };
      return await show(call, to, { values: { email }, errors }, refusedParts(NO_ADDRESS));
    },
  });
}
