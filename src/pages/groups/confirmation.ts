import { findMemberGroup } from "../../flows/groups/list-groups.ts";
import { authorizeRoles } from "../../flows/steps/authorization/authorize-roles.ts";
import type { Ask } from "../confirmations.ts";
import { uuidIn } from "../page.ts";
import { groupPath } from "./paths.ts";

/** Asks before the deletion of a group. */
export const groupConfirmations: Ask = async (deps, { caller: { session }, query }, { view }) => {
  if (query.text("step") !== "delete") return undefined;
  const caller = await authorizeRoles(deps, session, session.organizationId, "members.role");
  const found = caller.ok ? await findMemberGroup(deps, caller.value, uuidIn(query.text("id"))) : caller;
  if (!found.ok || found.value.source !== "manual") return undefined;
  const { id, name } = found.value;
  const { remove, removeText, removeTitle } = view.t.groups;
  return { title: removeTitle(name), text: removeText, action: remove, place: groupPath(id) };
};
