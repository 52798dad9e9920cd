import { hasSecret } from "../../../flows/oauth/clients/client-change.ts";
import { identityOf } from "../../../flows/oauth/clients/client-identity.ts";
import { OAUTH_CLIENT_SECRETS_MAX } from "../../../limits/oauth-limits.ts";
import type { OAuthClient } from "../../../models/oauth-client/oauth-client.ts";
import { confirmPath, ofItem } from "../../action.ts";
import { applicationName } from "../../components/application.tsx";
import { Actions, Button, Form, type FormState } from "../../components/form.tsx";
import { ItemHead } from "../../components/item-head.tsx";
import { Empty, Row, Rows, Setting, Time } from "../../components/lists.tsx";
import { Problem } from "../../components/notices.tsx";
import { EditAfterStepUp, StepUpAgain } from "../../components/step-up-again.tsx";
import { Details } from "../../components/table.tsx";
import { useView } from "../../view.tsx";
import type { EditPermission } from "../console.tsx";
import {
  addClientSecret,
  deleteClient,
  deleteSecret,
  disableClient,
  enableClient,
  saveClient,
} from "./client-actions.ts";
import { ClientFields } from "./client-fields.tsx";
import { valuesOfClient } from "./form.ts";
import { ClientTags } from "./page.tsx";
import { CLIENTS } from "./paths.ts";

export interface ClientProps {
  readonly client: OAuthClient;
  readonly may: EditPermission;
  readonly state: FormState;
  /** The user must present the second factor again before the form is sent. */
  readonly needsStepUp: boolean;
}

export function ClientBody(props: ClientProps) {
  const view = useView();
  const { t } = view;
  const { client, may } = props;
  return (
    <>
      <ItemHead
        list={{ path: CLIENTS, title: t.clients.title }}
        name={applicationName(view, identityOf(client))}
        tags={<ClientTags client={client} />}
      >
        <div class="actions">
          <a class="button" href={`${CLIENTS}/${client.id}/connect`}>
            {t.connect.action}
          </a>
          <a class="button" href={`${CLIENTS}/${client.id}/claims`}>
            {t.mappings.title}
          </a>
          <a class="button" href={`${CLIENTS}/${client.id}/brand`}>
            {t.brand.title}
          </a>
        </div>
      </ItemHead>
      <Details details={useFixedDetails(client)} />
      {may === "edit" ? <EditSection {...props} /> : <SeeSection {...props} />}
      {hasSecret(client) && <SecretSection {...props} />}
      {may !== "none" && <AccessSection client={client} />}
    </>
  );
}

function useFixedDetails(client: OAuthClient) {
  const { t } = useView();
  return [
    [t.clients.clientId, <span class="mono">{client.document?.url ?? client.id}</span>] as const,
    [t.clients.origin, t.clients.origins[client.kind]] as const,
    [t.console.created, <Time at={client.createdAt} />] as const,
  ];
}

function SeeSection({ client, may }: ClientProps) {
  const { t, dates } = useView();
  const { clients } = t;
  const list = (texts: readonly string[]) => <span class="mono">{texts.join(" ") || "–"}</span>;
  return (
    <Setting title={clients.settings}>
      <Details
        details={[
          [clients.type, clients.types[client.applicationType]],
          [clients.method, clients.methods[client.tokenAuthMethod]],
          [t.resources.minAcr, t.resources.minAcrOptions[client.requireAcr ?? "none"]],
          [clients.pkce, clients.pkceOptions[client.requirePkce ? "true" : "false"]],
          [clients.codeBinding, clients.codeBindingOptions[client.requireNonceOrPkce ? "true" : "false"]],
          [clients.pushed, clients.pushedOptions[client.requirePushedRequests ? "true" : "false"]],
          [clients.dpop, clients.dpopOptions[client.dpopBoundAccessTokens ? "true" : "false"]],
          [clients.dpopNonce, clients.dpopNonceOptions[client.requireDpopNonce ? "true" : "false"]],
          [clients.repeat, String(client.refreshRepeatSeconds)],
          [clients.idTokenClaims, clients.idTokenClaimsOptions[client.idTokenClaims]],
          [clients.idTokenAlgorithm, client.idTokenSignedResponseAlg],
          [clients.sector, client.sector ?? "–"],
          [clients.grants, dates.list(client.grantTypes.map((grant) => clients.grantTypes[grant])) || "–"],
          [clients.redirectUris, list(client.redirectUris)],
          [clients.postLogoutUris, list(client.postLogoutRedirectUris)],
          [clients.backchannel, client.backchannelLogoutUri ?? "–"],
          [clients.logo, client.logoUrl ?? "–"],
          [clients.home, client.clientUri ?? "–"],
          [clients.policy, client.policyUri ?? "–"],
          [clients.terms, client.tosUri ?? "–"],
          [clients.scopes, list(client.scopes)],
          [clients.resources, list(client.resources)],
          [clients.audiences, list(client.audiences)],
          [clients.organizations, list(client.organizations ?? [])],
        ]}
      />
      {may === "see" && <EditAfterStepUp at={`${CLIENTS}/${client.id}`} />}
    </Setting>
  );
}

