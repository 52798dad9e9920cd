import type { Refusal } from "../../../base/problem.ts";
import type { Deps } from "../../../deps.ts";
import {
  type ProviderForm,
  type PutIntegrationDeps,
  putDisplayedIntegration,
  readIntegration,
} from "../../../flows/integrations/administer.ts";
import { callbackUri } from "../../../flows/integrations/callback-uri.ts";
import { type ProbeOutcome, probeIntegration } from "../../../flows/integrations/probe.ts";
import {
  authorizeIntegration,
  type IntegrationCaller,
} from "../../../flows/steps/authorization/authorize-integration.ts";
import type { FormState } from "../../components/form.tsx";
import { asksStepUp } from "../../components/step-up-again.tsx";
import type { DisplayedParts } from "../../html.tsx";
import { type Fields, type Page, seeResult } from "../../page.ts";
import { changedForm, refusedForm, refusedParts } from "../../problem-messages.ts";
import { displayedVersionIn } from "../../shared/displayed-version.ts";
import type { SignedInUserDeps } from "../../signed-in-user.ts";
import { type ConsoleCall, consolePage, mayAct, refuseConsole, showConsole } from "../console.tsx";
import { PROVIDERS } from "./page.tsx";
import { ProviderBody, type ProviderProps } from "./view.tsx";

type ProviderDeps = SignedInUserDeps & PutIntegrationDeps & Pick<Deps, "configKeys">;

/** The parts that a handler adds when the page is displayed again. */
interface Again {
  readonly state?: FormState;
  readonly probe?: ProbeOutcome;
  readonly parts?: DisplayedParts;
}

/** `/admin/providers/:provider`: settings, the masked secret, a test. Editing needs a step-up, as in the API. */
export function providerPage(deps: ProviderDeps): Page {
  const show = async (call: ConsoleCall, { state = {}, probe, parts = {} }: Again = {}) => {
    const { admin, params, view } = call;
    const found = await readIntegration(deps, admin, params.provider ?? "");
    if (!found.ok) return refuseConsole(call, found.error, PROVIDERS);
    const form = found.value;
    // The submitted values stay in the form.
    const may = state.values ? "edit" : await mayEdit(deps, call, form.view.provider);
    const done = call.result === "saved" && !probe && !parts.refused ? view.t.providers.saved : undefined;
    const needsStepUp = parts.refused?.code === "mfa_required";
    const { provider } = form.view;
    const redirectUri = provider.startsWith("oauth_") ? callbackUri(deps.config.urls, provider) : undefined;
    const body = (
      <ProviderBody
        form={form}
        redirectUri={redirectUri}
        may={may}
        state={state}
        needsStepUp={needsStepUp}
        probe={probe}
      />
    );
    return showConsole(call, {
      at: PROVIDERS,
      inside: true,
      title: form.name,
      body,
      done,
      islands: ["copy"],
      ...parts,
    });
  };
  const refuse = async (call: ConsoleCall, error: Refusal) => {
    const found = await readIntegration(deps, call.admin, call.params.provider ?? "");
    if (!found.ok) return refuseConsole(call, found.error, PROVIDERS);
    return await show(call, { state: refusedSettings(call, error, found.value), parts: refusedParts(error) });
  };
  return consolePage(deps, {
    path: "/admin/providers/:provider",
    limit: "integrations",
    get: (call) => show(call),
    async post(call) {
      const authorized = await authorizeIntegration(deps, call.caller.session, call.params.provider ?? "");
      const { client, form } = call;
      if (!authorized.ok) {
        const isForm = form.text("step") === "save" && asksStepUp(authorized.error);
        const place = `${PROVIDERS}/${call.params.provider}`;
        return isForm ? await refuse(call, authorized.error) : refuseConsole(call, authorized.error, place);
      }
      if (form.text("step") === "probe") {
        const probed = await probeIntegration(deps, { ...authorized.value, client });
        return probed.ok ? await show(call, { probe: probed.value }) : probed.error;
      }
      const saved = await save(deps, call, authorized.value);
      if (saved.ok) return seeResult(`${PROVIDERS}/${authorized.value.provider}`, "saved");
      return await refuse(call, saved.error);
    },
  });
}

async function mayEdit(deps: ProviderDeps, call: ConsoleCall, provider: string): Promise<ProviderProps["may"]> {
  if (!mayAct(call.admin)) return "none";
  return (await authorizeIntegration(deps, call.caller.session, provider)).ok ? "edit" : "see";
}

const CONFIG_FIELDS = ["from", "client_id", "tenant", "team_id", "key_id"] as const;

async function save(deps: ProviderDeps, { form, client }: ConsoleCall, authorized: IntegrationCaller) {
  const given = CONFIG_FIELDS.map((field) => [field, form.text(field)] as const).filter(([, value]) => value !== "");
  // A textarea sends CRLF (HTML, form submission); an empty field keeps the secret.
  const secret = form.text("secret").replaceAll("\r\n", "\n").trim();
  return await putDisplayedIntegration(deps, {
    ...authorized,
    enabled: form.text("enabled") === "yes",
    publicConfig: Object.fromEntries(given),
    secret: secret === "" ? undefined : secret,
    clearSecret: form.text("clear_secret") === "yes",
    displayed: displayedVersionIn(form),
    client,
  });
}

/** The problem message beside the field that the refusal names. A `conflict` concerns the version. */
function refusedSettings({ view, form }: ConsoleCall, refusal: Refusal, stored: ProviderForm): FormState {
  const values = valuesOf(form);
  if (refusal.code === "conflict") return changedForm(view, values, storedValues(stored));
  if (refusal.code === "mfa_required") return { values };
  return refusedForm(view, refusal, values, {}, view.t.providers.rules);
}

/** The submitted values, without the secret. */
function valuesOf(form: Fields): Record<string, string> {
  return Object.fromEntries(
    [...CONFIG_FIELDS, "enabled", "clear_secret", "version"].map((name) => [name, form.text(name)]),
  );
}

function storedValues({ fields, view }: ProviderForm): Record<string, string> {
  const settings = fields.map((field) => [field, view.publicConfig[field] ?? ""] as const);
  return { ...Object.fromEntries(settings), enabled: view.enabled ? "yes" : "" };
}
