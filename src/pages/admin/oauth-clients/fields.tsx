import { Check, Field, FieldError, type FormState, firstErrorOf, StoredNow } from "../../components/form.tsx";
import { useView } from "../../view.tsx";
import { GRANTS } from "./form.ts";

interface FieldsProps {
  /** The fields display `values`. */
  readonly state: FormState;
}

/** The fields that can change after creation. `withKeys`: the application authenticates with its own keys, or may. */
export function ClientFields({ state, withKeys }: FieldsProps & { readonly withKeys: boolean }) {
  const { t } = useView();
  const { linesHint, audiencesHint } = t.clients;
  return (
    <>
      <Field name="name" label={t.clients.name} state={state} maxlength={120} />
      <Field name="logo_url" label={t.clients.logo} state={state} optional />
      <GrantFields state={state} />
      <Area name="redirect_uris" label={t.clients.redirectUris} hint={linesHint} state={state} />
      <Area name="post_logout_redirect_uris" label={t.clients.postLogoutUris} hint={linesHint} state={state} />
      <Field
        name="backchannel_logout_uri"
        label={t.clients.backchannel}
        hint={t.clients.backchannelHint}
        state={state}
        optional
      />
      <Field name="scopes" label={t.clients.scopes} hint={t.clients.scopesHint} state={state} optional quiet />
      <Area name="resources" label={t.clients.resources} hint={linesHint} state={state} />
      <Area name="audiences" label={t.clients.audiences} hint={audiencesHint} state={state} />
      {withKeys && <Area name="keys" label={t.clients.keys} hint={t.clients.keysHint} state={state} />}
      <Check name="first_party" label={t.clients.firstParty} state={state} />
    </>
  );
}

function GrantFields({ state }: FieldsProps) {
  const { t } = useView();
  const error = state.errors?.grant_types;
  return (
    <fieldset aria-describedby={error ? "grant_types-error" : undefined}>
      <legend>{t.clients.grants}</legend>
      {GRANTS.map((grant, index) => (
        <Check
          key={grant}
          name={`grant:${grant}`}
          label={t.clients.grantTypes[grant]}
          state={state}
          autofocus={index === 0 && firstErrorOf(state) === "grant_types"}
        />
      ))}
      <FieldError id="grant_types" text={error} announced />
    </fieldset>
  );
}

interface NamedProps extends FieldsProps {
  readonly name: string;
  readonly label: string;
}

/** Several lines. */
function Area({ name, label, hint, state }: NamedProps & { readonly hint: string }) {
  const error = state.errors?.[name];
  const stored = state.stored?.[name];
  const described = [error && `${name}-error`, stored !== undefined && `${name}-stored`, `${name}-hint`];
  return (
    <div class="field">
      <label for={name}>{label}</label>
      <textarea
        id={name}
        name={name}
        rows={3}
        class="mono"
        autocomplete="off"
        spellcheck={false}
        autofocus={firstErrorOf(state) === name}
        aria-invalid={error ? "true" : undefined}
        aria-describedby={described.filter(Boolean).join(" ")}
      >
        {state.values?.[name] ?? ""}
      </textarea>
      <FieldError id={name} text={error} />
      <StoredNow id={name} text={stored} />
      <p class="hint" id={`${name}-hint`}>
        {hint}
      </p>
    </div>
  );
}

/** The fields that cannot change after creation. */
export function FixedFields({ state }: FieldsProps) {
  const { t } = useView();
  return (
    <>
      <Choice name="application_type" label={t.clients.type} options={t.clients.types} state={state} />
      <Choice name="token_endpoint_auth_method" label={t.clients.method} options={t.clients.methods} state={state} />
      <Field name="sector" label={t.clients.sector} hint={t.clients.sectorHint} state={state} optional />
      <p class="soft">{t.clients.fixed}</p>
    </>
  );
}

function Choice({ name, label, options, state }: NamedProps & { readonly options: Readonly<Record<string, string>> }) {
  return (
    <div class="field">
      <label for={name}>{label}</label>
      <select id={name} name={name}>
        {Object.entries(options).map(([value, text]) => (
          <option key={value} value={value} selected={value === state.values?.[name]}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}
