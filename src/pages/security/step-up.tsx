import type { SignInDeps } from "../../deps.ts";
import { verifySecondFactor } from "../../flows/mfa/verify.ts";
import { freshAccessCookies } from "../../http/signed-in.ts";
import { Button, Form, type FormState, Problem } from "../components/form.tsx";
import { Stage, StageHead } from "../components/layout.tsx";
import { type DisplayedParts, showPage } from "../html.tsx";
import { showBeforeReturn, type WaitingClientDeps } from "../oauth/waiting-application.ts";
import { type AuthenticatedCall, authenticatedPage, type Page, pathWith, seeOther } from "../page.ts";
import { refusedForm, refusedParts } from "../problem-messages.ts";
import { returnTo } from "../return-to.ts";
import { SecondFactorField, secondFactorIn } from "../sign-in/challenge.tsx";
import { type SignedInUserDeps, signedInUser } from "../signed-in-user.ts";
import { useView } from "../view.tsx";

const PATH = "/step-up";

interface BodyProps {
  readonly state: FormState;
  readonly recovery: boolean;
  readonly to: string;
}

function StepUpBody({ state, recovery, to }: BodyProps) {
  const { t } = useView();
  const here = (other: boolean) => pathWith(PATH, { return_to: to, with: other ? "recovery" : undefined });
  return (
    <Stage after={<a href="/account/security">{t.common.cancel}</a>}>
      <StageHead title={t.stepUp.title} />
      <p>{recovery ? t.stepUp.recoveryLead : t.stepUp.lead}</p>
      <Form action={here(recovery)}>
        <Problem state={state} />
        <SecondFactorField recovery={recovery} state={state} />
        <Button kind="primary" wide>
          {t.common.continue}
        </Button>
      </Form>
      <p class="soft">
        <a href={here(!recovery)}>{recovery ? t.challenge.useApp : t.challenge.useRecovery}</a>
      </p>
    </Stage>
  );
}

/** `/step-up`: verifies the second factor again, and returns to the action that required the step-up. */
export function stepUpPage(deps: SignInDeps & SignedInUserDeps & WaitingClientDeps): Page {
  const show = async (call: AuthenticatedCall, state: FormState, parts: DisplayedParts = {}) => {
    const { profile, view } = await signedInUser(deps, call);
    if (!profile.mfaEnabled) return seeOther("/account/security");
    const recovery = call.query.text("with") === "recovery";
    const to = returnTo(call.query);
    return await showBeforeReturn(deps, call, { view, to }, (view) => {
      const body = <StepUpBody state={state} recovery={recovery} to={to} />;
      return showPage(view, { title: view.t.stepUp.title, body, ...parts });
    });
  };
  return authenticatedPage({
    path: PATH,
    get: (call) => show(call, {}),
    async post(call) {
      const { caller, cookies, client } = call;
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
