import type { Refusal } from "../../../base/problem.ts";
import { type AdministerClientsDeps, createClient } from "../../../flows/oauth-provider/administer-clients.ts";
import { authorizeSteppedUpAdmin } from "../../../flows/steps/authorization/authorize-stepped-up-admin.ts";
import { Actions, Button, Form, type FormState, Problem } from "../../components/form.tsx";
import { asksStepUp, StepUpAgain } from "../../components/step-up-again.tsx";
import type { DisplayedParts } from "../../html.tsx";
import { type Page, seeOther } from "../../page.ts";
import { refusedParts } from "../../problem-messages.ts";
import type { SignedInUserDeps } from "../../signed-in-user.ts";
import { useView } from "../../view.tsx";
import { type ConsoleCall, consolePage, refuseConsole, showConsole } from "../console.tsx";
import { ClientFields, FixedFields } from "./fields.tsx";
import { refusedClient, settingsIn, valuesOfForm } from "./form.ts";
import { CLIENTS } from "./page.tsx";
import { showSecretOnce } from "./view.tsx";

const PATH = "/admin/oauth-clients/new";
/** The defaults fit most applications: a web server that signs users in and keeps a secret. */
const DEFAULTS = {
  application_type: "web",
  token_endpoint_auth_method: "client_secret_basic",
  scopes: "openid profile email",
  "grant:authorization_code": "yes",
};

function NewClientBody({ state, needsStepUp }: { readonly state: FormState; readonly needsStepUp: boolean }) {
  const { t } = useView();
  return (
    <>
      <header class="head">
        <p>
          <a href={CLIENTS}>{t.clients.title}</a>
        </p>
        <h1>{t.clients.create}</h1>
      </header>
      <Problem state={state} />
      <StepUpAgain visible={needsStepUp} at={CLIENTS} />
      <Form action={PATH} class="panel stack">
        <FixedFields state={state} />
        <ClientFields state={state} withKeys />
        <Actions cancel={CLIENTS}>
          <Button kind="primary">{t.clients.createAction}</Button>
        </Actions>
      </Form>
    </>
  );
}

/** `/admin/oauth-clients/new`: creates an application. Only the response to the form contains the secret. */
export function newOAuthClientPage(deps: AdministerClientsDeps & SignedInUserDeps): Page {
  const show = (call: ConsoleCall, state: FormState, parts: DisplayedParts = {}) => {
    const { create: title } = call.view.t.clients;
    const body = <NewClientBody state={state} needsStepUp={parts.refused?.code === "mfa_required"} />;
    return showConsole(call, { at: CLIENTS, inside: true, title, body, ...parts });
  };
  return consolePage(deps, {
    path: PATH,
    async get(call) {
      const acts = await authorizeSteppedUpAdmin(deps, call.caller.session);
      return acts.ok ? show(call, { values: DEFAULTS }) : refuseConsole(call, acts.error, PATH);
    },
    async post(call) {
      const acts = await authorizeSteppedUpAdmin(deps, call.caller.session);
      const { form, client, view } = call;
      const refuse = (error: Refusal) =>
        show(call, refusedClient(view, error, valuesOfForm(form)), refusedParts(error));
      if (!acts.ok) return asksStepUp(call, acts.error) ? refuse(acts.error) : refuseConsole(call, acts.error, PATH);
      const settings = settingsIn(form);
      const created = settings.ok
        ? await createClient(deps, { caller: acts.value, client, settings: settings.value })
        : settings;
      if (!created.ok) return refuse(created.error);
      const { secret, client: made } = created.value;
      return secret === undefined ? seeOther(`${CLIENTS}/${made.id}?done=created`) : showSecretOnce(call, made, secret);
    },
  });
}
