/** `/team/roles/:id`: a role of the session's organization, a template, or a built-in role by its key. */

import type { Refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { clampPage } from "../../database/listing.ts";
import { type RoleDeps, removeRole, updateDisplayedRole } from "../../flows/roles/administer-roles.ts";
import { listApiPermissions } from "../../flows/roles/api-permissions.ts";
import { knownPermissions } from "../../flows/roles/known-permissions.ts";
import { readRoleWithUse } from "../../flows/roles/read-roles.ts";
import { holds, type MemberCaller, permissionsOf } from "../../flows/steps/authorization/authorize-member.ts";
import { authorizeRoles } from "../../flows/steps/authorization/authorize-roles.ts";
import { requireStepUp } from "../../flows/steps/sign-in/step-up.ts";
import type { MemberRole } from "../../models/member/member.ts";
import { displayedVersionIn } from "../admin/displayed-version.ts";
import type { FormState } from "../components/form.tsx";
import { refusedPage } from "../error.tsx";
import { confirmsChannels } from "../fields.ts";
import { type DisplayedParts, showPage } from "../html.tsx";
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
import { refusedParts } from "../problem-messages.ts";
import { signedInUser } from "../signed-in-user.ts";
import { type RolePageDeps, roleMessages } from "./list.tsx";
import { ROLES, rolePath } from "./paths.ts";
import { permissionGroups } from "./permission-groups.ts";
import { refusedRole, settingsIn } from "./role-form.tsx";
import { BuiltInRoleBody, RoleBody } from "./role-view.tsx";

type ChangeDeps = RolePageDeps & RoleDeps;
const HOLDERS_PER_PAGE = 10;

export function rolePage(deps: ChangeDeps): Page {
  return authenticatedPage({
    path: "/team/roles/:id",
    ofOrganization: true,
    get: (call) => show(deps, call),
    async post(call) {
      const { session } = call.caller;
      const caller = await authorizeRoles(deps, session, session.organizationId, "roles.manage");
      const outcome = caller.ok ? await act(deps, call, caller.value) : caller;
      const id = idOf(call);
      if (outcome.ok) return seeResult(outcome.value === "deleted" ? ROLES : rolePath(id), outcome.value);
      const { view } = await signedInUser(deps, call);
      const reader = await authorizeRoles(deps, session, session.organizationId, "members.list");
      const found = reader.ok ? await readRoleWithUse(deps, reader.value, id) : reader;
      if (call.form.text("step") !== "save" || !found.ok) {
        const { beyondOwn, inUse, notIncluded } = view.t.customRoles;
        const messages = { conflict: inUse, forbidden: beyondOwn, payment_required: notIncluded };
        return refusedPage(view, outcome.error, messages);
      }
      const state = refusedRole(view, outcome.error, call.form, found.value.role);
      return await show(deps, call, state, refusedParts(outcome.error));
    },
  });
}

/** The id of the path; a malformed id becomes an id without a role. */
function idOf({ params }: AuthenticatedCall): string {
  return uuidIn(params.id ?? "");
}

/** Executes the action of the pressed button; returns the result to display. */
async function act(deps: ChangeDeps, call: AuthenticatedCall, caller: MemberCaller): Promise<Result<string, Refusal>> {
  const { form, client } = call;
  const input = { owner: { kind: "organization", caller }, client, id: idOf(call) } as const;
  switch (form.text("step")) {
    case "save": {
      const steppedUp = requireStepUp(deps, call.caller.session);
      if (!steppedUp.ok) return steppedUp;
      const { key: _, ...change } = settingsIn(form);
      const changed = await updateDisplayedRole(deps, {
        ...input,
        change,
        confirm: confirmsChannels(form),
        displayed: displayedVersionIn(form),
      });
      return changed.ok ? ok("saved") : changed;
    }
    case "delete": {
      const removed = await removeRole(deps, { ...input, reassign: form.text("reassign") === "yes" });
      return removed.ok ? ok("deleted") : removed;
    }
    default:
      return err(NOTHING_THERE);
  }
}

const BUILT_IN: readonly string[] = ["owner", "admin", "member"] satisfies MemberRole[];

async function show(deps: ChangeDeps, call: AuthenticatedCall, state: FormState = {}, parts: DisplayedParts = {}) {
  const { session } = call.caller;
  const [{ profile, view }, caller] = await Promise.all([
    signedInUser(deps, call),
    authorizeRoles(deps, session, session.organizationId, "members.list"),
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
  const found = await readRoleWithUse(deps, caller.value, idOf(call), page);
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
  const { created, saved } = t.customRoles;
  const done = textAt({ created, saved }, call.result);
  return showPage(view, { title: role.name, body, done, islands: ["confirm"], ...parts });
}
