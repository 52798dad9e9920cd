import type { SignInDeps } from "../../deps.ts";
import { login } from "../../flows/auth/login.ts";
import { listSignInProviders } from "../../flows/social-sign-in/start.ts";
import { clearedMfaCookie, TRUST_COOKIE } from "../../http/cookies.ts";
import { Button, Field, Form, type FormState, PasskeyError, Problem } from "../components/form.tsx";
import { Stage, StageHead } from "../components/layout.tsx";
import { type WaitingSignIn, waitingSignIn } from "../cookies.ts";
import { type DisplayedParts, showPage } from "../html.tsx";
import { showBeforeReturn, type WaitingClientDeps } from "../oauth/waiting-application.ts";
import { type Fields, type Page, type PageCall, pathWith, publicPage, seeOther, textAt } from "../page.ts";
import { refusedForm, refusedParts } from "../problem-messages.ts";
import { carried, returnTo } from "../return-to.ts";
import { type SiteDeps, useView, type View, viewOf } from "../view.tsx";
import { afterFirstFactor, CHALLENGE } from "./complete.ts";
import { ProviderButtons } from "./provider-buttons.tsx";

type PageDeps = SignInDeps & SiteDeps & WaitingClientDeps;

/** The refused passwords of this form, for the offer of a reset alone: the limits are counted elsewhere. */
const ATTEMPTS = "attempts";
const ATTEMPTS_BEFORE_RESET = 3;

interface BodyProps {
  readonly state: FormState;
  readonly to: string;
  readonly providers: readonly string[];
}

function SignInBody({ state, to, providers }: BodyProps) {
  const { t, site } = useView();
  const { routePrefix } = site.config.urls;
  const attempts = Number(state.values?.[ATTEMPTS] ?? 0);
  const register = <a href={pathWith("/register", { return_to: carried(to) })}>{t.signIn.register}</a>;
  return (
    <Stage after={[t.signIn.newHere, " ", register]}>
      <StageHead title={t.signIn.title} />
      <Form action="/sign-in" data-passkey={routePrefix} data-return-to={to}>
        <input type="hidden" name="return_to" value={to} />
        <PasskeyError failed={t.signIn.passkeyFailed} />
        <Problem state={state} />
        <Field
          name="email"
          type="email"
          label={t.common.email}
          autocomplete="username webauthn"
          state={state}
          autofocus={!state.values?.email}
        />
        <Field
          name="password"
          type="password"
          label={t.common.password}
          autocomplete="current-password"
          state={state}
          autofocus={state.values?.email !== undefined && state.values.email !== ""}
          aside={<a href="/forgot-password">{t.signIn.forgot}</a>}
        />
        {attempts > 0 && <input type="hidden" name={ATTEMPTS} value={attempts} />}
        <Button kind="primary" wide busy={t.signIn.busy}>
          {t.signIn.action}
        </Button>
        {attempts >= ATTEMPTS_BEFORE_RESET && (
          <a class="button wide" href="/forgot-password">
            {t.signIn.resetPassword}
          </a>
        )}
        <p class="or">{t.common.or}</p>
        <button class="button wide scripted" type="button" data-passkey-button>
          {t.signIn.passkey}
        </button>
        <Button wide formaction="/sign-in/code" unchecked name="step" value="send">
          {t.signIn.mailCode}
        </Button>
        <ProviderButtons providers={providers} to={to} />
      </Form>
    </Stage>
  );
}

/**
 * Whether the waiting second-factor sign-in matches the request: false for another return path, and for a new sign-in.
 */
function isSame(waiting: WaitingSignIn, query: Fields): boolean {
  if (query.has("over") || query.has("again")) return false;
  return !query.has("return_to") || returnTo(query) === waiting.returnTo;
}

/** Results of pages that redirect here. */
function resultOf({ t }: View, done: string): string | undefined {
  const texts = {
    reset: t.signIn.afterReset,
    verified: t.signIn.afterVerified,
    expired: t.challenge.expired,
    signed_out: t.signOut.done,
    left: t.team.left,
    joined: t.signIn.afterJoined,
  };
  return textAt(texts, done);
}

/** The message of a failed social sign-in: `?error=<code>` (docs/contract.md, section 16.3). */
function socialProblem({ t }: View, code: string): FormState {
  if (!code) return {};
  return { problem: code === "conflict" ? t.signIn.socialConflict : t.signIn.socialFailed };
}

export function signInPage(deps: PageDeps): Page {
  const show = (call: PageCall, fields: Fields, state: FormState, parts: DisplayedParts = {}) => {
    const to = returnTo(fields);
    return showBeforeReturn(deps, call, { view: viewOf(deps, call.client), to }, (view) => {
      const done = resultOf(view, call.result);
      const body = <SignInBody state={state} to={to} providers={listSignInProviders(deps)} />;
      return showPage(view, {
        title: view.t.signIn.title,
        body,
        done,
        islands: ["passkey-sign-in", "password"],
        ...parts,
      });
    });
  };
  return publicPage({
    path: "/sign-in",
    limit: "sign_in",
    get(call) {
      const { caller, query, cookies, client } = call;
      if (caller && !query.has("again")) return seeOther(returnTo(query));
      const waiting = waitingSignIn(cookies);
      // The fragment of the redirect replaces the fragment with the mfa_token (docs/contract.md, section 16.3).
      if (waiting && isSame(waiting, query)) return seeOther(`${CHALLENGE}#code`);
      const view = viewOf(deps, client);
      const cleared = waiting || query.has("over") ? [clearedMfaCookie(deps.config)] : [];
      const hint = query.text("login_hint");
      const state = socialProblem(view, query.text("error"));
      return show(call, query, hint ? { ...state, values: { email: hint } } : state, { cookies: cleared });
    },
    async post(call) {
      const { form, cookies, client } = call;
      const email = form.text("email");
      const outcome = await login(deps, {
        email,
        password: form.text("password"),
        organizationId: undefined,
        trustToken: cookies[TRUST_COOKIE],
        admission: undefined,
        client,
      });
      if (outcome.ok) return afterFirstFactor(deps, outcome.value, returnTo(form));
      const view = viewOf(deps, client);
      const own = { authentication_required: view.t.signIn.wrong };
      const attempts = String((Math.trunc(Number(form.text(ATTEMPTS))) || 0) + 1);
      const state = refusedForm(view, outcome.error, { email, [ATTEMPTS]: attempts }, own);
      return show(call, form, state, refusedParts(outcome.error));
    },
  });
}
