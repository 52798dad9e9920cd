/** `/team/roles/new`: creates a role of the session's organization. */
import { listApiPermissions } from "../../flows/roles/api-permissions.ts";
import type { Profile } from "../../models/user/profile.ts";
import { holds } from "../../vocabulary/member-power.ts";
import { type ActionPage, actionPage, shellFrame } from "../action-page.tsx";
import type { FormState } from "../components/form.tsx";
import { SubPageHead } from "../components/item-head.tsx";
import { Shell } from "../components/layout.tsx";
import { Problem } from "../components/notices.tsx";
import { refusedPage } from "../error.tsx";
import { type DisplayedParts, showPage } from "../html.tsx";
import type { Page } from "../page.ts";
import { signedInUser } from "../signed-in-user.ts";
import { useView } from "../view.tsx";
import { createOwnRole, newRoleActions, type RefusedNewRole, type RoleInput } from "./actions.ts";
import { ROLES } from "./paths.ts";
import { type PermissionGroup, permissionGroups } from "./permission-groups.ts";
import { mayInRoles, roleMessages } from "./role-access.ts";
import { RoleForm } from "./role-form.tsx";

const PATH = "/team/roles/new";
const PAGE: ActionPage<RoleInput, RefusedNewRole> = {
  frame: shellFrame(ROLES),
  actions: newRoleActions,
  place: () => PATH,
  defaultStep: createOwnRole.step,
  problems: roleMessages,
  show,
};

export function newRolePage(deps: RoleInput["deps"]): Page {
  return actionPage(deps, PAGE, {
    path: PATH,
    ofOrganization: true,
    async get(call) {
      const caller = await mayInRoles("roles.manage")({ deps, call });
      if (caller.ok) return await show({ deps, call }, { caller: caller.value, state: {} });
      const { view } = await signedInUser(deps, call);
      return refusedPage(view, caller.error, { ...roleMessages(view), forbidden: view.t.customRoles.fixed.permission });
    },
  });
}

async function show({ deps, call }: RoleInput, { caller, state }: RefusedNewRole, parts: DisplayedParts = {}) {
  const { profile, view } = await signedInUser(deps, call);
  const { lacking, create } = view.t.customRoles;
  const groups = permissionGroups(view, listApiPermissions(deps, view.language));
  const refusalOf = (permission: string) => (holds(caller, permission) ? undefined : lacking);
  const body = <NewRoleBody profile={profile} groups={groups} refusalOf={refusalOf} state={state} />;
  return showPage(view, { title: create, body, ...parts });
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
      <RoleForm
        action={PATH}
        cancel={ROLES}
        step={createOwnRole.step}
        stored={undefined}
        groups={groups}
        refusalOf={refusalOf}
        state={state}
      />
    </Shell>
  );
}
