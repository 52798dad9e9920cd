/** `/team/groups/new`: creates a group of the session's organization. */
import { ok } from "../../base/result.ts";
import { createGroup } from "../../flows/groups/edit-group.ts";
import { listAssignableRoles } from "../../flows/roles/assignable-roles.ts";
import type { MemberCaller } from "../../flows/steps/authorization/authorize-member.ts";
import { authorizeRoles } from "../../flows/steps/authorization/authorize-roles.ts";
import { requireStepUp } from "../../flows/steps/sign-in/step-up.ts";
import type { FormState } from "../components/form.tsx";
import { SubPageHead } from "../components/item-head.tsx";
import { Shell } from "../components/layout.tsx";
import { Problem } from "../components/notices.tsx";
import { refusedPage } from "../error.tsx";
import { type DisplayedParts, showPage } from "../html.tsx";
import { type AuthenticatedCall, authenticatedPage, type Page, seeResult } from "../page.ts";
import { refusedParts } from "../problem-messages.ts";
import { signedInUser } from "../signed-in-user.ts";
import { GroupForm, refusedGroup, settingsIn } from "./group-form.tsx";
import { type GroupPageDeps, groupMessages } from "./list.tsx";
import { GROUPS, groupPath } from "./paths.ts";

const PATH = "/team/groups/new";

export function newGroupPage(deps: GroupPageDeps): Page {
  const authorize = ({ caller: { session } }: AuthenticatedCall) =>
    authorizeRoles(deps, session, session.organizationId, "members.role");
  const show = async (
    call: AuthenticatedCall,
    caller: MemberCaller,
    state: FormState = {},
    parts: DisplayedParts = {},
  ) => {
    const [{ profile, view }, roles] = await Promise.all([signedInUser(deps, call), listAssignableRoles(deps, caller)]);
    const { create, title } = view.t.groups;
    const body = (
      <Shell at={GROUPS} inside profile={profile}>
        <SubPageHead above={[{ href: GROUPS, text: title }]} title={create} />
        <Problem state={state} />
        <GroupForm action={PATH} stored={undefined} roles={roles} state={state} />
      </Shell>
    );
    return showPage(view, { title: create, body, ...parts });
  };
  return authenticatedPage({
    path: PATH,
    ofOrganization: true,
    async get(call) {
      const caller = await authorize(call);
      if (caller.ok) return await show(call, caller.value);
      const { view } = await signedInUser(deps, call);
      return refusedPage(view, caller.error, { ...groupMessages(view), forbidden: view.t.groups.notYoursToChange });
    },
    async post(call) {
      const caller = await authorize(call);
      const { view } = await signedInUser(deps, call);
      if (!caller.ok) return refusedPage(view, caller.error, groupMessages(view));
      const { form, client } = call;
      const settings = settingsIn(form);
      const steppedUp = settings.roleIds.length > 0 ? requireStepUp(deps, call.caller.session) : ok(undefined);
      const input = { caller: caller.value, client, settings };
      const created = steppedUp.ok ? await createGroup(deps, input) : steppedUp;
      if (created.ok) return seeResult(groupPath(created.value.id), "created");
      const state = refusedGroup(view, created.error, form, undefined);
      return await show(call, caller.value, state, refusedParts(created.error));
    },
  });
}
