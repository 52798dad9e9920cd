/** The fields of an application, in three folds. A fold with a problem is open. */

import type { ComponentChildren } from "preact";
import { GRANT_TYPES } from "../../../vocabulary/grant-type.ts";
import { USER_SCOPES } from "../../../vocabulary/user-scopes.ts";
import { Area } from "../../components/area.tsx";
import { Check } from "../../components/check.tsx";
import { Choice } from "../../components/choice.tsx";
import { Field, FieldError, type FormState, firstErrorOf } from "../../components/form.tsx";
import { useView } from "../../view.tsx";
import { ALGORITHM_OPTIONS } from "../algorithm-options.ts";
import { scopeField } from "./form.ts";

interface FieldsProps {
  /** The fields display `values`. */
  readonly state: FormState;
}

export function ClientFields({ state }: FieldsProps) {
  const { t } = useView();
  const { folds } = t.clients;
  // The addresses of an application without users are no basics.
  const signsUsersIn = state.values?.["grant:authorization_code"] === "yes";
  return (
    <>
      <Fold title={folds.basics} lead={folds.basicsLead} fields={[]} state={state} open>
        <Field name="name" label={t.clients.name} hint={t.clients.nameHint} state={state} maxlength={120} />
        {signsUsersIn && <SignInFields state={state} />}
      </Fold>
      <Fold title={folds.tokens} lead={folds.tokensLead} fields={TOKENS} state={state}>
        <TokenFields state={state} />
      </Fold>
      <Fold
        title={folds.advanced}
        lead={folds.advancedLead}
        fields={signsUsersIn ? ADVANCED : [...SIGN_IN, ...ADVANCED]}
        state={state}
      >
        {!signsUsersIn && <SignInFields state={state} />}
        <AdvancedFields state={state} />
      </Fold>
    </>
  );
}

/** The bound of the field is higher than the default only for an application that proves itself or its key. */
const REPEAT = "refresh_repeat_seconds";

const SIGN_IN = [
  "redirect_uris",
  "post_logout_redirect_uris",
  "logo_url",
  "client_uri",
  "policy_uri",
  "tos_uri",
  "organizations",
];
const TOKENS = [
  "grant_types",
  ...USER_SCOPES.map(scopeField),
  "scopes",
  "id_token_claims",
  "id_token_signed_response_alg",
  "resources",
  "audiences",
  "refresh_token_rotation",
  REPEAT,
  "exchanges",
];
const ADVANCED = [
  "application_type",
  "token_endpoint_auth_method",
  "require_acr",
  "require_pkce",
  "require_nonce_or_pkce",
  "require_pushed_authorization_requests",
  "dpop_bound_access_tokens",
  "require_dpop_nonce",
  "require_signed_request_object",
  "profile",
  "keys",
  "jwks_uri",
  "backchannel_logout_uri",
  "sector",
];

interface FoldProps extends FieldsProps {
  readonly title: string;
  readonly lead: string;
  readonly fields: readonly string[];
  readonly open?: boolean;
  readonly children: ComponentChildren;
}

function Fold({ title, lead, fields, state, open = false, children }: FoldProps) {
  const needsAttention = fields.some((name) => state.errors?.[name] ?? state.stored?.[name]);
  return (
    <details class="fold" open={open || needsAttention}>
      <summary>
        <span class="fold-title">{title}</span> <span class="soft">{lead}</span>
      </summary>
      <div class="stack">{children}</div>
    </details>
  );
}

function SignInFields({ state }: FieldsProps) {
  const { t } = useView();
  return (
    <>
      <Area name="redirect_uris" label={t.clients.redirectUris} hint={t.clients.redirectHint} state={state} />
      <Area
        name="post_logout_redirect_uris"
        label={t.clients.postLogoutUris}
        hint={t.clients.postLogoutHint}
        state={state}
        optional
      />
      <Field name="logo_url" label={t.clients.logo} hint={t.clients.logoHint} state={state} optional />
      <Field name="client_uri" label={t.clients.home} state={state} optional />
      <Field name="policy_uri" label={t.clients.policy} state={state} optional />
      <Field name="tos_uri" label={t.clients.terms} state={state} optional />
      <Check name="first_party" label={t.clients.firstParty} state={state} />
      <Area
        name="organizations"
        label={t.clients.organizations}
        hint={t.clients.organizationsHint}
        state={state}
        optional
      />
    </>
  );
}

