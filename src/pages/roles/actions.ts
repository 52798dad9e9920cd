/** The actions of `/team/roles/new` and `/team/roles/:id`. */
import { createRole, removeRole, updateDisplayedRole } from "../../flows/roles/administer-roles.ts";
import { readRoleWithUse } from "../../flows/roles/read-roles.ts";
import type { RoleDeps } from "../../flows/roles/role-owner.ts";
import type { OrganizationCaller } from "../../flows/steps/authorization/authorize-member.ts";
import { type ActionInput, actionsOf } from "../action.ts";
import type { FormState } from "../components/form.tsx";
import { confirmsChannels } from "../fields.ts";
import { type AuthenticatedCall, seeResult, uuidIn } from "../page.ts";
import { displayedVersionIn } from "../shared/displayed-version.ts";
import { ROLES, rolePath } from "./paths.ts";
import { mayInRoles, type RolePageDeps } from "./role-access.ts";
import { refusedRole, settingsIn } from "./role-form.tsx";
import { usageText } from "./usage-text.ts";

export interface RoleInput extends ActionInput {
  readonly deps: RolePageDeps & RoleDeps;
}

const { action, confirmed } = actionsOf<RoleInput>();
const mayManage = mayInRoles("roles.manage");
const mayRead = mayInRoles("members.list");

export const saveRole = action({
  step: "save",
  may: mayManage,
  stepUp: () => true,
  run({ deps, call, caller, client, fields }) {
    const { key: _, ...change } = settingsIn(fields);
    const owner = { kind: "organization", caller } as const;
    const [confirm, displayed] = [confirmsChannels(fields), displayedVersionIn(fields)];
    return updateDisplayedRole(deps, { owner, client, id: roleIdOf(call), change, confirm, displayed });
  },
  done: ["saved", ({ t }) => t.customRoles.saved],
  problems: ({ t }) => ({ conflict: t.customRoles.inUse }),
  async refused({ caller: _, ...request }, refusal) {
    const reader = await mayRead(request);
    const found = reader.ok ? await readRoleWithUse(request.deps, reader.value, roleIdOf(request.call)) : reader;
    return found.ok ? refusedRole(request.view, refusal, request.fields, found.value.role) : undefined;
  },
});

/** The question names everything that names the role. */
export const deleteRole = confirmed({
  step: "delete",
  may: mayManage,
  async question({ deps, caller, id, view }) {
    const found = await readRoleWithUse(deps, caller, id);
    if (!found.ok || found.value.editing !== "open") return undefined;
    const { role, use } = found.value;
    const { reassign, remove, removeText, removeTitle, unused } = view.t.customRoles;
    return {
      title: removeTitle({ name: role.name }),
      text: `${removeText} ${usageText(view, use) || unused}`,
      action: remove,
      choices: use.members > 0 ? [{ name: "reassign", label: reassign }] : [],
      place: rolePath(role.id),
    };
  },
  run({ deps, call, caller, client, fields }) {
    const owner = { kind: "organization", caller } as const;
    return removeRole(deps, { owner, client, id: roleIdOf(call), reassign: fields.text("reassign") === "yes" });
  },
  done: ["deleted", ({ t }) => t.customRoles.deleted],
  doneAt: ROLES,
  problems: ({ t }) => ({ conflict: t.customRoles.inUse }),
});

export const roleActions = { saveRole, deleteRole };

/** A refused form of a new role. */
export interface RefusedNewRole {
  readonly caller: OrganizationCaller;
  readonly state: FormState;
}

export const createOwnRole = actionsOf<RoleInput, RefusedNewRole>().action({
  step: "create",
  may: mayManage,
  stepUp: () => true,
  run: ({ deps, caller, client, fields }) =>
    createRole(deps, { owner: { kind: "organization", caller }, client, settings: settingsIn(fields) }),
  done: ["created", ({ t }) => t.customRoles.created],
  reply: (_, { id }) => seeResult(rolePath(id), "created"),
  refused: ({ caller, fields, view }, refusal) =>
    caller && { caller, state: refusedRole(view, refusal, fields, undefined) },
});

export const newRoleActions = { createOwnRole };

/** The id of the path; a malformed id becomes an id without a role. */
export function roleIdOf({ params }: AuthenticatedCall): string {
  return uuidIn(params.id ?? "");
}
