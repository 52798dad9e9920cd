import { typedCode, typedDigits } from "../../base/typed-code.ts";
import type { SignInDeps } from "../../deps.ts";
import { challenge } from "../../flows/mfa/challenge.ts";
import { authorizeCredentialChange } from "../../flows/steps/credentials/change-credentials.ts";
import type { SubmittedFactors } from "../../flows/steps/second-factor/factors.ts";
import type { SignInResult } from "../../flows/steps/sign-in/complete-sign-in.ts";
import { createTrustedBrowser } from "../../flows/trusted-browsers/create.ts";
import { pagesTrustCookie, TRUST_COOKIE, trustCookie } from "../../http/cookies.ts";
import type { Reply } from "../../http/reply.ts";
import { Button, Field, Form, type FormState } from "../components/form.tsx";
import { Stage, StageHead } from "../components/layout.tsx";
import { Problem } from "../components/notices.tsx";
import { waitingSignIn } from "../cookies.ts";
import { type DisplayedParts, showPage } from "../html.tsx";
import { type Fields, type Page, type PageCall, pathWith, publicPage, seeResult } from "../page.ts";
import { refusedForm, refusedParts } from "../problem-messages.ts";
import { carried, returnTo } from "../return-to.ts";
import { showBeforeReturn, type WaitingPageDeps } from "../shared/waiting-application.ts";
import { type SiteDeps, useView, viewOf } from "../view.tsx";
import { rememberedAddress } from "./browser-memory.ts";
import { CHALLENGE, signedInTo } from "./complete.ts";

type PageDeps = SignInDeps & SiteDeps & WaitingPageDeps;

interface FieldProps {
  readonly state: FormState;
  readonly recovery: boolean;
}

interface BodyProps extends FieldProps {
  /** The parameter is in each address and form, because the cookie with the same value expires with the token. */
  readonly to: string;
}

function ChallengeBody({ state, recovery, to }: BodyProps) {
  const { t } = useView();
  const other = pathWith(CHALLENGE, { with: recovery ? undefined : "recovery", return_to: carried(to) });
  return (
    <Stage after={<a href={pathWith("/sign-in?over=1", { return_to: carried(to) })}>{t.challenge.over}</a>}>
      <StageHead title={t.challenge.title} icon="shield" />
      <p>{recovery ? t.challenge.recoveryLead : t.challenge.lead}</p>
      <Form action={recovery ? `${CHALLENGE}?with=recovery` : CHALLENGE}>
        <Problem state={state} />
        <input type="hidden" name="return_to" value={to} />
        <SecondFactorField recovery={recovery} state={state} />
        <label class="check">
          <input type="checkbox" name="trust" value="yes" checked={state.values?.trust === "yes"} />
          {t.challenge.trust}
        </label>
        <Button kind="primary" wide busy={t.signIn.busy}>
          {t.signIn.action}
        </Button>
      </Form>
      <p class="soft">
        <a href={other}>{recovery ? t.challenge.useApp : t.challenge.useRecovery}</a>
      </p>
    </Stage>
  );
}

/** The field of a code of the authenticator, or of a recovery code. */
export function SecondFactorField({ recovery, state }: FieldProps) {
  const { t } = useView();
  return recovery ? (
    <Field name="recovery_code" label={t.challenge.recoveryCode} state={state} code="text" autofocus maxlength={64} />
  ) : (
    <Field name="code" label={t.challenge.code} state={state} autocomplete="one-time-code" code="digits" autofocus />
  );
}

/** The codes as typed and pasted. */
export function secondFactorIn({ form }: Pick<PageCall, "form">): SubmittedFactors {
  return {
    code: form.has("code") ? typedDigits(form.text("code")) : undefined,
    recovery_code: form.has("recovery_code") ? typedCode(form.text("recovery_code")) : undefined,
  };
}

/** The cookie of the sign-in has expired: a new sign-in begins, with the return path of the old sign-in. */
function expired(fields: Fields): Reply {
  return seeResult(pathWith("/sign-in", { return_to: carried(returnTo(fields)) }), "expired");
}

/** `/sign-in/challenge`: the second factor of a sign-in, and whether to ask this browser again. */
export function challengePage(deps: PageDeps): Page {
  const show = (call: PageCall, props: BodyProps, parts: DisplayedParts = {}) =>
    showBeforeReturn(deps, call, { view: viewOf(deps, call.client), to: props.to }, (view) => {
      const body = <ChallengeBody {...props} />;
      return showPage(view, { title: view.t.challenge.title, body, islands: ["code"], ...parts });
    });
  return publicPage({
    path: CHALLENGE,
    limit: "sign_in",
    get(call) {
      const { query, cookies } = call;
      const waiting = waitingSignIn(cookies);
      if (!waiting) return expired(query);
      const recovery = query.text("with") === "recovery";
      return show(call, { state: {}, recovery, to: waiting.returnTo });
    },
    async post(call) {
      const { form, cookies, client } = call;
      const waiting = waitingSignIn(cookies);
      if (!waiting) return expired(form);
      const factors = secondFactorIn(call);
      const input = { admission: undefined, mfaToken: waiting.mfaToken, factors, client };
      const outcome = await challenge(deps, input);
      if (outcome.ok) {
        const trusted = form.has("trust") ? await trustBrowser(deps, outcome.value, call) : [];
        return signedInTo(deps, outcome.value, waiting.returnTo, trusted);
      }
      const view = viewOf(deps, client);
      const own = { authentication_required: view.t.challenge.wrong };
      const state = refusedForm(view, outcome.error, { trust: form.text("trust") }, own);
      const recovery = factors.recovery_code !== undefined;
      return show(call, { state, recovery, to: waiting.returnTo }, refusedParts(outcome.error));
    },
  });
}

/** The cookies of a trusted browser, which also remembers the address. A signed-in user stays signed in. */
async function trustBrowser(
  deps: PageDeps,
  { session }: SignInResult,
  { cookies, client }: PageCall,
): Promise<string[]> {
  const caller = await deps.revocations.session(session.id);
  const authorized = caller && (await authorizeCredentialChange(deps, caller));
  if (!caller || !authorized?.ok) return [];
  const trustToken = cookies[TRUST_COOKIE];
  const input = { caller, authorized: authorized.value, name: null, trustToken, client };
  const created = await createTrustedBrowser(deps, input);
  if (!created.ok) return [];
  const { token } = created.value;
  return [trustCookie(deps.config, token), pagesTrustCookie(deps.config, token), rememberedAddress(deps, caller.email)];
}
