/** The set-up of a connection in steps: identity provider, values, domain, activation. */
import type { ComponentChildren } from "preact";
import { isCompleteConfig } from "../../flows/sso-connections/connection-change.ts";
import type { SsoConnection } from "../../models/sso-connection/sso-connection.ts";
import { Button, Form } from "../components/form.tsx";
import { Empty, Row, Rows, Tag } from "../components/lists.tsx";
import { useView } from "../view.tsx";
import { DOMAIN_TAGS } from "./domains-view.tsx";
import { AddressRows, GuideSteps } from "./guide-view.tsx";
import { connectionPath, SSO } from "./paths.ts";
import { MetadataForm, SamlValuesForm } from "./saml-values-view.tsx";
import { TestPart } from "./test-view.tsx";
import { CredentialKeys, ValuesForm } from "./values-view.tsx";
import type { ConnectionFormProps, ConnectionViewModel } from "./view-model.ts";

/** What a connection needs before the activation. */
type Condition = "values" | "credential" | "domain" | "test";

function conditionsOf({ connection, domains }: ConnectionViewModel): Readonly<Record<Condition, boolean>> {
  const { sealedSecret, testedAt } = connection;
  return {
    values: isCompleteConfig(connection),
    credential: !needsSecret(connection) || sealedSecret !== null,
    domain: domains.some(({ status }) => status === "verified" || status === "failing"),
    test: testedAt !== null,
  };
}

/** A connection by SAML has its key from the start. */
function needsSecret(connection: SsoConnection): boolean {
  return connection.protocol === "oidc" && connection.config.token_auth === "client_secret";
}

export function SetupSection(props: ConnectionFormProps) {
  const { t } = useView();
  const { viewModel } = props;
  const { connection, urls } = viewModel;
  const { values, credential, domain, test } = conditionsOf(viewModel);
  const { addresses, domains, domainsLead, provider, providerLead, instructions } = t.ssoConnections;
  const hasValues = values && credential;
  return (
    <ol class="steps">
      <Step title={provider} lead={providerLead} isDone={hasValues}>
        <details class="fold" open={!hasValues}>
          <summary>
            <span class="fold-title">{instructions}</span>
          </summary>
          <div>
            <GuideSteps protocol={connection.protocol} preset={connection.preset} urls={urls} />
          </div>
        </details>
        <details class="fold">
          <summary>
            <span class="fold-title">{addresses}</span>
          </summary>
          <div>
            <AddressRows protocol={connection.protocol} urls={urls} />
          </div>
        </details>
      </Step>
      <Step title={t.ssoConnections.values} isDone={hasValues}>
        {connection.protocol === "saml" && <MetadataForm {...props} />}
        {connection.protocol === "saml" ? <SamlValuesForm {...props} /> : <ValuesForm {...props} />}
        {!needsSecret(connection) && <CredentialKeys viewModel={viewModel} />}
      </Step>
      <Step title={domains} lead={domainsLead} isDone={domain}>
        <DomainRows viewModel={viewModel} />
      </Step>
      <Step title={t.ssoTests.title} lead={t.ssoTests.lead} isDone={test}>
        <TestPart viewModel={viewModel} isComplete={hasValues} />
      </Step>
      <Step title={t.ssoConnections.activation} lead={t.ssoConnections.activationLead} isDone={isActive(viewModel)}>
        <Activation viewModel={viewModel} />
      </Step>
    </ol>
  );
}

interface StepProps {
  readonly title: string;
  readonly lead?: string;
  readonly isDone: boolean;
  readonly children: ComponentChildren;
}

function Step({ title, lead, isDone, children }: StepProps) {
  const { t } = useView();
  return (
    <li class={isDone ? "done" : undefined}>
      <section class="stack">
        <header>
          <h2>
            {title} {isDone && <span class="sr">({t.ssoConnections.met})</span>}
          </h2>
          {lead && <p class="soft">{lead}</p>}
        </header>
        {children}
      </section>
    </li>
  );
}

interface PartProps {
  readonly viewModel: ConnectionViewModel;
}

function isActive({ connection }: ConnectionViewModel): boolean {
  return connection.status === "active";
}

function DomainRows({ viewModel: { domains, connection, canEdit } }: PartProps) {
  const { t } = useView();
  const { manageDomains, onlyHere, onlyOther, openToAll } = t.ssoConnections;
  return (
    <>
      <Rows>
        {domains.map(({ id, domain, status, connectionId }) => {
          const isHere = connectionId === connection.id;
          return (
            <Row
              key={id}
              title={
                <>
                  {domain} <Tag kind={DOMAIN_TAGS[status]}>{t.singleSignOn.statuses[status]}</Tag>
                </>
              }
              details={connectionId === null ? openToAll : isHere ? onlyHere : onlyOther}
            >
              {canEdit && <AssignForm place={connectionPath(connection.id)} id={id} domain={domain} isHere={isHere} />}
            </Row>
          );
        })}
        {domains.length === 0 && <Empty text={t.singleSignOn.noDomains} />}
      </Rows>
      <div class="actions">
        <a class="button" href={`${SSO}#domains`}>
          {manageDomains}
        </a>
      </div>
    </>
  );
}

interface AssignProps {
  readonly place: string;
  readonly id: string;
  readonly domain: string;
  readonly isHere: boolean;
}

function AssignForm({ place, id, domain, isHere }: AssignProps) {
  const { assign, assignNamed, release, releaseNamed } = useView().t.ssoConnections;
  return (
    <Form action={place}>
      <input type="hidden" name="domain" value={id} />
      {isHere ? (
        <Button name="step" value="release" label={releaseNamed(domain)}>
          {release}
        </Button>
      ) : (
        <Button name="step" value="assign" label={assignNamed(domain)}>
          {assign}
        </Button>
      )}
    </Form>
  );
}

const CONDITIONS: readonly Condition[] = ["values", "credential", "domain", "test"];

/** The conditions of the activation, and the button once all conditions are met. */
function Activation({ viewModel }: PartProps) {
  const { t } = useView();
  const met = conditionsOf(viewModel);
  const { activate, met: metText, missing } = t.ssoConnections;
  const isSaml = viewModel.connection.protocol === "saml";
  const ofSaml = isSaml && { values: t.saml.needsSettings, credential: t.saml.needsKey };
  const conditions = { ...t.ssoConnections.conditions, ...ofSaml };
  const isReady = CONDITIONS.every((condition) => met[condition]);
  return (
    <>
      <Rows>
        {CONDITIONS.map((condition) => (
          <Row key={condition} title={conditions[condition]}>
            <Tag kind={met[condition] ? "good" : "plain"}>{met[condition] ? metText : missing}</Tag>
          </Row>
        ))}
      </Rows>
      {viewModel.canEdit && isReady && !isActive(viewModel) && (
        <Form action={connectionPath(viewModel.connection.id)}>
          <Button kind="primary" name="step" value="activate">
            {activate}
          </Button>
        </Form>
      )}
    </>
  );
}
