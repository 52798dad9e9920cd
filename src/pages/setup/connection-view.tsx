/** The pages of the steps to an active connection. */
import type { ComponentChildren } from "preact";
import { needsSecret } from "../../flows/sso/connections/activation-conditions.ts";
import { PRESETS } from "../../vocabulary/sso/preset.ts";
import { Icon } from "../components/icon.tsx";
import { AddressRows, Instructions, ProductGuides } from "../single-sign-on/guide-view.tsx";
import { MappingSection } from "../single-sign-on/mapping-view.tsx";
import { providerName, StatusTag } from "../single-sign-on/parts.tsx";
import { PROTOCOL_NAMES, PresetChoice } from "../single-sign-on/preset-choice.tsx";
import { MetadataForms, SamlValuesForm } from "../single-sign-on/saml-values-view.tsx";
import { ActivationPart, DomainRows } from "../single-sign-on/setup-view.tsx";
import { TestPart } from "../single-sign-on/test-view.tsx";
import { CredentialKeys, ValuesForm } from "../single-sign-on/values-view.tsx";
import type { ConnectionFormProps, ConnectionViewModel } from "../single-sign-on/view-model.ts";
import { useView } from "../view.tsx";
import { isDone, lacksNames, lacksUserData, stepPath, type WizardStep } from "./connection-steps.ts";
import { ConsoleDrawing } from "./console-drawing.tsx";
import { SETUP_CONNECTION } from "./paths.ts";
import { TaskFrame } from "./setup-frame.tsx";

interface WizardProps extends ConnectionFormProps {
  readonly steps: readonly WizardStep[];
  readonly step: WizardStep;
}

export function ConnectionWizard(props: WizardProps) {
  const { t } = useView();
  const { viewModel, steps, step } = props;
  const { connection } = viewModel;
  const { isActive, wizard } = t.ssoSetup;
  const provider = `${providerName(t, connection.preset)} · ${PROTOCOL_NAMES[connection.protocol]}`;
  const lead = leadOf(props);
  return (
    <TaskFrame
      title={titleOf(props)}
      tags={<StatusTag status={connection.status} />}
      {...(lead !== undefined && { lead })}
    >
      <Progress steps={steps} step={step} viewModel={viewModel} />
      {connection.status === "active" && <p class="note good">{isActive}</p>}
      {step.kind !== "provider" && (
        <div class="line soft">
          <h2 class="soft">{provider}</h2>
          {connection.status === "draft" && <a href={stepPath("provider")}>{wizard.change}</a>}
        </div>
      )}
      <StepBody {...props} />
      <Moves {...props} />
    </TaskFrame>
  );
}

function titleOf({ viewModel: { connection }, step }: WizardProps): string {
  const { t } = useView();
  const { ssoConnections, ssoSetup, ssoTests } = t;
  switch (step.kind) {
    case "provider":
      return ssoSetup.selectProvider;
    case "console":
      return step.screen.title ?? providerName(t, connection.preset);
    case "values":
      return ssoConnections.values;
    case "domain":
      return ssoConnections.domains;
    case "test":
      return ssoTests.title;
    case "activation":
      return ssoConnections.activation;
  }
}

function leadOf({ step }: WizardProps): string | undefined {
  const { ssoConnections, ssoSetup, ssoTests } = useView().t;
  switch (step.kind) {
    case "provider":
      return ssoSetup.wizard.changeLead;
    case "console":
      return ssoConnections.providerLead;
    case "values":
      return undefined;
    case "domain":
      return ssoConnections.domainsLead;
    case "test":
      return ssoTests.lead;
    case "activation":
      return ssoConnections.activationLead;
  }
}

interface ProgressProps {
  readonly steps: readonly WizardStep[];
  readonly step: WizardStep;
  readonly viewModel: ConnectionViewModel;
}

/** Where the reader is, and every step with its state behind a fold. */
function Progress({ steps, step, viewModel }: ProgressProps) {
  const { t } = useView();
  const { wizard } = t.ssoSetup;
  const at = steps.indexOf(step) + 1;
  return (
    <nav class="stack near" aria-label={wizard.steps}>
      <progress value={at} max={steps.length} aria-label={wizard.progress({ step: at, total: steps.length })} />
      <details class="menu">
        <summary class="soft">
          {wizard.progress({ step: at, total: steps.length })} <Icon name="chevron" small />
        </summary>
        <ol class="places">
          {steps.map((each) => (
            <li key={each.key}>
              <a href={stepPath(each.key)} aria-current={each === step ? "step" : undefined}>
                <StepName step={each} viewModel={viewModel} />
                {isDone(viewModel, each.kind) && (
                  <>
                    <Icon name="check" small />
                    <span class="sr">({t.ssoConnections.met})</span>
                  </>
                )}
              </a>
            </li>
          ))}
        </ol>
      </details>
    </nav>
  );
}

