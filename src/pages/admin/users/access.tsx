/** Applications and organizations of a user. */
import { clampPage, type Listing } from "../../../database/listing.ts";
import { listGrantsOf } from "../../../flows/users/credentials.ts";
import type { GrantItem } from "../../../models/oauth-grant/oauth-grant.ts";
import type { Profile } from "../../../models/user/profile.ts";
import { applicationName } from "../../components/application.tsx";
import { EmptyBox, Pages, Tag, Time } from "../../components/lists.tsx";
import { Cell, Table } from "../../components/table.tsx";
import { pageNumber } from "../../page.ts";
import { useView } from "../../view.tsx";
import { organizationPath } from "../organizations/sections.tsx";
import { nameOf, type ReadSection, userPath } from "./sections.tsx";

const GRANTS_PER_PAGE = 25;

export const readGrants: ReadSection = async ({ deps, call: { admin: caller, query }, user }) => {
  const page = clampPage(pageNumber(query), GRANTS_PER_PAGE);
  const grants = await listGrantsOf(deps, { caller, userId: user.userId, page });
  return <Grants user={user} grants={grants} />;
};

function Grants({ user, grants }: { readonly user: Profile; readonly grants: Listing<GrantItem> }) {
  const view = useView();
  const { t, dates } = view;
  const { application, since, lastUsed } = t.directory;
  return (
    <section class="stack" aria-label={t.directory.applications}>
      {grants.items.length === 0 ? (
        <EmptyBox icon="apps" text={t.directory.noGrants} />
      ) : (
        <Table label={`${t.directory.applications}, ${nameOf(user)}`} columns={[application, since, lastUsed]}>
          {grants.items.map((grant) => (
            <tr key={grant.id}>
              <Cell>
                <a class="whole" href={`/admin/oauth-clients/${grant.client.id}`}>
                  {applicationName(view, grant.client)}
                </a>{" "}
                {grant.client.firstParty && <Tag>{t.directory.firstParty}</Tag>}
              </Cell>
              <Cell label={since}>{dates.date(grant.createdAt)}</Cell>
              <Cell label={lastUsed}>
                {grant.lastUsedAt ? <Time at={grant.lastUsedAt} /> : <span class="soft">{t.users.never}</span>}
              </Cell>
            </tr>
          ))}
        </Table>
      )}
      <Pages {...grants} path={userPath(user.userId, "applications")} />
    </section>
  );
}

export const readOrganizations: ReadSection = async ({ user }) => <Organizations user={user} />;

function Organizations({ user }: { readonly user: Profile }) {
  const { t } = useView();
  const { organization, role } = t.directory;
  const columns = [organization, t.organizations.slug, role];
  return (
    <section class="stack" aria-label={t.directory.organizations}>
      {user.organizations.length === 0 ? (
        <EmptyBox icon="building" text={t.users.noOrganizations} />
      ) : (
        <Table label={`${t.directory.organizations}, ${nameOf(user)}`} columns={columns}>
          {user.organizations.map((each) => (
            <tr key={each.id}>
              <Cell>
                <a class="whole" href={organizationPath(each.id)}>
                  {each.name}
                </a>
              </Cell>
              <Cell label={t.organizations.slug}>
                <span class="mono">{each.slug}</span>
              </Cell>
              <Cell label={role}>{t.roles[each.role]}</Cell>
            </tr>
          ))}
        </Table>
      )}
    </section>
  );
}
