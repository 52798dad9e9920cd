import type { ProviderForm } from "../../../flows/integrations/administer.ts";
import type { ProbeOutcome } from "../../../flows/integrations/probe.ts";
import { stepUpPath } from "../../addresses.ts";
import { Check } from "../../components/check.tsx";
import { CopyResults, CopyRow } from "../../components/copy.tsx";
import { Actions, Button, Field, FieldError, Form, type FormState, firstErrorOf } from "../../components/form.tsx";
import { ItemHead } from "../../components/item-head.tsx";
import { Row, Rows, Setting, Time } from "../../components/lists.tsx";
import { Problem } from "../../components/notices.tsx";
import { StepUpAgain } from "../../components/step-up-again.tsx";
import { Details } from "../../components/table.tsx";
import { versionOf } from "../../shared/displayed-version.ts";
import type { Texts } from "../../texts/catalogue.ts";
import { useView } from "../../view.tsx";
import { probeProvider, saveProvider } from "./actions.ts";
import { PROVIDERS, ProviderTags } from "./page.tsx";

export interface ProviderProps {
  readonly form: ProviderForm;
  /** To register at an identity provider; undefined for an email provider. */
  readonly redirectUri: string | undefined;
  /**
   * `edit`: an administrator with a recent second factor; `see`: an administrator without a recent second factor;
   * `none`: a Viewer.
   */
  readonly may: "edit" | "see" | "none";
  readonly state: FormState;
  /** The user must present the second factor again before the form is sent. */
  readonly needsStepUp: boolean;
  readonly probe?: ProbeOutcome | undefined;
}

export function ProviderBody(props: ProviderProps) {
  const { t } = useView();
  const { form, redirectUri, may, probe } = props;
  return (
    <>
      <ItemHead
        list={{ path: PROVIDERS, title: t.providers.title }}
        name={form.name}
        tags={<ProviderTags provider={form.view} />}
      />
      {form.view.degraded && !probe && <p class="note bad">{t.providers.degradedDetails}</p>}
      {!form.secretsEnabled && <p class="note">{t.providers.noKey}</p>}
      {probe && <Probed probe={probe} />}
      {redirectUri !== undefined && (
        <Setting title={t.lists.redirectUri} lead={t.lists.redirectUriLead}>
          <Rows>
            <CopyRow id="redirect-uri" label={t.lists.redirectUri} text={redirectUri} />
          </Rows>
          <CopyResults />
        </Setting>
      )}
      {may === "edit" ? <EditSection {...props} /> : <SeeSection {...props} />}
      {may !== "none" && form.view.updatedAt && <ProbeSection form={form} />}
    </>
  );
}

/** The response of the provider, which may be any text. */
function Probed({ probe }: { readonly probe: ProbeOutcome }) {
  const { t } = useView();
  return (
    <p class={probe.ok ? "note good" : "note bad"} role="status">
      {probe.ok ? t.providers.works : t.providers.fails} <span lang="en">{probe.detail}</span>
    </p>
  );
}

function fieldName(t: Texts, field: string): string {
  const names: Readonly<Record<string, string>> = t.providers.fields;
  return names[field] ?? field;
}

function SeeSection({ form, may }: ProviderProps) {
  const { t } = useView();
  const { view, fields } = form;
  const place = `${PROVIDERS}/${view.provider}`;
  return (
    <Setting title={t.providers.settings}>
      <Details
        details={[
          ...fields.map((field) => [fieldName(t, field), view.publicConfig[field] ?? "–"] as const),
          [t.providers.secret, view.secretSet ? t.providers.secretStored : t.providers.noSecret],
          ...(view.keyId ? ([[t.providers.keyId, <span class="mono">{view.keyId}</span>]] as const) : []),
          ...(view.updatedAt ? ([[t.providers.changed, <Time at={view.updatedAt} />]] as const) : []),
        ]}
      />
      {may === "see" && (
        <a class="button primary" href={stepUpPath(place)}>
          {t.providers.edit}
        </a>
      )}
    </Setting>
  );
}

function EditSection({ form, state, needsStepUp }: ProviderProps) {
  const { t } = useView();
  const { view, fields } = form;
  const place = `${PROVIDERS}/${view.provider}`;
  return (
    <Setting title={t.providers.settings}>
      <Problem state={state} current={place} />
      <StepUpAgain visible={needsStepUp} at={PROVIDERS} />
      <Form action={place} class="panel stack">
        <input type="hidden" name="version" value={state.values?.version ?? versionOf(view.updatedAt)} />
        <Check name="enabled" label={t.providers.enabled} state={state} checked={view.enabled} />
        {fields.map((field) => (
          <Field
            key={field}
            name={field}
            label={fieldName(t, field)}
            state={state}
            value={view.publicConfig[field] ?? ""}
            optional
            quiet
            {...(field === "tenant" ? { hint: t.providers.tenantHint } : {})}
          />
        ))}
        <SecretField form={form} state={state} />
        <Actions cancel={PROVIDERS}>
          <Button kind="primary" name="step" value={saveProvider.step}>
            {t.common.save}
          </Button>
        </Actions>
      </Form>
    </Setting>
  );
}

/** A secret goes in and never comes out: the field is always empty. */
function SecretField({ form: { view, secretsEnabled }, state }: Pick<ProviderProps, "form" | "state">) {
  const { t } = useView();
  if (!secretsEnabled) return null;
  const error = state.errors?.secret;
  const isKey = view.provider === "oauth_idp_d";
  const attributes = {
    id: "secret",
    name: "secret",
    autocomplete: "off",
    "aria-describedby": error ? "secret-error secret-hint" : "secret-hint",
    "aria-invalid": error ? ("true" as const) : undefined,
    autofocus: firstErrorOf(state) === "secret",
  };
  // Browsers ignore `off` for a password field and would fill in the password of this site.
  const password = { type: "password", autocomplete: "new-password" } as const;
  return (
    <>
      <div class="field">
        <label for="secret">{isKey ? t.providers.privateKey : t.providers.secret}</label>
        {isKey ? <textarea {...attributes} rows={5} class="mono" /> : <input {...attributes} {...password} />}
        <FieldError id="secret" text={error} announced />
        <p class="hint" id="secret-hint">
          {isKey && t.providers.privateKeyHint} {view.secretSet ? t.providers.secretKept : t.providers.secretNew}
        </p>
      </div>
      {view.secretSet && <Check name="clear_secret" label={t.providers.clear} state={state} />}
    </>
  );
}

function ProbeSection({ form }: { readonly form: ProviderForm }) {
  const { t } = useView();
  return (
    <Rows>
      <Row title={t.providers.probe} details={t.providers.probeDetails}>
        <Form action={`${PROVIDERS}/${form.view.provider}`}>
          <Button name="step" value={probeProvider.step}>
            {t.providers.probe}
          </Button>
        </Form>
      </Row>
    </Rows>
  );
}
