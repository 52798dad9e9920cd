import type { Deps, SignInDeps } from "../../deps.ts";
import { verifySecondFactor } from "../../flows/mfa/verify.ts";
import { freshAccessCookies } from "../../http/signed-in.ts";
import { STEP_UP } from "../addresses.ts";
import { Button, Form, type FormState } from "../components/form.tsx";
import { Icon } from "../components/icon.tsx";
import { Stage, StageHead } from "../components/layout.tsx";
import { PasskeyError, Problem } from "../components/notices.tsx";
import { type DisplayedParts, showPage } from "../html.tsx";
import { showBeforeReturn, type WaitingPageDeps } from "../oauth/waiting-application.ts";
import { type AuthenticatedCall, authenticatedPage, type Page, pathWith, seeOther } from "../page.ts";
import { refusedForm, refusedParts } from "../problem-messages.ts";
import { returnTo } from "../return-to.ts";
import { SecondFactorField, secondFactorIn } from "../sign-in/challenge.tsx";
import { type SignedInUserDeps, signedInUser } from "../signed-in-user.ts";
import { useView } from "../view.tsx";
import { beginCompanyStepUp, type CompanyStepUpDeps, showCompanyStepUp } from "./company-step-up.tsx";
import { ProtectBody } from "./protect.tsx";
import { findSecondFactors, type SecondFactors } from "./second-factors.ts";

interface BodyProps {
  readonly state: FormState;
  readonly recovery: boolean;
  readonly to: string;
  readonly factors: SecondFactors;
}

/** The passkey is first: a passkey needs no typing and resists phishing. */
function StepUpBody(props: BodyProps) {
  const { t } = useView();
  const { to, factors } = props;
  return (
    <Stage after={<a href={to}>{t.common.cancel}</a>}>
      <StageHead title={t.stepUp.title} icon="shield" />
      {factors.passkey && <PasskeyStepUp to={to} alone={!factors.authenticator} />}
      {factors.passkey && factors.authenticator && <p class="or scripted">{t.common.or}</p>}
      {factors.authenticator && <CodeStepUp {...props} />}
    </Stage>
  );
}

function PasskeyStepUp({ to, alone }: { readonly to: string; readonly alone: boolean }) {
  const { t, site } = useView();
  return (
    <>
      <p class={alone ? undefined : "scripted"}>{t.stepUp.passkeyLead}</p>
      <PasskeyError failed={t.signIn.passkeyFailed} />
      <button
        class="button primary wide scripted"
        type="button"
        data-passkey-step-up={site.config.urls.routePrefix}
        data-return-to={to}
      >
        <Icon name="passkey" />
        {t.signIn.passkey}
      </button>
      {alone && (
        <noscript>
          <p class="soft">{t.stepUp.needsScripts}</p>
        </noscript>
      )}
    </>
  );
}

function CodeStepUp({ state, recovery, to, factors }: BodyProps) {
  const { t } = useView();
  // Beside the passkey, the reason for the confirmation is above the passkey.
  const leads = factors.passkey ? t.challenge : t.stepUp;
  const here = (other: boolean) => pathWith(STEP_UP, { return_to: to, with: other ? "recovery" : undefined });
  return (
    <>
      <p>{recovery ? leads.recoveryLead : leads.lead}</p>
      <Form action={here(recovery)}>
        <Problem state={state} />
        <SecondFactorField recovery={recovery} state={state} />
        <Button kind={factors.passkey ? "plain" : "primary"} wide>
          {t.common.continue}
        </Button>
      </Form>
      <p class="soft">
        <a href={here(!recovery)}>{recovery ? t.challenge.useApp : t.challenge.useRecovery}</a>
      </p>
    </>
  );
}

type StepUpPageDeps = SignInDeps & SignedInUserDeps & WaitingPageDeps & CompanyStepUpDeps & Pick<Deps, "reads">;

/**
 * `/step-up`: verifies a second factor again, and returns to the action that required the step-up. A user without a
 * second factor sets a factor up first, with the same return path. A session of single sign-on continues to the
 * identity provider.
 */
export function stepUpPage(deps: StepUpPageDeps): Page {
  const show = async (call: AuthenticatedCall, state: FormState, parts: DisplayedParts = {}) => {
    const { profile, view } = await signedInUser(deps, call);
    const factors = await findSecondFactors(deps, call.caller.session, profile);
    const recovery = call.query.text("with") === "recovery";
    const to = returnTo(call.query);
    return await showBeforeReturn(deps, call, { view, to }, (view) => {
      if (!factors.authenticator && !factors.passkey) {
        const body = <ProtectBody to={to} />;
        return showPage(view, { title: view.t.protect.title, body, islands: ["passkey-add"], ...parts });
      }
      const body = <StepUpBody state={state} recovery={recovery} to={to} factors={factors} />;
      return showPage(view, { title: view.t.stepUp.title, body, islands: ["passkey-step-up", "code"], ...parts });
    });
  };
  return authenticatedPage({
    path: STEP_UP,
    boundSession: "served",
    get: (call) => (call.caller.session.organizationBound ? showCompanyStepUp(deps, call) : show(call, {})),
    async post(call) {
      const { caller, cookies, client } = call;
      if (caller.session.organizationBound) return await beginCompanyStepUp(deps, call);
      const input = { caller: caller.session, factors: secondFactorIn(call), client };
      const outcome = await verifySecondFactor(deps, input);
      if (outcome.ok) {
        const { accessToken } = outcome.value.token;
        return seeOther(returnTo(call.query), freshAccessCookies(deps, caller, accessToken, cookies));
      }
      const { view } = await signedInUser(deps, call);
      const state = refusedForm(view, outcome.error, {}, { authentication_required: view.t.challenge.wrong });
      return await show(call, state, refusedParts(outcome.error));
    },
  });
}
