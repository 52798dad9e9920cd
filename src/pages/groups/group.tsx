/** `/team/groups/:id`: a group of the session's organization; a group of the directory is read-only. */

import type { Refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { clampPage } from "../../database/listing.ts";
import { changeGroupMember } from "../../flows/groups/change-group-members.ts";
import { changeGroup, removeGroup } from "../../flows/groups/edit-group.ts";
import { findMemberGroup, listMembersOfGroup } from "../../flows/groups/list-groups.ts";
import { findMemberByAddress } from "../../flows/members/list.ts";
import { listAssignableRoles } from "../../flows/roles/assignable-roles.ts";
import { holds, type MemberCaller } from "../../flows/steps/authorization/authorize-member.ts";
import { authorizeRoles } from "../../flows/steps/authorization/authorize-roles.ts";
import { requireStepUp } from "../../flows/steps/sign-in/step-up.ts";
import { displayedVersionIn } from "../admin/displayed-version.ts";
import { refusedPage } from "../error.tsx";
import { confirmsChannels } from "../fields.ts";
import { type DisplayedParts, showPage } from "../html.tsx";
import { titleOfList } from "../list-title.ts";
import {
  type AuthenticatedCall,
  authenticatedPage,
  NOTHING_THERE,
  type Page,
  pageNumber,
  seeResult,
  textAt,
  uuidIn,
} from "../page.ts";
import { refusedForm, refusedParts } from "../problem-messages.ts";
import { signedInUser } from "../signed-in-user.ts";
import type { View } from "../view.tsx";
import { refusedGroup, settingsIn } from "./group-form.tsx";
import { GroupBody, type GroupEditing, type GroupStates } from "./group-view.tsx";
import { type GroupPageDeps, groupMessages } from "./list.tsx";
import { GROUPS, groupPath } from "./paths.ts";

const MEMBERS_PER_PAGE = 25;

export function groupPage(deps: GroupPageDeps): Page {
  return authenticatedPage({
    path: "/team/groups/:id",
    ofOrganization: true,
    get: (call) => show(deps, call),
    async post(call) {
      const { session } = call.caller;
      const caller = await authorizeRoles(deps, session, session.organizationId, "members.role");
      const outcome = caller.ok ? await act(deps, call, caller.value) : caller;
      if (outcome.ok) return seeResult(outcome.value === "deleted" ? GROUPS : groupPath(idOf(call)), outcome.value);
      const { view } = await signedInUser(deps, call);
      const states = caller.ok ? await statesOf(deps, call, view, caller.value, outcome.error) : undefined;
      if (states) return await show(deps, call, states, refusedParts(outcome.error));
      const forbidden = caller.ok ? view.t.customRoles.notAssignable.above : view.t.groups.notYoursToChange;
      return refusedPage(view, outcome.error, { ...groupMessages(view), forbidden });
    },
  });
}

/** The id of the path; a malformed id becomes an id without a group. */
function idOf({ params }: AuthenticatedCall): string {
  return uuidIn(params.id ?? "");
}

/** Executes the action of the pressed button; returns the result to display. */
async function act(
  deps: GroupPageDeps,
  { form, client, ...call }: AuthenticatedCall,
  caller: MemberCaller,
): Promise<Result<string, Refusal>> {
  const id = uuidIn(call.params.id ?? "");
  const done = (outcome: Result<unknown, Refusal>, what: string) => (outcome.ok ? ok(what) : outcome);
  switch (form.text("step")) {
    case "save": {
      const change = settingsIn(form);
      const steppedUp = change.roleIds.length > 0 ? requireStepUp(deps, call.caller.session) : ok(undefined);
      if (!steppedUp.ok) return steppedUp;
      const confirm = confirmsChannels(form);
      const input = { caller, client, id, change, confirm, displayed: displayedVersionIn(form) };
      return done(await changeGroup(deps, input), "saved");
    }
    case "add": {
      const steppedUp = requireStepUp(deps, call.caller.session);
      if (!steppedUp.ok) return steppedUp;
      const member = await findMemberByAddress(deps, caller, form.text("email"));
      if (!member.ok) return member;
      const { userId } = member.value;
      const confirm = confirmsChannels(form);
      const change = { caller, client, groupId: id, userId, kind: "add", confirm } as const;
      return done(await changeGroupMember(deps, change), "added");
    }
    case "remove": {
      const change = { caller, client, groupId: id, userId: uuidIn(form.text("id")), kind: "remove" } as const;
      return done(await changeGroupMember(deps, change), "removed");
    }
    case "delete":
      return done(await removeGroup(deps, { caller, client, id }), "deleted");
    default:
      return err(NOTHING_THERE);
  }
}

/** The refused form with the submitted values; undefined: no form displays the refusal. */
async function statesOf(
  deps: GroupPageDeps,
  { form, ...call }: AuthenticatedCall,
  view: View,
  caller: MemberCaller,
  error: Refusal,
): Promise<GroupStates | undefined> {
  const step = form.text("step");
  if (step === "add") {
    const { full, notMember, tooManyForMember } = view.t.groups;
    const values = { email: form.text("email") };
    if (error.code === "not_found") return { add: { values, errors: { email: notMember } } };
    const messages = { conflict: full, forbidden: view.t.customRoles.notAssignable.above };
    return { add: refusedForm(view, error, values, messages, { user_id: tooManyForMember }) };
  }
  if (step !== "save") return undefined;
  const found = await findMemberGroup(deps, caller, uuidIn(call.params.id ?? ""));
  return found.ok ? { settings: refusedGroup(view, error, form, found.value) } : undefined;
}

async function show(
  deps: GroupPageDeps,
  call: AuthenticatedCall,
  states: GroupStates = {},
  parts: DisplayedParts = {},
) {
  const { session } = call.caller;
  const [{ profile, view }, caller] = await Promise.all([
    signedInUser(deps, call),
    authorizeRoles(deps, session, session.organizationId, "members.list"),
  ]);
  if (!caller.ok) return refusedPage(view, caller.error, groupMessages(view));
  const page = clampPage(pageNumber(call.query), MEMBERS_PER_PAGE);
  const [found, members, roles] = await Promise.all([
    findMemberGroup(deps, caller.value, idOf(call)),
    listMembersOfGroup(deps, { caller: caller.value, id: idOf(call), page }),
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
  const { added, created, removed, saved } = view.t.groups;
  const done = textAt({ added, created, removed, saved }, call.result);
  const title = titleOfList({ view, query: call.query }, group.name);
  return showPage(view, { title, body, done, islands: ["confirm"], ...parts });
}
