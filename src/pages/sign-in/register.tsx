import type { SignInDeps } from "../../deps.ts";
import { register } from "../../flows/auth/register.ts";
import { listSignInProviders } from "../../flows/social-sign-in/start.ts";
import { Button, Field, Form, type FormState } from "../components/form.tsx";
import { Stage, StageHead } from "../components/layout.tsx";
import { NEW_PASSWORD_ISLANDS, NewPassword } from "../components/new-password.tsx";
import { Problem } from "../components/notices.tsx";
import { type DisplayedParts, showPage } from "../html.tsx";
import { type Fields, type Page, type PageCall, pathWith, publicPage, seeOther } from "../page.ts";
import { type FieldTexts, refusedForm, refusedParts } from "../problem-messages.ts";
import { carried, returnTo } from "../return-to.ts";
import { showBeforeReturn, tenantsOf, type WaitingPageDeps, waitingClient } from "../shared/waiting-application.ts";
import { type SiteDeps, useView, type View, viewOf } from "../view.tsx";
import { signedInTo } from "./complete.ts";
import { ProviderButtons } from "./provider-buttons.tsx";

interface BodyProps {
  readonly state: FormState;
  readonly to: string;
  readonly providers: readonly string[];
  /** False: users register without a team. */
  readonly asksOrganization: boolean;
}

function RegisterBody({ state, to, providers, asksOrganization }: BodyProps) {
  const { t } = useView();
  const signIn = <a href={pathWith("/sign-in", { return_to: carried(to) })}>{t.register.signIn}</a>;
  return (
    <Stage after={[t.register.haveOne, " ", signIn]}>
      <StageHead title={t.register.title} />
      <Form action="/register" novalidate>
        <Problem state={state} />
        <ProviderButtons providers={providers} to={to} />
        {providers.length > 0 && <p class="or">{t.common.or}</p>}
        <input type="hidden" name="return_to" value={to} />
        <Field
          name="email"
          type="email"
          label={t.common.email}
          state={state}
          autocomplete="username"
          autofocus={!state.values}
        />
        <NewPassword name="password" label={t.common.password} state={state} />
        <Field name="display_name" label={t.common.yourName} state={state} autocomplete="name" optional />
        {asksOrganization && (
          <Field
            name="organization_name"
            label={t.register.organization}
            hint={t.register.organizationHint}
            state={state}
            autocomplete="organization"
          />
        )}
        <Button kind="primary" wide busy={t.register.busy}>
          {t.register.action}
        </Button>
        <Policies />
      </Form>
    </Stage>
  );
}

/** The terms and the privacy policy of the brand. */
function Policies() {
  const { t, brand } = useView();
  const { terms, privacy } = brand;
  if (!terms && !privacy) return null;
  return (
    <p class="soft">
      {t.register.accept} {terms && <a href={terms}>{t.register.terms}</a>}
      {terms && privacy && " · "}
      {privacy && <a href={privacy}>{t.register.privacy}</a>}
    </p>
  );
}

const KEPT = ["email", "display_name", "organization_name"] as const;

/** The messages of empty fields; a field with a value has the message of the broken rule. */
function missingTexts({ t }: View, form: Fields): FieldTexts {
  const texts = {
    email: t.problems.emailMissing,
    password: t.problems.passwordMissing,
    organization_name: t.register.organizationMissing,
  };
  return Object.fromEntries(Object.entries(texts).filter(([name]) => form.text(name).trim() === ""));
}

const FIELDS = ["email", "password", "display_name", "organization_name"] as const;

/** Orders the problems as the form orders its fields: the first wrong field has the focus. */
function inOrder(state: FormState): FormState {
  const errors = state.errors ?? {};
  const ordered = FIELDS.flatMap((name) => (errors[name] === undefined ? [] : [[name, errors[name]] as const]));
  return { ...state, errors: Object.fromEntries(ordered) };
}

export function registerPage(deps: SignInDeps & SiteDeps & WaitingPageDeps): Page {
  const show = (call: PageCall, fields: Fields, state: FormState, parts: DisplayedParts = {}) => {
    const to = returnTo(fields);
    return showBeforeReturn(deps, call, { view: viewOf(deps, call.client), to }, (view, application) => {
      const asksOrganization = deps.registration.settings(application?.registration).mode !== "personal";
      const providers = listSignInProviders(deps);
      const body = <RegisterBody state={state} to={to} providers={providers} asksOrganization={asksOrganization} />;
      return showPage(view, { title: view.t.register.title, body, islands: NEW_PASSWORD_ISLANDS, ...parts });
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
      const application = await waitingClient(deps, returnTo(form));
      const tenants = tenantsOf(application);
      const outcome = await register(deps, { organization, tenants, application, client });
      if (outcome.ok) {
        const to = pathWith("/verify-email", { return_to: carried(returnTo(form)) });
        return signedInTo(deps, outcome.value, to);
      }
      const view = viewOf(deps, client);
      const values = Object.fromEntries(KEPT.map((name) => [name, form.text(name)]));
      const taken = outcome.error.reason === "email_taken";
      const state = taken
        ? { values, errors: { email: view.t.register.taken } }
        : inOrder(refusedForm(view, outcome.error, values, {}, missingTexts(view, form)));
      return show(call, form, state, refusedParts(outcome.error));
    },
  });
}
