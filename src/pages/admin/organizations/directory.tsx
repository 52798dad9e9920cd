/** The directory of an organization, read only. */
import { clampPage } from "../../../database/listing.ts";
import { listRequests, readDirectory } from "../../../flows/directories/administer.ts";
import { listKeysOfDirectory } from "../../../flows/directories/keys.ts";
import { organizationCallerOf } from "../../../flows/steps/authorization/authorize-member.ts";
import { Empty, EmptyBox, Row, Rows, Section, Time } from "../../components/lists.tsx";
import { Facts } from "../../components/table.tsx";
import { RequestsSection } from "../../provisioning/records-view.tsx";
import { StatusTag } from "../../provisioning/view.tsx";
import { displayedKey } from "../../service-accounts/view-model.ts";
import { useView } from "../../view.tsx";
import type { ReadSection } from "./sections.tsx";

/** The refused requests that the section displays. */
const REQUESTS = 50;

export const readOrganizationDirectory: ReadSection = async ({ deps, call, organization }) => {
  const caller = organizationCallerOf(call.admin, organization.id);
  const [directory, keys, requests] = await Promise.all([
    readDirectory(deps, caller),
    listKeysOfDirectory(deps, caller),
    listRequests(deps, { caller, page: clampPage(1, REQUESTS) }),
  ]);
  if (!directory.ok) return <NoDirectory />;
  return (
    <>
      <Settings directory={directory.value} />
      <Keys keys={keys} />
      {requests.ok && <RequestsSection viewModel={{ users: undefined, requests: requests.value }} />}
    </>
  );
};

function NoDirectory() {
  const { t } = useView();
  return <EmptyBox icon="building" text={t.provisioning.consoleNone} />;
}

interface SettingsProps {
  readonly directory: Extract<Awaited<ReturnType<typeof readDirectory>>, { ok: true }>["value"];
}

function Settings({ directory }: SettingsProps) {
  const { t, dates } = useView();
  const { defaultRole, lastRequest, noRequest, outsideDomains, outsideRules, roleSource, roleSources, sections } =
    t.provisioning;
  const { lastRequestAt } = directory;
  const facts = [
    [t.provisioning.title, <StatusTag key="status" status={directory.status} />],
    [lastRequest, lastRequestAt ? <Time key="time" at={lastRequestAt} /> : noRequest],
    [sections.users, dates.number(directory.userCount)],
    [roleSource, roleSources[directory.roleSource]],
    [defaultRole, t.roles[directory.defaultRole]],
    [outsideDomains, outsideRules[directory.outsideDomains]],
  ] as const;
  return (
    <div class="box">
      <Facts details={facts} />
    </div>
  );
}

function Keys({ keys }: { readonly keys: Awaited<ReturnType<typeof listKeysOfDirectory>> }) {
  const view = useView();
  const { t, dates } = view;
  const { keys: title, noKeys } = t.provisioning;
  return (
    <Section title={title}>
      <Rows>
        {keys.length === 0 && <Empty text={noKeys} />}
        {keys.map((key) => (
          <Row
            key={key.id}
            title={<strong class="mono">{displayedKey(view, key)}</strong>}
            details={`${key.accountName} · ${t.serviceAccounts.expiresHead}: ${dates.date(key.expiresAt)}`}
          />
        ))}
      </Rows>
    </Section>
  );
}