function StepName({ step, viewModel }: Pick<ProgressProps, "step" | "viewModel">) {
  const { t } = useView();
  const { ssoConnections, ssoTests, ssoSetup } = t;
  const name = providerName(t, viewModel.connection.preset);
  if (step.kind === "console") return <span>{step.screen.title ? `${name} › ${step.screen.title}` : name}</span>;
  const names = {
    provider: ssoSetup.selectProvider,
    values: ssoConnections.values,
    domain: ssoConnections.domains,
    test: ssoTests.title,
    activation: ssoConnections.activation,
  };
  return <span>{names[step.kind]}</span>;
}

function StepBody(props: WizardProps) {
  const { viewModel, step } = props;
  switch (step.kind) {
    case "provider":
      return <PresetChoice action={SETUP_CONNECTION} chosen={viewModel.connection} />;
    case "console":
      return <ConsoleStep viewModel={viewModel} step={step} />;
    case "values":
      return <ValuesStep {...props} />;
    case "domain":
      return <DomainRows viewModel={viewModel} />;
    case "test":
      return (
        <>
          <TestPart viewModel={viewModel} isComplete={isDone(viewModel, "values")} />
          {lacksUserData(viewModel) && <MappingFold {...props} isOpen />}
        </>
      );
    case "activation":
      return <ActivationPart viewModel={viewModel} />;
  }
}

interface ConsoleStepProps {
  readonly viewModel: ConnectionViewModel;
  readonly step: Extract<WizardStep, { kind: "console" }>;
}

function ConsoleStep({ viewModel: { connection, urls }, step }: ConsoleStepProps) {
  const { t } = useView();
  const { preset, protocol } = connection;
  const name = preset === "custom" ? PROTOCOL_NAMES[protocol] : PRESETS[preset].name;
  const { actions } = step.screen;
  return (
    <>
      <ConsoleDrawing name={name} actions={actions} urls={urls} />
      <Instructions actions={actions} urls={urls} id={step.key} keeps />
      {preset === "custom" && protocol === "saml" && <ProductGuides urls={urls} keeps />}
      <Fold title={t.ssoConnections.addresses}>
        <AddressRows protocol={protocol} urls={urls} />
      </Fold>
    </>
  );
}

function ValuesStep(props: WizardProps) {
  const { t } = useView();
  const { viewModel, refused } = props;
  const { connection } = viewModel;
  return (
    <>
      {connection.protocol === "saml" ? (
        <>
          <MetadataForms {...props} />
          <Fold title={t.saml.settings} isOpen={refused === "save-saml"}>
            <SamlValuesForm {...props} />
          </Fold>
        </>
      ) : (
        <ValuesForm {...props} />
      )}
      {!needsSecret(connection) && <CredentialKeys viewModel={viewModel} />}
      <MappingFold {...props} isOpen={refused === "save-mapping" || lacksNames(viewModel)} />
    </>
  );
}

/** The names of claims or attributes: a provider with instructions rarely needs the form. */
function MappingFold({ isOpen, ...props }: WizardProps & { readonly isOpen: boolean }) {
  const { t } = useView();
  return (
    <Fold title={t.ssoConnections.sections.mapping} isOpen={isOpen}>
      <MappingSection {...props} />
    </Fold>
  );
}

interface FoldProps {
  readonly title: string;
  readonly isOpen?: boolean;
  readonly children: ComponentChildren;
}

function Fold({ title, isOpen = false, children }: FoldProps) {
  return (
    <details class="fold" open={isOpen}>
      <summary>
        <span class="fold-title">{title}</span>
      </summary>
      <div>{children}</div>
    </details>
  );
}

/** The ways to the step before and to the next step. A form of the step stays the main action until it is done. */
function Moves({ steps, step, viewModel }: WizardProps) {
  const { wizard } = useView().t.ssoSetup;
  const at = steps.indexOf(step);
  const [before, after] = [steps[at - 1], steps[at + 1]];
  const isMain = step.kind === "console" || isDone(viewModel, step.kind);
  return (
    <div class="actions">
      {before && (
        <a class="button" href={stepPath(before.key)}>
          {wizard.back}
        </a>
      )}
      {after && step.kind !== "provider" && (
        <a class={isMain ? "button primary" : "button"} href={stepPath(after.key)}>
          {wizard.next}
        </a>
      )}
    </div>
  );
}
