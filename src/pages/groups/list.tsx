/** `/team/groups`: the groups of the session's organization. */
import { clampPage, type Listing } from "../../database/listing.ts";
import { listMemberGroups } from "../../flows/groups/list-groups.ts";
import { authorizeRoles } from "../../flows/steps/authorization/authorize-roles.ts";
import type { ListedGroup } from "../../models/member-group/member-group.ts";
import type { Profile } from "../../models/user/profile.ts";
import { resultText } from "../action.ts";
import { CreateLink } from "../components/create-link.tsx";
import { Shell } from "../components/layout.tsx";
import { EmptyBox, Pages, Tag } from "../components/lists.tsx";
import { Cell, Table } from "../components/table.tsx";
import { refusedPage } from "../error.tsx";
import { showPage } from "../html.tsx";
import { titleOfList } from "../list-title.ts";
import { authenticatedPage, type Page, pageNumber } from "../page.ts";
import { hasPower } from "../power.ts";
import { signedInUser } from "../signed-in-user.ts";
import { useView } from "../view.tsx";
import { groupActions } from "./actions.ts";
import { type GroupPageDeps, groupMessages } from "./group-access.ts";
import { GROUPS, groupPath } from "./paths.ts";

const GROUPS_PER_PAGE = 25;

export function groupsPage(deps: GroupPageDeps): Page {
  return authenticatedPage({
    path: GROUPS,
    ofOrganization: true,
    async get(call) {
      const { session } = call.caller;
      const [{ profile, view }, caller] = await Promise.all([
        signedInUser(deps, call),
        authorizeRoles(deps, { session }, session.organizationId, "members.list"),
      ]);
      if (!caller.ok) return refusedPage(view, caller.error, groupMessages(view));
      const page = clampPage(pageNumber(call.query), GROUPS_PER_PAGE);
      const groups = await listMemberGroups(deps, { caller: caller.value, page });
      const title = titleOfList({ view, query: call.query }, view.t.groups.title);
      const done = resultText(view, groupActions, call.result);
      return showPage(view, { title, body: <GroupsBody profile={profile} groups={groups} />, done });
    },
  });
}

interface GroupsProps {
  readonly profile: Profile;
  readonly groups: Listing<ListedGroup>;
}

function GroupsBody({ profile, groups }: GroupsProps) {
  const view = useView();
  const { t } = view;
  const { create, group, lead, none, title } = t.groups;
  return (
    <Shell at={GROUPS} profile={profile}>
      <header class="head">
        <div>
          <h1>{title}</h1>
          <p>{lead}</p>
        </div>
        {hasPower(view, "members.role") && <CreateLink href={`${GROUPS}/new`} text={create} />}
      </header>
      {groups.items.length === 0 ? (
        <EmptyBox icon="grid" text={none} />
      ) : (
        <Table label={title} columns={[group, t.customRoles.title, t.customRoles.members]}>
          {groups.items.map((each) => (
            <GroupRow key={each.id} group={each} />
          ))}
        </Table>
      )}
      <Pages {...groups} path={GROUPS} />
    </Shell>
  );
}

function GroupRow({ group: { id, name, description, source, roles, memberCount } }: { readonly group: ListedGroup }) {
  const { t, dates } = useView();
  return (
    <tr>
      <Cell>
        <a class="whole" href={groupPath(id)}>
          {name}
        </a>{" "}
        {source === "directory" && <Tag>{t.provisioning.title}</Tag>}
        {description && <small>{description}</small>}
      </Cell>
      <Cell label={t.customRoles.title}>
        {roles.length === 0 ? (
          <span class="soft">{t.provisioning.noRole}</span>
        ) : (
          dates.list(roles.map((role) => role.name))
        )}
      </Cell>
      <Cell label={t.customRoles.members}>
        <span class="num">{dates.number(memberCount)}</span>
      </Cell>
    </tr>
  );
}
