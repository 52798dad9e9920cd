import type { RequestContext } from "../../base/request-context.ts";
import type { EmailDeps, SessionDeps } from "../../deps.ts";
import { lockDirectory } from "../../models/directory/directory.ts";
import { findInvitedRecord, linkDirectoryUser } from "../../models/directory/directory-user.ts";
import { changeRolesByGroups } from "./change-roles.ts";

export interface InvitedMember {
  readonly organizationId: string;
  readonly userId: string;
  /** The address of the accepted invitation. */
  readonly email: string;
  readonly client: RequestContext;
}

/**
 * Links the record of a directory to the user who accepted the directory's invitation, with the role of the groups.
 * A crash before the link loses nothing: the next change of the record links the member.
 */
export async function linkInvitedMember(
  deps: SessionDeps & EmailDeps,
  { organizationId, userId, email, client }: InvitedMember,
): Promise<void> {
  const events = await deps.database.transaction("directory_user.link", async (sql) => {
    const directory = await lockDirectory(sql, organizationId);
    const recordId = directory && (await findInvitedRecord(sql, directory.id, userId, email));
    if (!directory || recordId === undefined) return [];
    await linkDirectoryUser(sql, recordId, { userId, link: "member" });
    const actor = { userId, organizationId };
    return await changeRolesByGroups(deps, sql, { directory, recordIds: [recordId], actor, client });
  });
  await deps.revocations.announce(events);
}
