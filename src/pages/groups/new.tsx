/** `/team/groups/new`: creates a group of the session's organization. */
import { listAssignableRoles } from "../../flows/roles/assignable-roles.ts";
import { type ActionPage, actionPage, shellFrame } from "../action-page.tsx";
import { SubPageHead } from "../components/item-head.tsx";
import { Shell } from "../components/layout.tsx";
import { Problem } from "../components/notices.tsx";
import { refusedPage } from "../error.tsx";
import { type DisplayedParts, showPage } from "../html.tsx";
import type { Page } from "../page.ts";
import { mayInRoles } from "../roles/role-access.ts";
import { signedInUser } from "../signed-in-user.ts";
import { createMemberGroup, type GroupInput, newGroupActions, type RefusedNewGroup } from "./actions.ts";
import { groupMessages } from "./group-access.ts";
import { GroupForm } from "./group-form.tsx";
import { GROUPS } from "./paths.ts";

const PATH = "/team/groups/new";

const PAGE: ActionPage<GroupInput, RefusedNewGroup> = {
  frame: shellFrame(GROUPS),
  actions: newGroupActions,
  place: () => PATH,
  defaultStep: createMemberGroup.step,
  problems: groupMessages,
  show,
};

export function newGroupPage(deps: GroupInput["deps"]): Page {
  return actionPage(deps, PAGE, {
    path: PATH,
    ofOrganization: true,
    async get(call) {
      const caller = await mayInRoles("members.role")({ deps, call });
      if (caller.ok) return await show({ deps, call }, { caller: caller.value, state: {} });
      const { view } = await signedInUser(deps, call);
      return refusedPage(view, caller.error, { ...groupMessages(view), forbidden: view.t.groups.notYoursToChange });
    },
  });
}

async function show({ deps, call }: GroupInput, { caller, state }: RefusedNewGroup, parts: DisplayedParts = {}) {
  const [{ profile, view }, roles] = await Promise.all([signedInUser(deps, call), listAssignableRoles(deps, caller)]);
  const { create, title } = view.t.groups;
  const body = (
    <Shell at={GROUPS} inside profile={profile}>
      <SubPageHead above={[{ href: GROUPS, text: title }]} title={create} />
      <Problem state={state} />
      <GroupForm action={PATH} step={createMemberGroup.step} stored={undefined} roles={roles} state={state} />
    </Shell>
  );
  return showPage(view, { title: create, body, ...parts });
}
