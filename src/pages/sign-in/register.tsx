import type { SignInDeps } from "../../deps.ts";
import { register } from "../../flows/auth/register.ts";
import { Button, Field, Form, type FormState, Problem } from "../components/form.tsx";
import { Stage, StageHead } from "../components/layout.tsx";
import { NewPassword } from "../components/new-password.tsx";
import { type DisplayedParts, showPage } from "../html.tsx";
import { showBeforeReturn, type WaitingClientDeps } from "../oauth/waiting-application.ts";
import { type Fields, type Page, type PageCall, pathWith, publicPage, seeOther } from "../page.ts";
import { refusedForm, refusedParts } from "../problem-messages.ts";
import { carried, returnTo } from "../return-to.ts";
import { type SiteDeps, useView, viewOf } from "../view.tsx";
import { signedInTo } from "./complete.ts";

function RegisterBody({ state, to }: { readonly state: FormState; readonly to: string }) {
  const { t } = useView();
  const signIn = <a href={pathWith("/sign-in", { return_to: carried(to) })}>{t.register.signIn}</a>;
  return (
    <Stage after={[t.register.haveOne, " ", signIn]}>
      <StageHead title={t.register.title} />
      <Form action="/register">
        <Problem state={state} />
        <input type="hidden" name="return_to" value={to} />
        <Field
          name="email"
          type="email"
          label={t.common.email}
          state={state}
          autocomplete="username"
          autofocus={!state.values}
        />
        <Field name="display_name" label={t.common.yourName} state={state} autocomplete="name" optional />
        <Field
          name="organization_name"
          label={t.register.organization}
          hint={t.register.organizationHint}
          state={state}
          autocomplete="organization"
        />
        <NewPassword name="password" label={t.common.password} state={state} />
        <Button kind="primary" wide>
          {t.register.action}
        </Button>
      </Form>
    </Stage>
  );
}

const KEPT = ["email", "display_name", "organization_name"] as const;

export function registerPage(deps: SignInDeps & SiteDeps & WaitingClientDeps): Page {
  const show = (call: PageCall, fields: Fields, state: FormState, parts: DisplayedParts = {}) => {
    const to = returnTo(fields);
    return showBeforeReturn(deps, call, { view: viewOf(deps, call.client), to }, (view) => {
      const body = <RegisterBody state={state} to={to} />;
      return showPage(view, { title: view.t.register.title, body, islands: ["password"], ...parts });
    });
  };
  return publicPage({
    path: "/register",
    limit: "register",
    get: (call) => (call.caller ? seeOther(returnTo(call.query)) : show(call, call.query, {})),
    async post(call) {
      const { form, client } = call;
      const organization = {
        organizationName: form.text("organization_name"),
        organizationSlug: undefined,
        email: form.text("email"),
        password: form.text("password"),
        displayName: form.text("display_name").trim() || undefined,
      };
      const outcome = await register(deps, { organization, client });
      if (outcome.ok) {
        const to = pathWith("/verify-email", { return_to: carried(returnTo(form)) });
        return signedInTo(deps, outcome.value, to);
      }
      const view = viewOf(deps, client);
      const values = Object.fromEntries(KEPT.map((name) => [name, form.text(name)]));
      const taken = outcome.error.reason === "email_taken";
      const state = taken
        ? { values, errors: { email: view.t.register.taken } }
        : refusedForm(view, outcome.error, values);
      return show(call, form, state, refusedParts(outcome.error));
    },
  });
}
