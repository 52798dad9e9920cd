/** The actions of `/admin/providers/:provider`. Editing needs a step-up, as in the API. */
import type { Refusal } from "../../../base/problem.ts";
import type { Deps } from "../../../deps.ts";
import {
  type ProviderForm,
  type PutIntegrationDeps,
  putDisplayedIntegration,
  readIntegration,
} from "../../../flows/integrations/administer.ts";
import { type ProbeOutcome, probeIntegration } from "../../../flows/integrations/probe.ts";
import { authorizeIntegration } from "../../../flows/steps/authorization/authorize-integration.ts";
import type { Reply } from "../../../http/reply.ts";
import { actionsOf } from "../../action.ts";
import type { FormState } from "../../components/form.tsx";
import { asksStepUp } from "../../components/step-up-again.tsx";
import type { Fields } from "../../page.ts";
import { changedForm, refusedForm } from "../../problem-messages.ts";
import { displayedVersionIn } from "../../shared/displayed-version.ts";
import type { SignedInUserDeps } from "../../signed-in-user.ts";
import type { View } from "../../view.tsx";
import type { ConsoleInput } from "../console-actions.tsx";

/** What the page displays beside the stored settings. */
export interface ProviderState {
  readonly state?: FormState;
  readonly probe?: ProbeOutcome;
}

export interface ProviderInput extends ConsoleInput<SignedInUserDeps & PutIntegrationDeps & Pick<Deps, "configKeys">> {
  readonly display: (state: ProviderState) => Promise<Reply>;
}

const { action } = actionsOf<ProviderInput, ProviderState>();
const mayEdit = ({ deps, call }: ProviderInput) => authorizeIntegration(deps, call.caller, call.params.provider ?? "");

export const saveProvider = action({
  step: "save",
  may: mayEdit,
  run({ deps, caller, client, fields }) {
    const given = CONFIG_FIELDS.map((field) => [field, fields.text(field)] as const).filter(
      ([, value]) => value !== "",
    );
    // A textarea sends CRLF (HTML, form submission); an empty field keeps the secret.
    const secret = fields.text("secret").replaceAll("\r\n", "\n").trim();
    return putDisplayedIntegration(deps, {
      ...caller,
      enabled: fields.text("enabled") === "yes",
      publicConfig: Object.fromEntries(given),
      secret: secret === "" ? undefined : secret,
      clearSecret: fields.text("clear_secret") === "yes",
      displayed: displayedVersionIn(fields),
      client,
    });
  },
  done: ["saved", ({ t }) => t.providers.saved],
  async refused({ deps, call, caller, fields, view }, refusal) {
    if (!caller && !asksStepUp(refusal)) return undefined;
    const found = await readIntegration(deps, call.admin, call.params.provider ?? "");
    return found.ok ? { state: refusedSettings(view, fields, refusal, found.value) } : undefined;
  },
});

/** The page displays the response of the provider. */
export const probeProvider = action({
  step: "probe",
  may: mayEdit,
  run: ({ deps, caller, client }) => probeIntegration(deps, { ...caller, client }),
  reply: ({ display }, probe) => display({ probe }),
});

export const providerActions = { saveProvider, probeProvider };

const CONFIG_FIELDS = ["from", "client_id", "tenant", "team_id", "key_id"] as const;

/** The problem message beside the field that the refusal names. A `conflict` concerns the version. */
function refusedSettings(view: View, fields: Fields, refusal: Refusal, stored: ProviderForm): FormState {
  const values = valuesOf(fields);
  if (refusal.code === "conflict") return changedForm(view, values, storedValues(stored));
  if (asksStepUp(refusal)) return { values };
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
