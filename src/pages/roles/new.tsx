/** `/team/roles/new`: creates a role of the session's organization. */
import type { Deps } from "../../deps.ts";
import { createRole } from "../../flows/roles/administer-roles.ts";
import { listApiPermissions } from "../../flows/roles/api-permissions.ts";
import { holds, type MemberCaller } from "../../flows/steps/authorization/authorize-member.ts";
import { authorizeRoles } from "../../flows/steps/authorization/authorize-roles.ts";
import { requireStepUp } from "../../flows/steps/sign-in/step-up.ts";
import type { Profile } from "../../models/user/profile.ts";
import type { FormState } from "../components/form.tsx";
import { SubPageHead } from "../components/item-head.tsx";
import { Shell } from "../components/layout.tsx";
import { Problem } from "../components/notices.tsx";
import { refusedPage } from "../error.tsx";
import { type DisplayedParts, showPage } from "../html.tsx";
import { type AuthenticatedCall, authenticatedPage, type Page, seeResult } from "../page.ts";
import { refusedParts } from "../problem-messages.ts";
import { signedInUser } from "../signed-in-user.ts";
import { useView } from "../view.tsx";
import { type RolePageDeps, roleMessages } from "./list.tsx";
import { ROLES, rolePath } from "./paths.ts";
import { type PermissionGroup, permissionGroups } from "./permission-groups.ts";
import { RoleForm, refusedRole, settingsIn } from "./role-form.tsx";

const PATH = "/team/roles/new";
type NewRoleDeps = RolePageDeps & Pick<Deps, "oauthResources">;

export function newRolePage(deps: NewRoleDeps): Page {
  const authorize = ({ caller: { session } }: AuthenticatedCall) =>
    authorizeRoles(deps, session, session.organizationId, "roles.manage");
  const show = async (
    call: AuthenticatedCall,
    caller: MemberCaller,
    state: FormState = {},
    parts: DisplayedParts = {},
  ) => {
    const { profile, view } = await signedInUser(deps, call);
    const { lacking, create } = view.t.customRoles;
    const groups = permissionGroups(view, listApiPermissions(deps, view.language));
    const refusalOf = (permission: string) => (holds(caller, permission) ? undefined : lacking);
    const body = <NewRoleBody profile={profile} groups={groups} refusalOf={refusalOf} state={state} />;
    return showPage(view, { title: create, body, ...parts });
  };
  return authenticatedPage({
    path: PATH,
    ofOrganization: true,
    async get(call) {
      const caller = await authorize(call);
      if (caller.ok) return await show(call, caller.value);
      const { view } = await signedInUser(deps, call);
      return refusedPage(view, caller.error, { ...roleMessages(view), forbidden: view.t.customRoles.fixed.permission });
    },
    async post(call) {
      const { form, client } = call;
      const caller = await authorize(call);
      const { view } = await signedInUser(deps, call);
      if (!caller.ok) return refusedPage(view, caller.error, roleMessages(view));
      const owner = { kind: "organization", caller: caller.value } as const;
      const steppedUp = requireStepUp(deps, call.caller.session);
      const input = { owner, client, settings: settingsIn(form) };
      const created = steppedUp.ok ? await createRole(deps, input) : steppedUp;
      if (created.ok) return seeResult(rolePath(created.value.id), "created");
      const state = refusedRole(view, created.error, form, undefined);
      return await show(call, caller.value, state, refusedParts(created.error));
    },
  });
}

interface NewRoleProps {
  readonly profile: Profile;
  readonly groups: readonly PermissionGroup[];
  readonly refusalOf: (permission: string) => string | undefined;
  readonly state: FormState;
}

function NewRoleBody({ profile, groups, refusalOf, state }: NewRoleProps) {
  const { t } = useView();
  const { create, newLead, title } = t.customRoles;
  return (
    <Shell at={ROLES} inside profile={profile}>
      <SubPageHead above={[{ href: ROLES, text: title }]} title={create} lead={newLead} />
      <Problem state={state} />
      <RoleForm action={PATH} cancel={ROLES} stored={undefined} groups={groups} refusalOf={refusalOf} state={state} />
    </Shell>
  );
}
