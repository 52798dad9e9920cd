import { RESOURCE_CLAIMS, type ResourceClaim } from "../../../vocabulary/resource-claim.ts";

/** The form of an API's settings: name, tokens, requirements on sign-ins, and the applications with access. */

import type { Refusal } from "../../../base/problem.ts";
import { OAUTH_TOKEN_LIFETIME_MAX_SECONDS, OAUTH_TOKEN_LIFETIME_MIN_SECONDS } from "../../../limits/oauth-limits.ts";
import type { OAuthResource } from "../../../models/oauth-resource/oauth-resource.ts";
import { ACR_VALUES } from "../../../vocabulary/assurance.ts";
import { Area } from "../../components/area.tsx";
import { Check } from "../../components/check.tsx";
import { Choice } from "../../components/choice.tsx";
import { Actions, Button, Field, Form, type FormState } from "../../components/form.tsx";
import { Setting } from "../../components/lists.tsx";
import { Problem } from "../../components/notices.tsx";
import { StepUpAgain } from "../../components/step-up-again.tsx";
import { type Fields, memberIn } from "../../page.ts";
import { changedForm, refusedForm } from "../../problem-messages.ts";
import { versionOf } from "../../shared/displayed-version.ts";
import { useView, type View } from "../../view.tsx";
import { ALGORITHM_OPTIONS } from "../algorithm-options.ts";

interface SettingsProps {
  readonly resource: OAuthResource;
  readonly state: FormState;
  /** The user must present the second factor again before the form is sent. */
  readonly needsStepUp: boolean;
  /** The address of the page. */
  readonly place: string;
  /** The step of the button. */
  readonly step: string;
  readonly cancel: string;
}

const claimField = (claim: ResourceClaim) => `claim_${claim}`;

/** The stored settings as the values of the form. */
function settingValues(resource: OAuthResource): Record<string, string> {
  const claims = RESOURCE_CLAIMS.map((claim) => [claimField(claim), resource.claims.includes(claim) ? "yes" : ""]);
  return {
    name: resource.name,
    signing_alg: resource.signingAlg,
    dpop: resource.dpop,
    token_lifetime_seconds: resource.tokenLifetimeSeconds?.toString() ?? "",
    min_acr: resource.minAcr ?? "none",
    open_to: resource.openTo,
    organizations: resource.organizations?.join("\n") ?? "",
    ...Object.fromEntries(claims),
  };
}

/** The body of the change, for validation; a select box or list that was not sent keeps the value. */
export function submittedSettings(form: Fields): Readonly<Record<string, unknown>> {
  const lifetime = form.text("token_lifetime_seconds").trim();
  const organizations = form.text("organizations").split(/\s+/).filter(Boolean);
  return {
    name: form.text("name"),
    signing_alg: form.text("signing_alg") || undefined,
    dpop: form.text("dpop") || undefined,
    token_lifetime_seconds: lifetime === "" ? null : /^\d{1,6}$/.test(lifetime) ? Number(lifetime) : lifetime,
    min_acr: memberIn(ACR_VALUES, form.text("min_acr")) ?? null,
    open_to: form.text("open_to") || undefined,
    organizations: form.has("organizations") ? (organizations.length > 0 ? organizations : null) : undefined,
    claims: RESOURCE_CLAIMS.filter((claim) => form.has(claimField(claim))),
  };
}

/** The form with the submitted values. */
export function refusedSettings(view: View, form: Fields, resource: OAuthResource, error: Refusal): FormState {
  const stored = settingValues(resource);
  const isClaim = (name: string) => name.startsWith(claimField("" as ResourceClaim));
  const submitted = Object.entries(stored).map(([name, value]) => [
    name,
    form.has(name) || isClaim(name) ? form.text(name) : value,
  ]);
  const values = { ...Object.fromEntries(submitted), version: form.text("version") };
  if (error.code === "mfa_required") return { values };
  return error.code === "conflict"
    ? changedForm(view, values, stored)
    : refusedForm(view, error, values, {}, view.t.resources.rules);
}

export function SettingsSection({ resource, state, needsStepUp, place, step, cancel }: SettingsProps) {
  const { t } = useView();
  const version = state.values?.version ?? versionOf(resource.updatedAt);
  const filled = { ...state, values: { ...settingValues(resource), ...state.values } };
  return (
    <Setting title={t.resources.settings}>
      <Problem state={state} current={place} />
      <StepUpAgain visible={needsStepUp} at={place} />
      <Form action={place} class="panel stack">
        <input type="hidden" name="version" value={version} />
        <Field name="name" label={t.resources.name} state={filled} maxlength={120} />
        <Choice name="open_to" label={t.resources.openTo} options={t.resources.openToOptions} state={filled} />
        <Area
          name="organizations"
          label={t.resources.organizations}
          hint={t.resources.organizationsHint}
          state={filled}
        />
        <Choice name="min_acr" label={t.resources.minAcr} options={t.resources.minAcrOptions} state={filled} />
        <TokenFields state={filled} />
        <Actions cancel={cancel}>
          <Button kind="primary" name="step" value={step}>
            {t.common.save}
          </Button>
        </Actions>
      </Form>
    </Setting>
  );
}

function TokenFields({ state }: Pick<SettingsProps, "state">) {
  const { algorithm, algorithmHint, claimNames, claims, dpop, dpopHint, dpopOptions, lifetime, lifetimeHint } =
    useView().t.resources;
  return (
    <>
      <Field
        name="token_lifetime_seconds"
        label={lifetime}
        hint={lifetimeHint}
        state={state}
        type="number"
        min={OAUTH_TOKEN_LIFETIME_MIN_SECONDS}
        max={OAUTH_TOKEN_LIFETIME_MAX_SECONDS}
        optional
        quiet
      />
      <Choice name="signing_alg" label={algorithm} hint={algorithmHint} options={ALGORITHM_OPTIONS} state={state} />
      <Choice name="dpop" label={dpop} hint={dpopHint} options={dpopOptions} state={state} />
      <fieldset class="stack near">
        <legend>{claims}</legend>
        {RESOURCE_CLAIMS.map((claim) => (
          <Check key={claim} name={claimField(claim)} label={claimNames[claim]} detail={claim} state={state} />
        ))}
      </fieldset>
    </>
  );
}
