import type { Deps } from "../../deps.ts";
import { type LeavingOrganization, listLeavingOrganizations } from "../../models/organization/closing-organization.ts";
import type { SessionView } from "../../models/session/session.ts";

export interface DeletionPreview {
  /** The organizations without further member, which are deleted with the user. */
  readonly deletedOrganizations: readonly LeavingOrganization[];
}

/** The effects of a deletion, for the page; the request decides again under lock. */
export async function previewOwnDeletion(
  { database }: Pick<Deps, "database">,
  { userId }: SessionView,
): Promise<DeletionPreview> {
  const organizations = await database.run("organization.list_leaving", (sql) => listLeavingOrganizations(sql, userId));
  return { deletedOrganizations: organizations.filter(({ isSoleMember }) => isSoleMember) };
}
