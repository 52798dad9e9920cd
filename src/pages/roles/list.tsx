/** `/team/roles`: the roles of the session's organization. */
import { type RolesOfOrganization, readRolesOfOrganization } from "../../flows/roles/read-roles.ts";
import { authorizeRoles } from "../../flows/steps/authorization/authorize-roles.ts";
import type { ListedRole } from "../../models/organization-role/organization-role.ts";
import type { Profile } from "../../models/user/profile.ts";
import { resultText } from "../action.ts";
import { CreateLink } from "../components/create-link.tsx";
import { Shell } from "../components/layout.tsx";
import { Empty, Rows, Section } from "../components/lists.tsx";
import { Cell, Table } from "../components/table.tsx";
import { refusedPage } from "../error.tsx";
import { showPage } from "../html.tsx";
import { authenticatedPage, type Page } from "../page.ts";
import { hasPower } from "../power.ts";
import { signedInUser } from "../signed-in-user.ts";
import { useView } from "../view.tsx";
import { roleActions } from "./actions.ts";
import { ROLES, rolePath } from "./paths.ts";
import { type RolePageDeps, roleMessages } from "./role-access.ts";

export function rolesPage(deps: RolePageDeps): Page {
  return authenticatedPage({
    path: ROLES,
    ofOrganization: true,
    async get(call) {
      const { session } = call.caller;
      const [{ profile, view }, caller] = await Promise.all([
        signedInUser(deps, call),
        authorizeRoles(deps, { session }, session.organizationId, "members.list"),
      ]);
      if (!caller.ok) return refusedPage(view, caller.error, roleMessages(view));
      const found = await readRolesOfOrganization(deps, caller.value);
      const title = view.t.customRoles.title;
      const done = resultText(view, roleActions, call.result);
      return showPage(view, { title, body: <RolesBody profile={profile} found={found} />, done });
    },
  });
}

interface RolesProps {
  readonly profile: Profile;
  readonly found: RolesOfOrganization;
}

const BUILT_IN = ["owner", "admin", "member"] as const;

function RolesBody({ profile, found }: RolesProps) {
  const view = useView();
  const { t } = view;
  const { builtIn, builtInLeads, create, lead, none, own, templates, templatesLead, title } = t.customRoles;
  const owned = found.roles.filter(({ organizationId }) => organizationId !== null);
  const offered = found.roles.filter(({ organizationId }) => organizationId === null);
  return (
    <Shell at={ROLES} profile={profile}>
      <header class="head">
        <div>
          <h1>{title}</h1>
          <p>{lead}</p>
        </div>
        {hasPower(view, "roles.manage") && <CreateLink href={`${ROLES}/new`} text={create} />}
      </header>
      <Section title={own}>
        {owned.length === 0 ? (
          <Rows>
            <Empty text={none} />
          </Rows>
        ) : (
          <RoleTable label={own} roles={owned} />
        )}
      </Section>
      {offered.length > 0 && (
        <Section title={templates} lead={templatesLead}>
          <RoleTable label={templates} roles={offered} />
        </Section>
      )}
      <Section title={builtIn}>
        <Table label={builtIn} columns={[t.customRoles.role, t.customRoles.members]}>
          {BUILT_IN.map((role) => (
            <tr key={role}>
              <Cell>
                <a class="whole" href={rolePath(role)}>
                  {t.roles[role]}
                </a>
                <small>{builtInLeads[role]}</small>
              </Cell>
              <Cell label={t.customRoles.members}>
                <span class="num">{view.dates.number(found.builtIn[role])}</span>
              </Cell>
            </tr>
          ))}
        </Table>
      </Section>
    </Shell>
  );
}

function RoleTable({ label, roles }: { readonly label: string; readonly roles: readonly ListedRole[] }) {
  const { t, dates } = useView();
  const { members, permissions, role } = t.customRoles;
  return (
    <Table label={label} columns={[role, permissions, members]}>
      {roles.map((each) => (
        <tr key={each.id}>
          <Cell>
            <a class="whole" href={rolePath(each.id)}>
              {each.name}
            </a>
            <small>{each.description || <code>{each.key}</code>}</small>
          </Cell>
          <Cell label={permissions}>
            <span class="num">{dates.number(each.permissions.length)}</span>
          </Cell>
          <Cell label={members}>
            <span class="num">{dates.number(each.memberCount)}</span>
          </Cell>
        </tr>
      ))}
    </Table>
  );
}
