import { readRoleWithUse } from "../../flows/roles/read-roles.ts";
import { authorizeRoles } from "../../flows/steps/authorization/authorize-roles.ts";
import type { Ask } from "../confirmations.ts";
import { uuidIn } from "../page.ts";
import { rolePath } from "./paths.ts";
import { usageText } from "./usage-text.ts";

/** Asks before the deletion of a role, with everything that names the role. */
export const roleConfirmations: Ask = async (deps, { caller: { session }, query }, { view }) => {
  if (query.text("step") !== "delete") return undefined;
  const caller = await authorizeRoles(deps, session, session.organizationId, "roles.manage");
  if (!caller.ok) return undefined;
  const found = await readRoleWithUse(deps, caller.value, uuidIn(query.text("id")));
  if (!found.ok || found.value.editing !== "open") return undefined;
  const { role, use } = found.value;
  const { reassign, remove, removeText, removeTitle, unused } = view.t.customRoles;
  return {
    title: removeTitle(role.name),
    text: `${removeText} ${usageText(view, use) || unused}`,
    action: remove,
    choices: use.members > 0 ? [{ name: "reassign", label: reassign }] : [],
    place: rolePath(role.id),
  };
};
