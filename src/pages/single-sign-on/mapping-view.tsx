import { CLAIM_MEMBERS } from "../../flows/sso/connections/config-rules.ts";
import { SSO_CLOCK_SKEW_MAX_SECONDS } from "../../limits/sso-limits.ts";
import type { SsoProtocol } from "../../vocabulary/sso/protocol-config.ts";
import { Area } from "../components/area.tsx";
import { Check } from "../components/check.tsx";
import { Choice } from "../components/choice.tsx";
import { Actions, Button, Field, Form, type FormState } from "../components/form.tsx";
import { Setting } from "../components/lists.tsx";
import type { Texts } from "../texts/catalogue.ts";
import { useView } from "../view.tsx";
import { saveMapping } from "./connection-actions.ts";
import { isOptionalClaim } from "./connection-form.ts";
import { FormProblem } from "./connection-parts.tsx";
import { connectionPath } from "./paths.ts";
import type { ConnectionFormProps } from "./view-model.ts";

interface PartProps {
  readonly state: FormState;
  readonly protocol: SsoProtocol;
}

/** Which claims the service reads, and what the claims mean. The page of a set-up link has the form among its steps. */
export function MappingSection(props: ConnectionFormProps) {
  const { t } = useView();
  const { viewModel, state } = props;
  const isOfLink = viewModel.audience === "setup_link";
  const place = isOfLink ? viewModel.place : connectionPath(viewModel.connection.id, "mapping");
  const { factor, factorLead, request, requestLead } = t.ssoConnections;
  const { protocol } = viewModel.connection;
  const { mapping, mappingLead, mfaTrust } = wordsOf(t, protocol);
  return (
    <Form action={viewModel.place}>
      <input type="hidden" name="version" value={state.values?.version} />
      {(!isOfLink || props.refused === "save-mapping") && <FormProblem {...props} at={place} />}
      <Setting title={mapping} lead={mappingLead}>
        <div class="panel stack">
          <ClaimFields state={state} protocol={protocol} />
        </div>
      </Setting>
      <Setting title={factor} lead={factorLead}>
        <div class="panel stack">
          <Area name="mfa_trust" label={mfaTrust} hint={t.ssoConnections.mfaHint} state={state} />
        </div>
      </Setting>
      <Setting title={request} lead={requestLead}>
        <div class="panel stack">
          <RequestFields state={state} protocol={protocol} />
        </div>
        {viewModel.canEdit && (
          <Actions cancel={place}>
            <Button kind="primary" name="step" value={saveMapping.step}>
              {t.common.save}
            </Button>
          </Actions>
        )}
      </Setting>
    </Form>
  );
}

/** OpenID Connect has claims, SAML has attributes. */
function wordsOf({ saml, ssoConnections }: Texts, protocol: SsoProtocol) {
  const { mapping, mappingLead, mfaTrust } = ssoConnections;
  if (protocol === "oidc") return { mapping, mappingLead, mfaTrust };
  return { mapping: saml.attributes, mappingLead: saml.attributesLead, mfaTrust: saml.mfaTrust };
}

function ClaimFields({ state, protocol }: PartProps) {
  const { t } = useView();
  const { attributes, attributesHint, claims, claimsFrom, claimsFroms, subjectHint } = t.ssoConnections;
  return (
    <>
      {CLAIM_MEMBERS.map((name) => (
        <Field
          key={name}
          name={name}
          label={claims[name]}
          state={state}
          optional={isOptionalClaim(name, protocol)}
          {...(name === "subject_from" && { hint: subjectHint })}
        />
      ))}
      <Area name="attributes" label={attributes} hint={attributesHint} state={state} />
      {protocol === "oidc" && <Choice name="claims_from" label={claimsFrom} options={claimsFroms} state={state} />}
    </>
  );
}

function RequestFields({ state, protocol }: PartProps) {
  const { t } = useView();
  const { idpInitiated, parameters, parametersHint, scopesHint, skew } = t.ssoConnections;
  return (
    <>
      {protocol === "oidc" && (
        <>
          <Field name="scopes" label={t.clients.scopes} hint={scopesHint} state={state} />
          <Area name="extra_parameters" label={parameters} hint={parametersHint} state={state} />
        </>
      )}
      <Field
        name="clock_skew_seconds"
        type="number"
        label={skew}
        min={0}
        max={SSO_CLOCK_SKEW_MAX_SECONDS}
        state={state}
      />
      <Check name="idp_initiated" label={idpInitiated} state={state} />
    </>
  );
}
