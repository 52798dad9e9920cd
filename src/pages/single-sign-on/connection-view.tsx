import type { ConnectionView } from "../../flows/sso/connections/read.ts";
import type { SsoConnection } from "../../models/sso-connection/sso-connection.ts";
import type { Profile } from "../../models/user/profile.ts";
import { confirmPath } from "../action.ts";
import { CopyResults } from "../components/copy.tsx";
import type { FormState } from "../components/form.tsx";
import { Shell } from "../components/layout.tsx";
import { Row, Rows, Section } from "../components/lists.tsx";
import type { DisplayedParts } from "../html.tsx";
import { SectionFrame } from "../shared/sections.tsx";
import { useView } from "../view.tsx";
import { AttemptsSection } from "./attempts-view.tsx";
import { type ConnectionForm, valuesOfConnection } from "./connection-form.ts";
import { deleteConnection, endConnection } from "./lifecycle-actions.ts";
import { MappingSection } from "./mapping-view.tsx";
import { StatusTag } from "./parts.tsx";
import { CONNECTION_SECTIONS, connectionPath, SSO } from "./paths.ts";
import { PresetMark } from "./preset-mark.tsx";
import { SetupSection } from "./setup-view.tsx";
import type { ConnectionFormProps, ConnectionViewModel } from "./view-model.ts";

interface ConnectionProps {
  readonly profile: Profile;
  readonly viewModel: ConnectionViewModel;
  readonly state: FormState;
  readonly refused: ConnectionForm | undefined;
  readonly parts: DisplayedParts;
}

export function ConnectionBody({ profile, viewModel, state, refused, parts }: ConnectionProps) {
  const { t } = useView();
  const { connection, section } = viewModel;
  const form: ConnectionFormProps = {
    viewModel,
    state: withStoredValues(connection, state),
    refused,
    needsStepUp: parts.refused?.code === "mfa_required",
    asksUnlink: parts.refused?.reason === "identities_linked",
  };
  const { id, name, preset, status } = connection;
  const list = { path: SSO, title: t.singleSignOn.title };
  return (
    <Shell at={SSO} profile={profile} inside>
      <SectionFrame
        head={{ list, name, tags: <StatusTag status={status} />, picture: <PresetMark preset={preset} /> }}
        path={connectionPath(id)}
        sections={CONNECTION_SECTIONS.map((each) => [each, t.ssoConnections.sections[each]])}
        current={section}
      >
        {section === "overview" && <SetupSection {...form} />}
        {section === "mapping" && <MappingSection {...form} />}
        {section === "attempts" && <AttemptsSection viewModel={viewModel} />}
        {section === "overview" && <EndSection {...viewModel} />}
      </SectionFrame>
      <CopyResults />
    </Shell>
  );
}

/** A refused form keeps its submitted values, beside the stored values of the other forms of the page. */
export function withStoredValues(connection: SsoConnection, state: FormState): FormState {
  const stored = valuesOfConnection(connection);
  return state.values ? { ...state, values: { ...stored, ...state.values } } : { values: stored };
}

/** Actions that end sign-in through the connection. */
function EndSection({ connection: { id, status } }: ConnectionView) {
  const { t } = useView();
  const { deactivate, deactivateText, remove, removeLead } = t.ssoConnections;
  return (
    <Section title={t.directory.danger}>
      <div class="box danger">
        <Rows>
          {status === "active" && <EndRow action={endConnection} id={id} text={deactivate} details={deactivateText} />}
          <EndRow action={deleteConnection} id={id} text={remove} details={removeLead} />
        </Rows>
      </div>
    </Section>
  );
}

interface EndProps {
  readonly action: typeof endConnection;
  readonly id: string;
  readonly text: string;
  readonly details: string;
}

function EndRow({ action, id, text, details }: EndProps) {
  return (
    <Row title={text} details={details}>
      <a class="button bad" href={confirmPath(SSO, action, { id })} data-confirm="yes">
        {text}
      </a>
    </Row>
  );
}
