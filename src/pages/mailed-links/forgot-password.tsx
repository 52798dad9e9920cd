import { invalidInput } from "../../base/invalid-input.ts";
import type { EmailDeps } from "../../deps.ts";
import { forgotPassword } from "../../flows/password/forgot.ts";
import { DevMailLink } from "../components/dev-mail-link.tsx";
import { Button, Field, Form, type FormState } from "../components/form.tsx";
import { Stage, StageHead } from "../components/layout.tsx";
import { showPage } from "../html.tsx";
import { type Page, publicPage, seeOther } from "../page.ts";
import { refusedParts } from "../problem-messages.ts";
import { type SiteDeps, useView, viewOf } from "../view.tsx";

function ForgotBody({ state }: { readonly state: FormState }) {
  const { t } = useView();
  return (
    <Stage after={<a href="/sign-in">{t.common.backToSignIn}</a>}>
      <StageHead title={t.forgot.title} icon="key" />
      <p>{t.forgot.lead}</p>
      <Form action="/forgot-password">
        <Field name="email" type="email" label={t.common.email} state={state} autocomplete="username" autofocus />
        <Button kind="primary" wide busy={t.common.sending}>
          {t.forgot.action}
        </Button>
      </Form>
    </Stage>
  );
}

function SentBody() {
  const { t } = useView();
  return (
    <Stage after={<a href="/forgot-password">{t.forgot.again}</a>}>
      <StageHead title={t.forgot.sentTitle} icon="mail" />
      <p>{t.forgot.sent}</p>
      <DevMailLink />
      <a class="button wide" href="/sign-in">
        {t.common.backToSignIn}
      </a>
    </Stage>
  );
}

const NO_ADDRESS = invalidInput("email", "format", "not an e-mail address");

/** `/forgot-password`: the page is identical for known and unknown addresses. */
export function forgotPasswordPage(deps: EmailDeps & SiteDeps): Page {
  return publicPage({
    path: "/forgot-password",
    limit: "sign_in",
    get({ query, client }) {
      const view = viewOf(deps, client);
      const { title, sentTitle } = view.t.forgot;
      if (query.has("sent")) return showPage(view, { title: sentTitle, body: <SentBody /> });
      return showPage(view, { title, body: <ForgotBody state={{}} /> });
    },
    async post({ form, client }) {
      const email = form.text("email").trim();
      if (/^[^@\s]+@[^@\s]+$/.test(email)) {
        await forgotPassword(deps, { email, client });
        return seeOther("/forgot-password?sent=1");
      }
      const view = viewOf(deps, client);
      const body = <ForgotBody state={{ values: { email }, errors: { email: view.t.problems.email } }} />;
      return showPage(view, { title: view.t.forgot.title, body, ...refusedParts(NO_ADDRESS) });
    },
  });
}
