/** The values of the identity provider, and the credential of the service. */
import { SAML_CERTIFICATE_HINT_MS } from "../../limits/saml-limits.ts";
import type { ServiceKey } from "../../models/sso-connection/service-key.ts";
import { Check } from "../components/check.tsx";
import { Choice } from "../components/choice.tsx";
import { CopyRow } from "../components/copy.tsx";
import { Button, Field, FieldError, Form, type FormState, firstErrorOf } from "../components/form.tsx";
import { Row, Rows, Tag, Time } from "../components/lists.tsx";
import { useView } from "../view.tsx";
import { createKey, promoteNextKey, removePreviousKey, saveValues } from "./connection-actions.ts";
import { FormProblem } from "./connection-parts.tsx";
import { GUIDES } from "./guides.ts";
import type { ConnectionFormProps, ConnectionViewModel } from "./view-model.ts";

export function ValuesForm(props: ConnectionFormProps) {
  const { t } = useView();
  const { viewModel, state } = props;
  const { connection, canEdit, now, place, storesSecrets } = viewModel;
  const { issuerFormat } = GUIDES[connection.preset];
  const usesSecret = connection.protocol === "oidc" && connection.config.token_auth === "client_secret";
  const { issuerHint, name, nameHint, noConfigKey, tokenAuth, tokenAuths } = t.ssoConnections;
  return (
    <Form action={place} class="panel stack" novalidate>
      <input type="hidden" name="version" value={state.values?.version} />
      {props.refused !== "save-mapping" && <FormProblem {...props} at={place} />}
      {!storesSecrets && <p class="note warn">{noConfigKey}</p>}
      <Field name="name" label={name} hint={nameHint} state={state} />
      <Field
        name="issuer"
        type="url"
        label={t.connect.issuer}
        hint={issuerHint({ format: issuerFormat })}
        state={state}
      />
      <Field name="client_id" label={t.clients.clientId} state={state} />
      <Choice name="token_auth" label={tokenAuth} options={tokenAuths} state={state} />
      {usesSecret && <SecretFields isSet={connection.sealedSecret !== null} state={state} />}
      {usesSecret && <SecretExpiry expiresOn={connection.config.client_secret_expires_on} {...{ now, state }} />}
      {canEdit && (
        <div class="actions">
          <Button kind="primary" name="step" value={saveValues.step}>
            {t.common.save}
          </Button>
        </div>
      )}
    </Form>
  );
}

/** A secret goes in and never comes out: the field is always empty. */
function SecretFields({ isSet, state }: { readonly isSet: boolean; readonly state: FormState }) {
  const { clearSecret, clientSecret, secretNew, secretStored } = useView().t.ssoConnections;
  const error = state.errors?.client_secret;
  return (
    <>
      <div class="field">
        <label for="client_secret">{clientSecret}</label>
        <input
          id="client_secret"
          name="client_secret"
          type="password"
          // Browsers ignore `off` for a password field and would fill in the password of this site.
          autocomplete="new-password"
          autofocus={firstErrorOf(state) === "client_secret"}
          aria-invalid={error ? "true" : undefined}
          aria-describedby={error ? "client_secret-error client_secret-hint" : "client_secret-hint"}
        />
        <FieldError id="client_secret" text={error} />
        <p class="hint" id="client_secret-hint">
          {isSet ? secretStored : secretNew}
        </p>
      </div>
      {isSet && <Check name="clear_secret" label={clearSecret} state={{}} />}
    </>
  );
}

interface SecretExpiryProps {
  readonly expiresOn: string | null;
  readonly now: Date;
  readonly state: FormState;
}

/** The day on which the identity provider stops to accept the secret, with a warning near the day. */
function SecretExpiry({ expiresOn, now, state }: SecretExpiryProps) {
  const { t, dates } = useView();
  const { secretEnded, secretEnds, secretExpiry, secretExpiryHint } = t.ssoConnections;
  const end = expiresOn === null ? undefined : new Date(expiresOn);
  const left = end === undefined ? Number.POSITIVE_INFINITY : end.getTime() - now.getTime();
  const warning = left > 0 ? secretEnds : secretEnded;
  return (
    <>
      <Field
        name="client_secret_expires_on"
        type="date"
        label={secretExpiry}
        hint={secretExpiryHint}
        state={state}
        optional
      />
      {end && left < SAML_CERTIFICATE_HINT_MS && <p class="note warn">{warning({ date: dates.utcDate(end) })}</p>}
    </>
  );
}

/** The keys of `private_key_jwt` or of SAML, and the steps of a rollover. */
export function CredentialKeys({ viewModel }: { readonly viewModel: ConnectionViewModel }) {
  const { saml, ssoConnections } = useView().t;
  const { connection, serviceKeys, urls, canEdit, audience, place } = viewModel;
  const isSaml = connection.protocol === "saml";
  const keysLead = isSaml ? saml.keysLead : ssoConnections.keysLead;
  return (
    <div class="stack">
      <p class="soft">{keysLead}</p>
      <Rows>
        {isSaml ? (
          <CopyRow id="sp_metadata" label="sp_entity_id" text={urls.spEntityId} />
        ) : (
          <CopyRow id="jwks_uri" label="jwks_uri" text={urls.jwksUri} />
        )}
        {serviceKeys.map((key) => (
          <KeyRow key={key.id} serviceKey={key} />
        ))}
      </Rows>
      {canEdit && audience === "member" && <KeyActions place={place} serviceKeys={serviceKeys} />}
    </div>
  );
}

const KEY_TAGS = { current: "good", next: "on", previous: "plain" } as const;

function KeyRow({ serviceKey: { publicJwk, status, createdAt } }: { readonly serviceKey: ServiceKey }) {
  const { t } = useView();
  return (
    <Row title={<code>{publicJwk.kid}</code>} details={<Time at={createdAt} />}>
      <Tag kind={KEY_TAGS[status]}>{t.ssoConnections.keyStatuses[status]}</Tag>
    </Row>
  );
}

interface KeyActionsProps {
  readonly place: string;
  readonly serviceKeys: readonly ServiceKey[];
}

function KeyActions({ place, serviceKeys }: KeyActionsProps) {
  const { addKey, promoteKey, removeKey } = useView().t.ssoConnections;
  const has = (status: ServiceKey["status"]) => serviceKeys.some((key) => key.status === status);
  return (
    <Form action={place} class="actions">
      {has("next") ? (
        <Button name="step" value={promoteNextKey.step}>
          {promoteKey}
        </Button>
      ) : (
        <Button name="step" value={createKey.step}>
          {addKey}
        </Button>
      )}
      {has("previous") && (
        <Button name="step" value={removePreviousKey.step}>
          {removeKey}
        </Button>
      )}
    </Form>
  );
}
