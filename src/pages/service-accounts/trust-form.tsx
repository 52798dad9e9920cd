/** The form of a trust: the choice of the platform of the program, then the inputs of its preset. */
import {
  TRUST_PRESET_NAMES,
  type TrustPresetInput,
  type TrustPresetName,
  trustPreset,
} from "../../flows/service-accounts/trust-presets.ts";
import { TRUST_PRESET_TEXT_MAX_CHARACTERS } from "../../limits/federation-limits.ts";
import { Area } from "../components/area.tsx";
import { Field, type FormState } from "../components/form.tsx";
import { SubPageHead } from "../components/item-head.tsx";
import { CreationForm } from "../components/question.tsx";
import { StepUpAgain } from "../components/step-up-again.tsx";
import type { Texts } from "../texts/catalogue.ts";
import { useView } from "../view.tsx";
import { type FormProps, Permissions, ReachField, StepUpFirst } from "./forms.tsx";
import { newTrustPath } from "./place.ts";
import { createTrustAction } from "./trust-actions.tsx";
import type { DisplayedPart } from "./view-model.ts";

type TrustFormProps = FormProps & {
  readonly part: Extract<DisplayedPart, { kind: "new-trust" }>;
  /** The form was refused for a missing second factor. */
  readonly needsStepUp: boolean;
};

export function TrustForm(props: TrustFormProps) {
  const { preset } = props.part;
  return preset === undefined ? <Presets {...props} /> : <PresetForm {...props} preset={preset} />;
}

/** The name of the platform; the preset of no platform has a text. */
export function presetName({ serviceAccounts }: Texts, preset: TrustPresetName): string {
  return preset === "other" ? serviceAccounts.trusts.other : trustPreset(preset).name;
}

/** Links, so that the choice works without scripts. */
function Presets({ scope: { basePath }, part: { account } }: TrustFormProps) {
  const { t } = useView();
  const { newFor, lead, presetsTitle } = t.serviceAccounts.trusts;
  return (
    <>
      <SubPageHead
        above={[{ href: basePath, text: t.serviceAccounts.title }]}
        title={newFor({ name: account.name })}
        lead={lead}
      />
      <nav aria-label={presetsTitle} class="presets">
        {TRUST_PRESET_NAMES.map((name) => (
          <a key={name} href={newTrustPath(basePath, account.id, name)}>
            <strong>{presetName(t, name)}</strong>
          </a>
        ))}
      </nav>
    </>
  );
}

function PresetForm({
  scope: { basePath },
  part: { account, stepUp, scopes },
  preset,
  state,
  needsStepUp,
}: TrustFormProps & { readonly preset: TrustPresetName }) {
  const { t } = useView();
  const { newFor, create, nameHint, needsStepUp: text, documentation } = t.serviceAccounts.trusts;
  const { inputs, guide } = trustPreset(preset);
  const returnTo = newTrustPath(basePath, account.id, preset);
  return (
    <CreationForm
      title={newFor({ name: account.name })}
      lead={presetName(t, preset)}
      action={basePath}
      cancel={newTrustPath(basePath, account.id)}
      submit={[create, createTrustAction.step]}
      state={state}
    >
      <StepUpAgain visible={needsStepUp} at={basePath} />
      {!needsStepUp && <StepUpFirst text={text} returnTo={returnTo} need={stepUp} />}
      <input type="hidden" name="id" value={account.id} />
      <input type="hidden" name="preset" value={preset} />
      <p>
        <a href={guide} target="_blank" rel="noopener noreferrer">
          {documentation}
        </a>
      </p>
      <Field name="name" label={t.serviceAccounts.name} hint={nameHint} state={state} maxlength={100} autofocus />
      {inputs.map((input) => (
        <PresetField key={input.name} input={input} state={state} />
      ))}
      {account.organizationId === null && <ReachField state={state} />}
      <Permissions scopes={scopes} state={state} />
    </CreationForm>
  );
}

function PresetField({ input, state }: { readonly input: TrustPresetInput; readonly state: FormState }) {
  const { t } = useView();
  const { inputs, hints } = t.serviceAccounts.trusts;
  const label = (inputs as Readonly<Record<string, string>>)[input.name] ?? input.name;
  const hint = (hints as Readonly<Record<string, string>>)[input.name];
  const optional = !input.required;
  if (input.several_lines) {
    return <Area name={input.name} label={label} hint={hint ?? ""} state={state} optional={optional} />;
  }
  return (
    <Field
      name={input.name}
      label={label}
      state={state}
      optional={optional}
      maxlength={TRUST_PRESET_TEXT_MAX_CHARACTERS}
      {...(hint === undefined ? {} : { hint })}
      {...(input.example === undefined ? {} : { placeholder: input.example })}
      {...(input.value === undefined ? {} : { value: input.value })}
    />
  );
}
