/** `/team/groups/:id`: a group of the session's organization; a group of the directory is read-only. */
import { clampPage } from "../../database/listing.ts";
import { findMemberGroup, listMembersOfGroup } from "../../flows/groups/list-groups.ts";
import { listAssignableRoles } from "../../flows/roles/assignable-roles.ts";
import { authorizeRoles } from "../../flows/steps/authorization/authorize-roles.ts";
import { holds } from "../../vocabulary/member-power.ts";
import { resultText } from "../action.ts";
import { type ActionPage, actionPage, confirmPage, shellFrame } from "../action-page.tsx";
import { refusedPage } from "../error.tsx";
import { type DisplayedParts, showPage } from "../html.tsx";
import { titleOfList } from "../list-title.ts";
import { NOTHING_THERE, type Page, pageNumber } from "../page.ts";
import { signedInUser } from "../signed-in-user.ts";
import { type GroupInput, type GroupStates, groupActions, groupIdOf, newGroupActions } from "./actions.ts";
import { groupMessages } from "./group-access.ts";
import { GroupBody, type GroupEditing } from "./group-view.tsx";
import { GROUPS, groupPath } from "./paths.ts";

const MEMBERS_PER_PAGE = 25;

const PAGE: ActionPage<GroupInput, GroupStates> = {
  frame: shellFrame(GROUPS),
  actions: groupActions,
  place: ({ call }) => groupPath(groupIdOf(call)),
  problems: (view) => ({ ...groupMessages(view), forbidden: view.t.groups.notYoursToChange }),
  show,
};

export function groupPages(deps: GroupInput["deps"]): readonly Page[] {
  return [
    confirmPage(deps, PAGE, { path: "/team/groups/confirm", boundSession: "served" }),
    actionPage(deps, PAGE, { path: "/team/groups/:id", ofOrganization: true, get: (call) => show({ deps, call }) }),
  ];
}

async function show({ deps, call }: GroupInput, states: GroupStates = {}, parts: DisplayedParts = {}) {
  const { session } = call.caller;
  const [{ profile, view }, caller] = await Promise.all([
    signedInUser(deps, call),
    authorizeRoles(deps, { session }, session.organizationId, "members.list"),
  ]);
  if (!caller.ok) return refusedPage(view, caller.error, groupMessages(view));
  const page = clampPage(pageNumber(call.query), MEMBERS_PER_PAGE);
  const [found, members, roles] = await Promise.all([
    findMemberGroup(deps, caller.value, groupIdOf(call)),
    listMembersOfGroup(deps, { caller: caller.value, id: groupIdOf(call), page }),
    listAssignableRoles(deps, caller.value),
  ]);
  if (!found.ok || !members.ok) return refusedPage(view, NOTHING_THERE);
  const group = found.value;
  const grantsAbove = roles.some(
    ({ role, refusal }) => refusal === "above" && group.roles.some((each) => each.id === role.id),
  );
  const editing: GroupEditing =
    group.source === "directory"
      ? "directory"
      : !holds(caller.value, "members.role")
        ? "permission"
        : grantsAbove
          ? "above"
          : "open";
  const body = <GroupBody {...{ profile, group, members: members.value, roles, editing, states }} />;
  const done = resultText(view, { ...groupActions, ...newGroupActions }, call.result);
  const title = titleOfList({ view, query: call.query }, group.name);
  return showPage(view, { title, body, done, islands: ["confirm"], ...parts });
}
