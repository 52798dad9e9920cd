/** The step-up of a session of single sign-on, at the identity provider that began the session. */
import type { Deps } from "../../deps.ts";
import type { SsoDeps } from "../../flows/sso/sign-in/connection.ts";
import { beginSsoStepUp, findStepUpConnection } from "../../flows/sso/step-up/begin-step-up.ts";
import { bindingCookies, SSO_BINDING } from "../../http/binding-cookies.ts";
import { STEP_UP } from "../addresses.ts";
import { Button, Form, type FormState } from "../components/form.tsx";
import { Stage, StageHead } from "../components/layout.tsx";
import { Problem } from "../components/notices.tsx";
import { continueElsewhere } from "../continue-elsewhere.tsx";
import { refusedPage } from "../error.tsx";
import { showPage } from "../html.tsx";
import { type AuthenticatedCall, NOTHING_THERE, pathWith } from "../page.ts";
import { returnTo } from "../return-to.ts";
import { type SignedInUserDeps, signedInUser } from "../signed-in-user.ts";
import { useView } from "../view.tsx";

export type CompanyStepUpDeps = SsoDeps & SignedInUserDeps & Pick<Deps, "reads">;

interface BodyProps {
  readonly to: string;
  readonly state: FormState;
  /** False: the connection trusts no second factor of the identity provider. */
  readonly possible: boolean;
}

function CompanyStepUpBody({ to, state, possible }: BodyProps) {
  const { t } = useView();
  const { stepUpLead, stepUpNever } = t.companyAccounts;
  return (
    <Stage after={<a href={to}>{t.common.cancel}</a>}>
      <StageHead title={t.stepUp.title} icon="shield" />
      <p>{possible ? stepUpLead : stepUpNever}</p>
      {possible && (
        <Form action={pathWith(STEP_UP, { return_to: to })}>
          <Problem state={state} />
          <Button kind="primary" wide>
            {t.companySignIn.action}
          </Button>
        </Form>
      )}
    </Stage>
  );
}

export async function showCompanyStepUp(deps: CompanyStepUpDeps, call: AuthenticatedCall) {
  const { query, caller } = call;
  const { view } = await signedInUser(deps, call);
  const connection = await findStepUpConnection(deps, caller.session);
  if (!connection) return refusedPage(view, NOTHING_THERE);
  const { stepUpFailed } = view.t.companyAccounts;
  const error = query.text("error");
  const problem = error === "internal_error" ? view.t.companySignIn.unreachable : stepUpFailed;
  const possible = connection.config.mfa_trust !== "never";
  const body = <CompanyStepUpBody to={returnTo(query)} state={error ? { problem } : {}} possible={possible} />;
  return showPage(view, { title: view.t.stepUp.title, body });
}

/** Begins the step-up, and continues to the identity provider. */
export async function beginCompanyStepUp(deps: CompanyStepUpDeps, call: AuthenticatedCall) {
  const { session } = call.caller;
  const { view } = await signedInUser(deps, call);
  const connection = await findStepUpConnection(deps, session);
  if (!connection) return refusedPage(view, NOTHING_THERE);
  const redirectTo = returnTo(call.query);
  const begun = await beginSsoStepUp(deps, { session, connectionId: connection.id, redirectTo });
  if (!begun.ok) return refusedPage(view, begun.error, { internal_error: view.t.companySignIn.unreachable });
  const cookies = bindingCookies(deps.config, SSO_BINDING, begun.value, call.cookies);
  const { title } = view.t.stepUp;
  const action = view.t.ssoTests.go;
  return continueElsewhere(view, { title, action, url: begun.value.location, cookies });
}
