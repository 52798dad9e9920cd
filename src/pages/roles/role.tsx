/** `/team/roles/:id`: a role of the session's organization, a template, or a built-in role by its key. */
import { clampPage } from "../../database/listing.ts";
import { listApiPermissions } from "../../flows/roles/api-permissions.ts";
import { knownPermissions } from "../../flows/roles/known-permissions.ts";
import { readRoleWithUse } from "../../flows/roles/read-roles.ts";
import { authorizeRoles } from "../../flows/steps/authorization/authorize-roles.ts";
import { holds, type MemberRole, permissionsOf } from "../../vocabulary/member-power.ts";
import { resultText } from "../action.ts";
import { type ActionPage, actionPage, confirmPage, shellFrame } from "../action-page.tsx";
import type { FormState } from "../components/form.tsx";
import { refusedPage } from "../error.tsx";
import { type DisplayedParts, showPage } from "../html.tsx";
import { type Page, pageNumber } from "../page.ts";
import { signedInUser } from "../signed-in-user.ts";
import { newRoleActions, type RoleInput, roleActions, roleIdOf } from "./actions.ts";
import { ROLES, rolePath } from "./paths.ts";
import { permissionGroups } from "./permission-groups.ts";
import { roleMessages } from "./role-access.ts";
import { BuiltInRoleBody, RoleBody } from "./role-view.tsx";

const HOLDERS_PER_PAGE = 10;

const PAGE: ActionPage<RoleInput, FormState> = {
  frame: shellFrame(ROLES),
  actions: roleActions,
  place: ({ call }) => rolePath(roleIdOf(call)),
  problems: ({ t }) => ({ forbidden: t.customRoles.beyondOwn, payment_required: t.customRoles.notIncluded }),
  show,
};

export function rolePages(deps: RoleInput["deps"]): readonly Page[] {
  return [
    confirmPage(deps, PAGE, { path: "/team/roles/confirm", boundSession: "served" }),
    actionPage(deps, PAGE, { path: "/team/roles/:id", ofOrganization: true, get: (call) => show({ deps, call }) }),
  ];
}

const BUILT_IN: readonly string[] = ["owner", "admin", "member"] satisfies MemberRole[];

async function show({ deps, call }: RoleInput, state: FormState = {}, parts: DisplayedParts = {}) {
  const { session } = call.caller;
  const [{ profile, view }, caller] = await Promise.all([
    signedInUser(deps, call),
    authorizeRoles(deps, { session }, session.organizationId, "members.list"),
  ]);
  if (!caller.ok) return refusedPage(view, caller.error, roleMessages(view));
  const { t, language } = view;
  const apis = listApiPermissions(deps, language);
  const named = BUILT_IN.find((role) => role === call.params.id) as MemberRole | undefined;
  if (named) {
    const held = named === "owner" ? knownPermissions(deps.oauthResources.index()) : permissionsOf(named);
    const groups = permissionGroups(view, apis);
    const body = <BuiltInRoleBody profile={profile} role={named} groups={groups} held={held} />;
    return showPage(view, { title: t.roles[named], body });
  }
  const page = clampPage(pageNumber(call.query), HOLDERS_PER_PAGE);
  const found = await readRoleWithUse(deps, caller.value, roleIdOf(call), page);
  if (!found.ok) return refusedPage(view, found.error);
  const { role } = found.value;
  const body = (
    <RoleBody
      profile={profile}
      found={found.value}
      groups={permissionGroups(view, apis, role.permissions)}
      refusalOf={(permission) => (holds(caller.value, permission) ? undefined : t.customRoles.lacking)}
      state={state}
    />
  );
  const done = resultText(view, { ...roleActions, ...newRoleActions }, call.result);
  return showPage(view, { title: role.name, body, done, islands: ["confirm"], ...parts });
}
