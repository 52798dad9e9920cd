import type { Refusal } from "../../../base/problem.ts";
import { type AdministerClientsDeps, createClient } from "../../../flows/oauth/clients/administer-clients.ts";
import {
  CLIENT_PRESET_NAMES,
  type ClientPresetName,
  isClientPresetName,
} from "../../../flows/oauth/clients/client-presets.ts";
import { authorizeSteppedUpAdmin } from "../../../flows/steps/authorization/authorize-stepped-up-admin.ts";
import { Actions, Button, Form, type FormState } from "../../components/form.tsx";
import { Icon, type IconName } from "../../components/icon.tsx";
import { SubPageHead } from "../../components/item-head.tsx";
import { Problem } from "../../components/notices.tsx";
import { asksStepUp, StepUpAgain } from "../../components/step-up-again.tsx";
import type { DisplayedParts } from "../../html.tsx";
import { type Page, pathWith, seeResult } from "../../page.ts";
import { refusedParts } from "../../problem-messages.ts";
import type { SignedInUserDeps } from "../../signed-in-user.ts";
import { useView } from "../../view.tsx";
import { type ConsoleCall, consolePage, refuseConsole, showConsole } from "../console.tsx";
import { ClientFields } from "./client-fields.tsx";
import { showConnect } from "./connect.tsx";
import { refusedClient, settingsIn, valuesOfForm, valuesOfPreset } from "./form.ts";
import { CLIENTS, PRODUCTS } from "./paths.ts";

const PATH = "/admin/oauth-clients/new";
/** The preset of most applications: a web server that signs users in and keeps a secret. */
const DEFAULT_PRESET: ClientPresetName = "web";

const PRESET_ICONS: Readonly<Record<ClientPresetName, IconName>> = {
  web: "globe",
  spa: "laptop",
  native: "phone",
  machine: "key",
};

/** Links, so that the choice of a preset works without scripts; the form below has the settings of the preset. */
function Presets({ chosen }: { readonly chosen: string }) {
  const { t } = useView();
  return (
    <nav aria-label={t.clients.presetsTitle} class="presets">
      {CLIENT_PRESET_NAMES.map((name) => (
        <a key={name} href={pathWith(PATH, { preset: name })} aria-current={name === chosen ? "true" : undefined}>
          <Icon name={PRESET_ICONS[name]} />
          <strong>{t.clients.presets[name].title}</strong>
          <small>{t.clients.presets[name].lead}</small>
        </a>
      ))}
    </nav>
  );
}

function NewClientBody({ state, needsStepUp }: { readonly state: FormState; readonly needsStepUp: boolean }) {
  const { t } = useView();
  const chosen = state.values?.preset ?? "";
  return (
    <>
      <SubPageHead above={[{ href: CLIENTS, text: t.clients.title }]} title={t.clients.create} />
      <Presets chosen={chosen} />
      <p>
        <a class="button" href={PRODUCTS}>
          {t.clients.products.action}
        </a>
      </p>
      <Problem state={state} />
      <StepUpAgain visible={needsStepUp} at={CLIENTS} />
      <Form action={PATH} class="panel stack broad">
        <input type="hidden" name="preset" value={chosen} />
        <ClientFields state={state} />
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
      if (!acts.ok) return refuseConsole(call, acts.error, PATH);
      const preset = call.query.text("preset");
      return show(call, { values: valuesOfPreset(isClientPresetName(preset) ? preset : DEFAULT_PRESET) });
    },
    async post(call) {
      const acts = await authorizeSteppedUpAdmin(deps, call.caller.session);
      const { form, client, view } = call;
      const refuse = (error: Refusal) =>
        show(call, refusedClient(view, error, valuesOfForm(form)), refusedParts(error));
      if (!acts.ok) return asksStepUp(acts.error) ? refuse(acts.error) : refuseConsole(call, acts.error, PATH);
      const settings = settingsIn(form);
      const created = settings.ok
        ? await createClient(deps, { caller: acts.value, client, settings: settings.value })
        : settings;
      if (!created.ok) return refuse(created.error);
      const { secret, client: made } = created.value;
      if (secret === undefined) return seeResult(`${CLIENTS}/${made.id}/connect`, "created");
      return showConnect(call, made, { secret, done: view.t.clients.created });
    },
  });
}