function EditSection({ client, state, needsStepUp }: ClientProps) {
  const { t } = useView();
  const displayed = { ...state, values: state.values ?? valuesOfClient(client) };
  return (
    <Setting title={t.clients.settings}>
      <Problem state={state} current={`${CLIENTS}/${client.id}`} />
      <StepUpAgain visible={needsStepUp} at={CLIENTS} />
      <Form action={`${CLIENTS}/${client.id}`} class="panel stack broad">
        <input type="hidden" name="version" value={displayed.values.version} />
        <ClientFields state={displayed} />
        <Actions cancel={CLIENTS}>
          <Button kind="primary" name="step" value={saveClient.step}>
            {t.common.save}
          </Button>
        </Actions>
      </Form>
    </Setting>
  );
}

function SecretSection({ client, may }: ClientProps) {
  const { t, dates } = useView();
  const { secrets, id } = client;
  return (
    <Setting title={t.clients.secrets} lead={t.clients.secretsLead}>
      <Rows>
        {secrets.map((secret) => (
          <Row
            key={secret.id}
            title={t.clients.secret}
            details={
              <>
                {t.console.created} <Time at={secret.createdAt} />
              </>
            }
          >
            {may !== "none" && (
              <a
                class="button bad"
                href={confirmPath(`${CLIENTS}/${id}`, ofItem(deleteSecret, secret.id))}
                data-confirm="yes"
                aria-label={`${t.clients.deleteSecret}: ${t.console.created} ${dates.exact(secret.createdAt)}`}
              >
                {t.clients.deleteSecret}
              </a>
            )}
          </Row>
        ))}
        {secrets.length === 0 && <Empty text={t.clients.noSecret} />}
      </Rows>
      {may !== "none" && secrets.length < OAUTH_CLIENT_SECRETS_MAX && (
        <Form action={`${CLIENTS}/${id}`}>
          <Button name="step" value={addClientSecret.step}>
            {t.clients.newSecret}
          </Button>
        </Form>
      )}
    </Setting>
  );
}

function AccessSection({ client }: Pick<ClientProps, "client">) {
  const { t } = useView();
  const place = `${CLIENTS}/${client.id}`;
  return (
    <Setting title={t.clients.access}>
      <div class="box danger">
        <Rows>
          {client.disabled ? (
            <Row title={t.clients.enable} details={t.clients.enableDetails}>
              <Form action={place}>
                <Button name="step" value={enableClient.step}>
                  {t.clients.enable}
                </Button>
              </Form>
            </Row>
          ) : (
            <Row title={t.clients.disable} details={t.clients.disableDetails}>
              <a class="button bad" href={confirmPath(place, disableClient)} data-confirm="yes">
                {t.clients.disable}
              </a>
            </Row>
          )}
          <Row title={t.clients.remove} details={t.clients.removeDetails}>
            <a class="button bad" href={confirmPath(place, deleteClient)} data-confirm="yes">
              {t.clients.remove}
            </a>
          </Row>
        </Rows>
      </div>
    </Setting>
  );
}
