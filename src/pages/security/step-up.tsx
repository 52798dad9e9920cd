import type { Deps, SignInDeps } from "../../deps.ts";
import { verifySecondFactor } from "../../flows/mfa/verify.ts";
import { hasStepUpPasskey } from "../../flows/passkeys/list.ts";
import { hasOrganizationFactor } from "../../flows/sso/factor/status.ts";
import { freshAccessCookies } from "../../http/signed-in.ts";
import type { Profile } from "../../models/user/profile.ts";
import { STEP_UP } from "../addresses.ts";
import { Button, Form, type FormState } from "../components/form.tsx";
import { Icon } from "../components/icon.tsx";
import { Stage, StageHead } from "../components/layout.tsx";
import { PasskeyError, Problem } from "../components/notices.tsx";
import { type DisplayedParts, showPage } from "../html.tsx";
import { type AuthenticatedCall, authenticatedPage, type Page, pathWith, seeOther } from "../page.ts";
import { refusedForm, refusedParts } from "../problem-messages.ts";
import { returnTo } from "../return-to.ts";
import { showBeforeReturn, type WaitingPageDeps } from "../shared/waiting-application.ts";
import { SecondFactorField, secondFactorIn } from "../sign-in/challenge.tsx";
import { type SignedInUserDeps, signedInUser } from "../signed-in-user.ts";
import { useView, type View } from "../view.tsx";
import { beginCompanyStepUp, type CompanyStepUpDeps, showCompanyStepUp } from "./company-step-up.tsx";
import { continueFormPage } from "./continue-form.tsx";
import { MemberFactorBody, ProtectBody } from "./protect.tsx";
import { findSecondFactors, type SecondFactors } from "./second-factors.ts";
import { REVIEW } from "./view-model.ts";

interface BodyProps {
  readonly state: FormState;
  readonly recovery: boolean;
  readonly to: string;
  readonly factors: SecondFactors;
  /** A page that is served without the step-up. Default: `to`. */
  readonly exit?: { readonly href: string; readonly text: string };
}

/** The passkey is first: a passkey needs no typing and resists phishing. */
function StepUpBody(props: BodyProps) {
  const { t } = useView();
  const { to, factors, exit = { href: to, text: t.common.cancel } } = props;
  return (
    <Stage after={<a href={exit.href}>{exit.text}</a>}>
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

/** The step-up, and the continuation of the form that waited for the step-up. */
export function stepUpPages(deps: StepUpPageDeps): Page[] {
  return [stepUpPage(deps), continueFormPage(deps)];
}

interface MemberFactorInput extends Pick<BodyProps, "state"> {
  readonly profile: Profile;
  readonly view: View;
  readonly parts: DisplayedParts;
}

/** The factor that an organization requires after single sign-on: set up first, then verified. */
async function showMemberFactor(
  deps: StepUpPageDeps,
  call: AuthenticatedCall,
  { profile, view, state, parts }: MemberFactorInput,
) {
  const to = returnTo(call.query);
  const { t } = view;
  if (!(await hasOrganizationFactor(deps, call.caller.session))) {
    const body = <MemberFactorBody to={to} organization={profile.organizations[0]?.name ?? ""} />;
    return showPage(view, { title: t.companyAccounts.factorTitle, body, ...parts });
  }
  const recovery = call.query.text("with") === "recovery";
  const isRequired = call.caller.session.ownFactor === "required";
  const exit = isRequired ? { exit: { href: "/sign-out", text: t.signOut.action } } : {};
  const body = <StepUpBody state={state} recovery={recovery} to={to} factors={CODE_ONLY} {...exit} />;
  return showPage(view, { title: t.stepUp.title, body, islands: ["code"], ...parts });
}

const CODE_ONLY: SecondFactors = { authenticator: true, passkey: false };

/**
 * `/step-up`: verifies a second factor again, and returns to the action that required the step-up. A user without a
 * second factor sets a factor up first, with the same return path. A session of single sign-on continues to the
 * identity provider, or verifies the factor that its organization requires.
 */
function stepUpPage(deps: StepUpPageDeps): Page {
  const show = async (call: AuthenticatedCall, state: FormState, parts: DisplayedParts = {}) => {
    const { profile, view } = await signedInUser(deps, call);
    if (call.caller.session.organizationBound)
      return await showMemberFactor(deps, call, { profile, view, state, parts });
    const found = await findSecondFactors(deps, call.caller.session, profile);
    const factors = { ...found, passkey: found.passkey && (await hasStepUpPasskey(deps, call.caller.session)) };
    // The user confirms the passkeys with the new password first.
    if (found.passkey && !factors.passkey && !factors.authenticator) return seeOther(REVIEW);
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
  const isAtCompany = ({ caller: { session } }: AuthenticatedCall) =>
    session.organizationBound && session.ownFactor === "off";
  return authenticatedPage({
    path: STEP_UP,
    servesSession: "enrolment",
    boundSession: "before_factor",
    get: (call) => (isAtCompany(call) ? showCompanyStepUp(deps, call) : show(call, {})),
    async post(call) {
      const { caller, cookies, client } = call;
      if (isAtCompany(call)) return await beginCompanyStepUp(deps, call);
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
