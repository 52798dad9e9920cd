/** The set-up of a connection in steps on one page, for members: identity provider, values, domain, activation. */

import type { ComponentChildren } from "preact";
import {
  ACTIVATION_CONDITIONS,
  displayedConditions,
  needsSecret,
} from "../../flows/sso/connections/activation-conditions.ts";
import { confirmPath } from "../action.ts";
import { Button, Form } from "../components/form.tsx";
import { Empty, Row, Rows, Tag } from "../components/lists.tsx";
import { versionOf } from "../shared/displayed-version.ts";
import { useView } from "../view.tsx";
import { assignDomain, releaseDomain } from "./connection-actions.ts";
import { DOMAIN_TAGS } from "./domains-view.tsx";
import { AddressRows, GuideSteps } from "./guide-view.tsx";
import { lifecycleActions } from "./lifecycle-actions.ts";
import { SSO } from "./paths.ts";
import { MetadataForms, SamlValuesForm } from "./saml-values-view.tsx";
import { requestLinkActivation } from "./setup-link-actions.ts";
import { TestPart } from "./test-view.tsx";
import { CredentialKeys, ValuesForm } from "./values-view.tsx";
import type { ConnectionFormProps, ConnectionViewModel } from "./view-model.ts";

export function SetupSection(props: ConnectionFormProps) {
  const { t } = useView();
  const { viewModel } = props;
  const { connection, urls } = viewModel;
  const { values, credential, domain, test } = displayedConditions(connection, viewModel.domains);
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
        {connection.protocol === "saml" && <MetadataForms {...props} />}
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
        <ActivationPart viewModel={viewModel} />
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

/** The domains of the organization, and for which connection each counts. */
export function DomainRows({ viewModel }: PartProps) {
  const { t } = useView();
  const { domains, connection, canEdit, place, audience, domainsPlace } = viewModel;
  const { manageDomains, onlyHere, onlyOther, openToAll } = t.ssoConnections;
  const mayAssign = canEdit && audience === "member";
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
              {mayAssign && <AssignForm place={place} id={id} domain={domain} isHere={isHere} />}
            </Row>
          );
        })}
        {domains.length === 0 && <Empty text={t.singleSignOn.noDomains} />}
      </Rows>
      {domainsPlace === undefined ? (
        <p class="note">{t.ssoSetup.domainsElsewhere}</p>
      ) : (
        <div class="actions">
          <a class="button" href={domainsPlace}>
            {manageDomains}
          </a>
        </div>
      )}
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
        <Button name="step" value={releaseDomain.step} label={releaseNamed({ domain })}>
          {release}
        </Button>
      ) : (
        <Button name="step" value={assignDomain.step} label={assignNamed({ domain })}>
          {assign}
        </Button>
      )}
    </Form>
  );
}

/** The conditions of the activation, and the button once all conditions are met. */
export function ActivationPart({ viewModel }: PartProps) {
  const { t } = useView();
  const met = displayedConditions(viewModel.connection, viewModel.domains);
  const { met: metText, missing } = t.ssoConnections;
  const isSaml = viewModel.connection.protocol === "saml";
  const ofSaml = isSaml && { values: t.saml.needsSettings, credential: t.saml.needsKey };
  const conditions = { ...t.ssoConnections.conditions, ...ofSaml };
  const isReady = ACTIVATION_CONDITIONS.every((condition) => met[condition]);
  return (
    <>
      <Rows>
        {ACTIVATION_CONDITIONS.map((condition) => (
          <Row key={condition} title={conditions[condition]}>
            <Tag kind={met[condition] ? "good" : "plain"}>{met[condition] ? metText : missing}</Tag>
          </Row>
        ))}
      </Rows>
      {isReady && !isActive(viewModel) && <ActivationForm viewModel={viewModel} />}
      {viewModel.responsibility?.mayTakeOver && viewModel.canEdit && (
        <TakeOver connection={viewModel.connection} name={viewModel.responsibility.name} />
      )}
    </>
  );
}

/** Leads to the confirmation; the displayed version is part of the address. */
function TakeOver({ connection: { id, updatedAt }, name }: TakeOverProps) {
  const { takeOver, takeOverLead, takeOverNobody } = useView().t.ssoConnections;
  const href = confirmPath(SSO, lifecycleActions.takeOver, { id, version: versionOf(updatedAt) });
  return (
    <>
      <p class="note">{name === null ? takeOverNobody : takeOverLead({ name })}</p>
      <div class="actions">
        <a class="button" href={href} data-confirm="yes">
          {takeOver}
        </a>
      </div>
    </>
  );
}

interface TakeOverProps {
  readonly connection: Pick<ConnectionViewModel["connection"], "id" | "updatedAt">;
  /** Null: the account of the responsible person was deleted. */
  readonly name: string | null;
}

/** A set-up link asks for the activation, which waits for an owner. */
function ActivationForm({ viewModel: { audience, canEdit, connection, place } }: PartProps) {
  const { ssoConnections, ssoSetup } = useView().t;
  const isRequested = connection.activationRequestedAt !== null;
  if (audience === "setup_link") {
    if (isRequested) return <p class="note">{ssoSetup.waiting}</p>;
    return (
      <StatusForm place={place} step={requestLinkActivation.step} lead={ssoSetup.requestLead} text={ssoSetup.request} />
    );
  }
  if (!canEdit) return null;
  const href = confirmPath(SSO, lifecycleActions.activate, {
    id: connection.id,
    version: versionOf(connection.updatedAt),
  });
  return (
    <>
      {isRequested && <p class="note">{ssoSetup.awaitingOwner}</p>}
      <div class="actions">
        <a class="button primary" href={href} data-confirm="yes">
          {ssoConnections.activate}
        </a>
      </div>
    </>
  );
}

interface StatusFormProps {
  readonly place: string;
  readonly step: string;
  readonly lead: string;
  readonly text: string;
}

function StatusForm({ place, step, lead, text }: StatusFormProps) {
  return (
    <Form action={place} class="stack">
      <p class="note">{lead}</p>
      <div class="actions">
        <Button kind="primary" name="step" value={step}>
          {text}
        </Button>
      </div>
    </Form>
  );
}