function TokenFields({ state }: FieldsProps) {
  const { t } = useView();
  const { linesHint, audiencesHint } = t.clients;
  return (
    <>
      <GrantFields state={state} />
      <ScopeFields state={state} />
      <Choice
        name="id_token_claims"
        label={t.clients.idTokenClaims}
        hint={t.clients.idTokenClaimsHint}
        options={t.clients.idTokenClaimsOptions}
        state={state}
      />
      <Choice
        name="id_token_signed_response_alg"
        label={t.clients.idTokenAlgorithm}
        hint={t.clients.idTokenAlgorithmHint}
        options={ALGORITHM_OPTIONS}
        state={state}
      />
      <Area name="resources" label={t.clients.resources} hint={linesHint} state={state} />
      <Area name="audiences" label={t.clients.audiences} hint={audiencesHint} state={state} />
      <Choice
        name="refresh_token_rotation"
        label={t.clients.rotation}
        hint={t.clients.rotationHint}
        options={t.clients.rotationOptions}
        state={state}
      />
      {mayRepeat(state) && <Field name={REPEAT} label={t.clients.repeat} hint={t.clients.repeatHint} state={state} />}
      <Area name="exchanges" label={t.clients.exchanges} hint={t.clients.exchangesHint} state={state} />
    </>
  );
}

/** Also beside a problem of the field, as after a change of the method to "none". */
function mayRepeat({ values, errors }: FormState): boolean {
  const isProtected = values?.token_endpoint_auth_method !== "none" || values.dpop_bound_access_tokens === "true";
  return isProtected || errors?.[REPEAT] !== undefined;
}

function AdvancedFields({ state }: FieldsProps) {
  const { t } = useView();
  return (
    <>
      <Choice name="application_type" label={t.clients.type} options={t.clients.types} state={state} />
      <Choice
        name="token_endpoint_auth_method"
        label={t.clients.method}
        hint={t.clients.methodHint}
        options={t.clients.methods}
        state={state}
      />
      <Choice name="require_acr" label={t.resources.minAcr} options={t.resources.minAcrOptions} state={state} />
      <Choice
        name="require_pkce"
        label={t.clients.pkce}
        hint={t.clients.pkceHint}
        options={t.clients.pkceOptions}
        state={state}
      />
      <Choice
        name="require_nonce_or_pkce"
        label={t.clients.codeBinding}
        hint={t.clients.codeBindingHint}
        options={t.clients.codeBindingOptions}
        state={state}
      />
      <Choice
        name="require_pushed_authorization_requests"
        label={t.clients.pushed}
        hint={t.clients.pushedHint}
        options={t.clients.pushedOptions}
        state={state}
      />
      <Choice
        name="dpop_bound_access_tokens"
        label={t.clients.dpop}
        hint={t.clients.dpopHint}
        options={t.clients.dpopOptions}
        state={state}
      />
      <Choice
        name="require_dpop_nonce"
        label={t.clients.dpopNonce}
        hint={t.clients.dpopNonceHint}
        options={t.clients.dpopNonceOptions}
        state={state}
      />
      <Choice
        name="require_signed_request_object"
        label={t.clients.signedRequests}
        hint={t.clients.signedRequestsHint}
        options={t.clients.signedRequestsOptions}
        state={state}
      />
      <Choice
        name="profile"
        label={t.clients.profile}
        hint={t.clients.profileHint}
        options={t.clients.profileOptions}
        state={state}
      />
      <Area name="keys" label={t.clients.keys} hint={t.clients.keysHint} state={state} />
      <Field name="jwks_uri" label={t.clients.jwksUri} hint={t.clients.jwksUriHint} state={state} optional />
      <Field
        name="backchannel_logout_uri"
        label={t.clients.backchannel}
        hint={t.clients.backchannelHint}
        state={state}
        optional
      />
      <Field name="sector" label={t.clients.sector} hint={t.clients.sectorHint} state={state} optional />
    </>
  );
}

function GrantFields({ state }: FieldsProps) {
  const { t } = useView();
  const error = state.errors?.grant_types;
  return (
    <fieldset aria-describedby={error ? "grant_types-error" : undefined}>
      <legend>{t.clients.grants}</legend>
      {GRANT_TYPES.map((grant, index) => (
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

/** The scopes of this service, and the application's own scopes. */
function ScopeFields({ state }: FieldsProps) {
  const { t } = useView();
  return (
    <fieldset>
      <legend>{t.clients.scopes}</legend>
      {USER_SCOPES.map((scope) => (
        <Check key={scope} name={scopeField(scope)} label={t.oauth.scopes[scope]} detail={scope} state={state} />
      ))}
      <Field name="scopes" label={t.clients.ownScopes} hint={t.clients.ownScopesHint} state={state} optional quiet />
    </fieldset>
  );
}
