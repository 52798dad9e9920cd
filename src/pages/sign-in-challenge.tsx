import type { Deps } from "../deps.ts";
import { type ChallengeDeps, challenge } from "../flows/mfa/challenge.ts";
import { authorizeCredentialChange } from "../flows/steps/change-credentials.ts";
import type { SignedIn } from "../flows/steps/complete-sign-in.ts";
import { createTrustedBrowser } from "../flows/trusted-browsers/create.ts";
import { pagesTrustCookie, TRUST_COOKIE, trustCookie } from "../http/cookies.ts";
import { CHALLENGE, signedInTo } from "./complete-sign-in.ts";
import { Button, Field, Form, type FormState, Problem } from "./components/form.tsx";
import { Stage } from "./components/layout.tsx";
import { waitingSignIn } from "./cookies.ts";
import { type ShownParts, showPage } from "./html.tsx";
import { type Page, type PageCall, publicPage, seeOther } from "./page.ts";
import { refusedForm, refusedParts } from "./sentences.ts";
import { type SiteDeps, useView, type View, viewOf } from "./view.tsx";

type PageDeps = ChallengeDeps & SiteDeps & Pick<Deps, "database" | "revocations">;

interface BodyProps {
  readonly state: FormState;
  readonly recovery: boolean;
}

function ChallengeBody({ state, recovery }: BodyProps) {
  const { t } = useView();
  return (
    <Stage after={<a href="/sign-in?over=1">{t.challenge.over}</a>}>
      <h1>{t.challenge.title}</h1>
      <p>{recovery ? t.challenge.recoveryLead : t.challenge.lead}</p>
      <Form action={recovery ? `${CHALLENGE}?with=recovery` : CHALLENGE}>
        <Problem state={state} />
        <SecondFactorField recovery={recovery} state={state} />
        <label class="check">
          <input type="checkbox" name="trust" value="yes" checked={state.values?.trust === "yes"} />
          {t.challenge.trust}
        </label>
        <Button kind="primary" wide>
          {t.signIn.action}
        </Button>
      </Form>
      <p class="soft">
        <a href={recovery ? CHALLENGE : `${CHALLENGE}?with=recovery`}>
          {recovery ? t.challenge.useApp : t.challenge.useRecovery}
        </a>
      </p>
    </Stage>
  );
}

/** The field of a code of the authenticator, or of a recovery code. */
export function SecondFactorField({ recovery, state }: BodyProps) {
  const { t } = useView();
  return recovery ? (
    <Field name="recovery_code" label={t.challenge.recoveryCode} state={state} code="text" autofocus maxlength={64} />
  ) : (
    <Field name="code" label={t.challenge.code} state={state} autocomplete="one-time-code" code="digits" autofocus />
  );
}

/** What the field holds: people type spaces into codes, and recovery codes in capitals. */
export function secondFactorIn({ form }: Pick<PageCall, "form">) {
  const text = (name: string) => (form.has(name) ? form.text(name).replace(/\s/g, "") : undefined);
  return { code: text("code"), recoveryCode: text("recovery_code")?.toLowerCase() };
}

/** `/sign-in/challenge`: the second factor of a sign-in, and whether to ask this browser again. */
export function challengePage(deps: PageDeps): Page {
  const show = (view: View, recovery: boolean, state: FormState, parts: ShownParts = {}) => {
    const body = <ChallengeBody state={state} recovery={recovery} />;
    return showPage(view, { title: view.t.challenge.title, body, ...parts });
  };
  return publicPage({
    path: CHALLENGE,
    limit: "sign_in",
    get({ query, cookies, client }) {
      if (!waitingSignIn(cookies)) return seeOther("/sign-in?over=1");
      return show(viewOf(deps, client), query.text("with") === "recovery", {});
    },
    async post(call) {
      const { form, cookies, client } = call;
      const waiting = waitingSignIn(cookies);
      if (!waiting) return seeOther("/sign-in?over=1");
      const { code, recoveryCode } = secondFactorIn(call);
      const input = { admission: undefined, mfaToken: waiting.mfaToken, code, recoveryCode, client };
      const outcome = await challenge(deps, input);
      if (outcome.ok) {
        const trusted = form.has("trust") ? await trustBrowser(deps, outcome.value, call) : [];
        return signedInTo(deps, outcome.value, waiting.returnTo, trusted);
      }
      const view = viewOf(deps, client);
      const own = { authentication_required: view.t.challenge.wrong };
      const state = refusedForm(view, outcome.error, { trust: form.text("trust") }, own);
      const parts = refusedParts(outcome.error);
      return show(view, recoveryCode !== undefined, state, parts);
    },
  });
}

/** The cookies of a trusted browser: of the API, and of the sign-in pages. Somebody who is signed in stays so. */
async function trustBrowser(deps: PageDeps, { session }: SignedIn, { cookies, client }: PageCall): Promise<string[]> {
  const caller = await deps.revocations.session(session.id);
  const authorized = caller && (await authorizeCredentialChange(deps, caller));
  if (!caller || !authorized?.ok) return [];
  const trustToken = cookies[TRUST_COOKIE];
  const input = { caller, authorized: authorized.value, name: null, trustToken, client };
  const created = await createTrustedBrowser(deps, input);
  if (!created.ok) return [];
  return [trustCookie(deps.config, created.value.token), pagesTrustCookie(deps.config, created.value.token)];
}
