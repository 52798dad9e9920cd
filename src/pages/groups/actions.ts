/** The actions of `/team/groups/new` and `/team/groups/:id`. */
import { changeGroupMember } from "../../flows/groups/change-group-members.ts";
import { changeGroup, createGroup, removeGroup } from "../../flows/groups/edit-group.ts";
import { findMemberGroup } from "../../flows/groups/list-groups.ts";
import { findMemberByAddress } from "../../flows/members/list.ts";
import type { OrganizationCaller } from "../../flows/steps/authorization/authorize-member.ts";
import { type ActionInput, actionsOf } from "../action.ts";
import type { FormState } from "../components/form.tsx";
import { confirmsChannels } from "../fields.ts";
import { type AuthenticatedCall, seeResult, uuidIn } from "../page.ts";
import { refusedForm } from "../problem-messages.ts";
import { mayInRoles } from "../roles/role-access.ts";
import { displayedVersionIn } from "../shared/displayed-version.ts";
import type { View } from "../view.tsx";
import type { GroupPageDeps } from "./group-access.ts";
import { refusedGroup, settingsIn } from "./group-form.tsx";
import { GROUPS, groupPath } from "./paths.ts";

export interface GroupInput extends ActionInput {
  readonly deps: GroupPageDeps;
}

/** The states of refused forms. */
export interface GroupStates {
  readonly settings?: FormState;
  readonly add?: FormState;
}

const { action, confirmed } = actionsOf<GroupInput, GroupStates>();
const mayChange = mayInRoles("members.role");
const problems = ({ t }: View) => ({ forbidden: t.customRoles.notAssignable.above });

export const saveGroup = action({
  step: "save",
  may: mayChange,
  stepUp: ({ fields }) => settingsIn(fields).roleIds.length > 0,
  run({ deps, call, caller, client, fields }) {
    const [confirm, displayed] = [confirmsChannels(fields), displayedVersionIn(fields)];
    return changeGroup(deps, { caller, client, id: groupIdOf(call), change: settingsIn(fields), confirm, displayed });
  },
  done: ["saved", ({ t }) => t.groups.saved],
  problems,
  async refused({ deps, call, caller, fields, view }, refusal) {
    const found = caller && (await findMemberGroup(deps, caller, groupIdOf(call)));
    return found?.ok ? { settings: refusedGroup(view, refusal, fields, found.value) } : undefined;
  },
});

export const addToGroup = action({
  step: "add",
  may: mayChange,
  stepUp: () => true,
  async run({ deps, call, caller, client, fields }) {
    const member = await findMemberByAddress(deps, caller, fields.text("email"));
    if (!member.ok) return member;
    const { userId } = member.value;
    const change = { caller, client, groupId: groupIdOf(call), userId, kind: "add" } as const;
    return await changeGroupMember(deps, { ...change, confirm: confirmsChannels(fields) });
  },
  done: ["added", ({ t }) => t.groups.added],
  problems,
  refused({ caller, fields, view }, refusal) {
    if (!caller) return undefined;
    const { full, notMember, tooManyForMember } = view.t.groups;
    const values = { email: fields.text("email") };
    if (refusal.code === "not_found") return { add: { values, errors: { email: notMember } } };
    const messages = { conflict: full, forbidden: view.t.customRoles.notAssignable.above };
    return { add: refusedForm(view, refusal, values, messages, { user_id: tooManyForMember }) };
  },
});

export const removeFromGroup = action({
  step: "remove",
  may: mayChange,
  run: ({ deps, call, caller, client, id: userId }) =>
    changeGroupMember(deps, { caller, client, groupId: groupIdOf(call), userId, kind: "remove" }),
  done: ["removed", ({ t }) => t.groups.removed],
  problems,
});

export const deleteGroup = confirmed({
  step: "delete",
  may: mayChange,
  async question({ deps, caller, id, view: { t } }) {
    const found = await findMemberGroup(deps, caller, id);
    if (!found.ok || found.value.source !== "manual") return undefined;
    const { remove, removeText, removeTitle } = t.groups;
    const place = groupPath(found.value.id);
    return { title: removeTitle({ name: found.value.name }), text: removeText, action: remove, place };
  },
  run: ({ deps, call, caller, client }) => removeGroup(deps, { caller, client, id: groupIdOf(call) }),
  done: ["deleted", ({ t }) => t.groups.deleted],
  doneAt: GROUPS,
  problems,
});

export const groupActions = { saveGroup, addToGroup, removeFromGroup, deleteGroup };

/** A refused form of a new group. */
export interface RefusedNewGroup {
  readonly caller: OrganizationCaller;
  readonly state: FormState;
}

export const createMemberGroup = actionsOf<GroupInput, RefusedNewGroup>().action({
  step: "create",
  may: mayChange,
  stepUp: ({ fields }) => settingsIn(fields).roleIds.length > 0,
  run: ({ deps, caller, client, fields }) => createGroup(deps, { caller, client, settings: settingsIn(fields) }),
  done: ["created", ({ t }) => t.groups.created],
  reply: (_, { id }) => seeResult(groupPath(id), "created"),
  refused: ({ caller, fields, view }, refusal) =>
    caller && { caller, state: refusedGroup(view, refusal, fields, undefined) },
});

export const newGroupActions = { createMemberGroup };

/** The id of the path; a malformed id becomes an id without a group. */
export function groupIdOf({ params }: AuthenticatedCall): string {
  return uuidIn(params.id ?? "");
}
