import type { MfaSetup } from "../../flows/mfa/setup.ts";
import { isNewSession } from "../../flows/steps/sessions/step-up.ts";
import { qrCodeUrl } from "../../http/qr-code.ts";
import type { Reply } from "../../http/reply.ts";
import type { Profile } from "../../models/user/profile.ts";
import { type ActionPage, postAction, shellFrame } from "../action-page.tsx";
import { stepUpPath } from "../addresses.ts";
import { CopyResults, CopyText } from "../components/copy.tsx";
import { CurrentPassword } from "../components/current-password.tsx";
import { Actions, Button, Field, Form, type FormState } from "../components/form.tsx";
import { Icon } from "../components/icon.tsx";
import { Shell, Stage, StageHead } from "../components/layout.tsx";
import { Problem } from "../components/notices.tsx";
import { refusedPage } from "../error.tsx";
import { type DisplayedParts, showPage } from "../html.tsx";
import { type AuthenticatedCall, authenticatedPage, type Page, seeOther, seeResult } from "../page.ts";
import { signedInUser } from "../signed-in-user.ts";
import { useView } from "../view.tsx";
import {
  type AuthenticatorInput,
  authenticatorActions,
  beginSetup,
  enableAuthenticator,
  returnPathIn,
  type SetupState,
} from "./authenticator-actions.ts";
import { AUTHENTICATOR, SECURITY } from "./view-model.ts";

interface BodyProps {
  readonly profile: Profile;
  readonly setup: MfaSetup;
  readonly qrCode: string;
  readonly state: FormState;
  readonly asksPassword: boolean;
  /** Whether the factor is for single sign-on to one organization. */
  readonly isBound: boolean;
  /** The action that needs the second factor. */
  readonly to: string | undefined;
}

function AuthenticatorBody(props: BodyProps) {
  const { t } = useView();
  const { title } = t.authenticator;
  if (!props.isBound) {
    return (
      <Shell at={SECURITY} profile={props.profile} below={title}>
        <h1>{title}</h1>
        <SetupSteps {...props} />
      </Shell>
    );
  }
  return (
    <Stage after={<a href="/sign-out">{t.signOut.action}</a>}>
      <StageHead title={title} icon="shield" />
      <SetupSteps {...props} />
    </Stage>
  );
}

function SetupSteps({ setup, qrCode, state, asksPassword, isBound, to }: BodyProps) {
  const { t } = useView();
  return (
    <ol class={isBound ? "steps" : "panel steps"}>
      <li>
        <div>
          <h2>{t.authenticator.install}</h2>
          <p class="soft">{t.authenticator.installLead}</p>
        </div>
      </li>
      <li>
        <div class="stack near">
          <h2>{t.authenticator.scan}</h2>
          <SecretToScan setup={setup} qrCode={qrCode} />
        </div>
      </li>
      <li>
        <div class="stack near">
          <h2>{t.authenticator.enter}</h2>
          <p class="soft">{t.authenticator.enterLead}</p>
          <Form action={AUTHENTICATOR} class="stack">
            <Problem state={state} />
            {to && <input type="hidden" name="return_to" value={to} />}
            <Field
              name="code"
              label={t.authenticator.code}
              state={state}
              autocomplete="one-time-code"
              code="digits"
              autofocus
            />
            {asksPassword && (
              <CurrentPassword label={t.common.password} hint={t.authenticator.passwordHint} state={state} />
            )}
            <Actions cancel={isBound ? stepUpPath(to ?? "/") : (to ?? SECURITY)}>
              <Button kind="primary" name="step" value={enableAuthenticator.step}>
                {t.authenticator.action}
              </Button>
            </Actions>
          </Form>
        </div>
      </li>
    </ol>
  );
}

/** The QR code, and for this device a link and the text of the key. */
function SecretToScan({ setup, qrCode }: Pick<BodyProps, "setup" | "qrCode">) {
  const { t } = useView();
  return (
    <>
      <div class="scan">
        <a class="button" href={setup.otpauthUri}>
          <Icon name="phone" />
          {t.authenticator.open}
        </a>
        {/* Folded on a phone, which cannot scan its own screen. */}
        <details class="in">
          <summary>{t.authenticator.qrTitle}</summary>
          <img class="qr" src={qrCode} alt={t.authenticator.qr} width="192" height="192" />
        </details>
      </div>
      <div class="line soft">
        {t.authenticator.type} <code id="secret">{setup.secret.replace(/(.{4})(?=.)/g, "$1 ")}</code>
        <CopyText from="secret" label={t.authenticator.key} />
      </div>
      <CopyResults />
    </>
  );
}

function alreadySetUp({ caller, form }: AuthenticatedCall) {
  const isBound = caller.session.organizationBound;
  return isBound ? seeOther(stepUpPath(returnPathIn(form) ?? "/")) : seeResult(SECURITY, "factor_already");
}

const PAGE: ActionPage<AuthenticatorInput, SetupState> = {
  frame: {
    ...shellFrame(SECURITY),
    refuse: ({ call }, { view }, refusal) =>
      refusal.code === "not_found" ? refusedPage(view, refusal) : alreadySetUp(call),
  },
  actions: authenticatorActions,
  defaultStep: beginSetup.step,
  place: () => AUTHENTICATOR,
  show: ({ deps, call }, state, parts) => show(deps, call, state, parts),
};

/** `/account/security/authenticator`: a new secret as QR code and text, then the first code. */
export function authenticatorPage(deps: AuthenticatorInput["deps"]): Page {
  return authenticatedPage({
    path: AUTHENTICATOR,
    servesSession: "enrolment",
    boundSession: "own_factor",
    get: ({ caller }) => seeOther(caller.session.organizationBound ? stepUpPath("/") : SECURITY),
    post: (call) => postAction(PAGE, { deps, call, display: (state) => show(deps, call, state) }),
  });
}

async function show(
  deps: AuthenticatorInput["deps"],
  call: AuthenticatedCall,
  { setup, state }: SetupState,
  parts: DisplayedParts = {},
): Promise<Reply> {
  const { profile, view } = await signedInUser(deps, call);
  const qrCode = await qrCodeUrl(setup.otpauthUri, { margin: 2 });
  // In a session that is not new, enabling counts as step-up only with the password (docs/contract.md, section 8.4).
  const isNew = isNewSession(deps, call.caller.session);
  const asksPassword = !isNew && profile.hasPassword;
  const isBound = call.caller.session.organizationBound;
  const shared = { profile, setup, qrCode, state, asksPassword, isBound };
  const body = <AuthenticatorBody {...shared} to={returnPathIn(call.form)} />;
  return showPage(view, { title: view.t.authenticator.title, body, islands: ["password", "copy", "code"], ...parts });
}
