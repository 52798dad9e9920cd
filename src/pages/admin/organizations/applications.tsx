/** Applications with access for members of an organization. */
import { clampPage, type Listing } from "../../../database/listing.ts";
import { listApplicationsOf } from "../../../flows/organizations/applications.ts";
import { organizationCallerOf } from "../../../flows/steps/authorization/authorize-member.ts";
import type { OrganizationApplication } from "../../../models/oauth-grant/oauth-grant.ts";
import type { Organization } from "../../../models/organization/organization.ts";
import { applicationName } from "../../components/application.tsx";
import { EmptyBox, Pages, Tag, Time } from "../../components/lists.tsx";
import { Cell, Table } from "../../components/table.tsx";
import { pageNumber } from "../../page.ts";
import { useView } from "../../view.tsx";
import { organizationPath, type ReadSection } from "./sections.tsx";

const PER_PAGE = 25;

export const readApplications: ReadSection = async ({ deps, call, organization }) => {
  const caller = organizationCallerOf(call.admin, organization.id);
  const page = clampPage(pageNumber(call.query), PER_PAGE);
  const applications = await listApplicationsOf(deps, { caller, page });
  return <Applications organization={organization} applications={applications} />;
};

interface ApplicationsProps {
  readonly organization: Organization;
  readonly applications: Listing<OrganizationApplication>;
}

function Applications({ organization: { id, name }, applications }: ApplicationsProps) {
  const view = useView();
  const { t } = view;
  const { application, users, lastUsed } = t.directory;
  return (
    <section class="stack" aria-label={t.directory.applications}>
      <p class="soft num">{t.directory.applicationCount({ count: applications.total })}</p>
      {applications.items.length === 0 ? (
        <EmptyBox icon="apps" text={t.directory.noApplications} />
      ) : (
        <Table label={`${t.directory.applications}, ${name}`} columns={[application, users, lastUsed]}>
          {applications.items.map((each) => (
            <tr key={each.client.id}>
              <Cell>
                <a class="whole" href={`/admin/oauth-clients/${each.client.id}`}>
                  {applicationName(view, each.client)}
                </a>{" "}
                {each.client.firstParty && <Tag>{t.directory.firstParty}</Tag>}
              </Cell>
              <Cell label={users}>{t.directory.usedBy({ count: each.users })}</Cell>
              <Cell label={lastUsed}>
                <Time at={each.lastUsedAt} />
              </Cell>
            </tr>
          ))}
        </Table>
      )}
      <Pages {...applications} path={organizationPath(id, "applications")} />
    </section>
  );
}
