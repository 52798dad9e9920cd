import type { Directory } from "../../models/directory/directory.ts";
import type { Profile } from "../../models/user/profile.ts";
import { confirmPath } from "../action.ts";
import { GrantChannels } from "../channel-question.tsx";
import { CopyResults, CopyRow } from "../components/copy.tsx";
import { Button, Form } from "../components/form.tsx";
import { Shell } from "../components/layout.tsx";
import { Row, Rows, Section, Tag, Time } from "../components/lists.tsx";
import { Tabs } from "../components/tabs.tsx";
import { sectionPath } from "../shared/sections.tsx";
import { useView } from "../view.tsx";
import { createDirectory, deleteDirectory, pauseDirectory, resumeDirectory } from "./actions.tsx";
import { GroupsSection } from "./groups-view.tsx";
import { GuideFolds } from "./guide-view.tsx";
import { KeysSection } from "./key-view.tsx";
import { DIRECTORY, DIRECTORY_SECTIONS } from "./paths.ts";
import { RequestsSection, UsersSection } from "./records-view.tsx";
import { SettingsSection } from "./settings-view.tsx";
import type { DirectoryViewModel } from "./view-model.ts";

interface DirectoryProps {
  readonly profile: Profile;
  readonly viewModel: DirectoryViewModel;
}

export function DirectoryBody({ profile, viewModel }: DirectoryProps) {
  const { t } = useView();
  const { directory, section } = viewModel;
  const { lead, sections, title } = t.provisioning;
  const tabs = DIRECTORY_SECTIONS.map((each) => ({
    href: sectionPath(DIRECTORY, each),
    text: sections[each],
    isCurrent: each === section,
  }));
  return (
    <Shell at={DIRECTORY} profile={profile}>
      <header class="head">
        <div>
          <h1>
            {title} {directory && <StatusTag status={directory.status} />}
          </h1>
          <p>{lead}</p>
        </div>
      </header>
      {directory && <Tabs label={t.directory.sectionsOf({ name: title })} tabs={tabs} />}
      {!directory && <CreateSection />}
      {directory && section === "overview" && <Overview directory={directory} viewModel={viewModel} />}
      {section === "groups" && <GroupsSection viewModel={viewModel} />}
      {section === "users" && <UsersSection viewModel={viewModel} />}
      {section === "requests" && <RequestsSection viewModel={viewModel} />}
      <CopyResults />
    </Shell>
  );
}

export function StatusTag({ status }: Pick<Directory, "status">) {
  const { t } = useView();
  return <Tag kind={status === "active" ? "good" : "warn"}>{t.provisioning.statuses[status]}</Tag>;
}

function CreateSection() {
  const { create, none } = useView().t.provisioning;
  return (
    <Form action={DIRECTORY} class="panel stack">
      <p>{none}</p>
      <div class="actions">
        <Button kind="primary" name="step" value={createDirectory.step}>
          {create}
        </Button>
      </div>
    </Form>
  );
}

interface OverviewProps {
  readonly directory: Directory;
  readonly viewModel: DirectoryViewModel;
}

function Overview({ directory, viewModel }: OverviewProps) {
  const { t } = useView();
  const { baseUrl, connect, connectLead, lastRequest, noRequest } = t.provisioning;
  const { lastRequestAt } = directory;
  return (
    <>
      <Section title={connect} lead={connectLead}>
        <Rows>
          <CopyRow id="base-url" label={baseUrl} text={viewModel.baseUrl} />
          <Row title={lastRequest} details={lastRequestAt ? <Time at={lastRequestAt} /> : noRequest} />
        </Rows>
        <GuideFolds />
      </Section>
      <KeysSection viewModel={viewModel} />
      <SettingsSection directory={directory} />
      <GrantChannels channels={viewModel.channels} />
      <EndSection status={directory.status} />
    </>
  );
}

/** Actions that stop the provisioning. */
function EndSection({ status }: Pick<Directory, "status">) {
  const { t } = useView();
  const { pause, pauseText, remove, removeText, resume, resumeText } = t.provisioning;
  return (
    <Section title={t.directory.danger}>
      <div class="box danger">
        <Rows>
          {status === "active" ? (
            <Row title={pause} details={pauseText}>
              <a class="button bad" href={confirmPath(DIRECTORY, pauseDirectory)} data-confirm="yes">
                {pause}
              </a>
            </Row>
          ) : (
            <>
              <Row title={resume} details={resumeText}>
                <Form action={DIRECTORY}>
                  <Button name="step" value={resumeDirectory.step}>
                    {resume}
                  </Button>
                </Form>
              </Row>
              <Row title={remove} details={removeText}>
                <a class="button bad" href={confirmPath(DIRECTORY, deleteDirectory)} data-confirm="yes">
                  {remove}
                </a>
              </Row>
            </>
          )}
        </Rows>
      </div>
    </Section>
  );
}
