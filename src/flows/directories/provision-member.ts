/** The membership and the account behind a record: restored, ended or changed in the caller's transaction. */
import { ok } from "../../base/result.ts";
import { insertAudit, recordAudit } from "../../models/audit/audit.ts";
import { findProgramHolder } from "../../models/channel/channel-holder.ts";
import { findWaitingRecord, saveFormerMembership } from "../../models/directory/directory-user.ts";
import {
  acceptInvitation,
  insertProvisionedMember,
  listReceivedInvitations,
  lockAddressedUser,
  lockMembershipSince,
  type ReceivedInvitation,
} from "../../models/directory/managed-account.ts";
import { protectedUser, type ScimResult } from "../../models/directory/protocol/scim-problem.ts";
import type { UserDocument } from "../../models/directory/protocol/user-document.ts";
import { lockInviter, lockOwners } from "../../models/member/members.ts";
import { followGroups } from "../../models/member-group/group-roles.ts";
import { findPolicy } from "../../models/sso-policy/sso-policy.ts";
import { endMembership } from "../steps/accounts/end-membership.ts";
import { liftRemoval, rememberRemoval } from "../steps/accounts/member-removal.ts";
import { userAuditEvent } from "../steps/audit/audit-event.ts";
import { isKeyOfOwner } from "../steps/channels/key-power.ts";
import { grantInvitedRoles } from "../steps/roles/invited-roles.ts";
import type { DirectoryWrite, ProvisionedRecord } from "./directory-write.ts";
import { type LinkedUser, linkRecord, withdrawInvitation } from "./link-record.ts";
import { noticeWithheldRole, roleOf } from "./role-of-activation.ts";
import { updateAccount } from "./update-account.ts";

const LAST_OWNER = protectedUser("The last owner of the organization cannot be deactivated.");
const BY_OWNER = protectedUser("A key that an owner created deactivates an owner; another key does not.");
const OWN_MAKER = protectedUser("A program does not make the person who created its credential a member.");
const BREAK_GLASS = protectedUser("A user of emergency access cannot be deactivated.");

/** Brings link, membership and account in line with the record. `before`: undefined for a new record. */
export async function provisionMember(
  write: DirectoryWrite,
  record: ProvisionedRecord,
  before: UserDocument | undefined,
): Promise<ScimResult<void>> {
  const { document, userId } = record;
  const linked = userId === null ? await linkRecord(write, record, before) : ok({ userId, isCreated: false });
  if (!linked.ok) return linked;
  const user = linked.value;
  if (!document.active) return await deactivateMember(write, record, user?.userId ?? null);
  if (!user) return ok(undefined);
  const activated = await activateMember(write, record, { ...user, isNewRecord: before === undefined });
  if (!activated.ok) return activated;
  // A new account was created from the document.
  return user.isCreated ? ok(undefined) : await updateAccount(write, user.userId, document);
}

/**
 * Gives the account of a deleted record to the active record that waits for the account. A problem of the waiting
 * record never refuses the deletion.
 */
export async function linkWaitingRecord(write: DirectoryWrite, userId: string): Promise<void> {
  const waiting = await findWaitingRecord(write.sql, write.directory.id, userId);
  if (waiting) await provisionMember(write, waiting, waiting.document);
}

/**
 * Creates or restores the membership. A session never returns. A new account has no membership, and a new record no
 * group.
 */
async function activateMember(
  write: DirectoryWrite,
  record: ProvisionedRecord,
  { userId, isCreated, isNewRecord }: LinkedUser & { readonly isNewRecord: boolean },
): Promise<ScimResult<void>> {
  const { deps, sql, caller, at } = write;
  const { organizationId, actor, client } = caller;
  if (!isCreated) {
    const user = await lockAddressedUser(sql, organizationId, { userId });
    if (!user || user.role) return ok(undefined);
    if ((await findProgramHolder(sql, organizationId, caller.key.id))?.personId === userId) return OWN_MAKER;
  }
  const invitations = await acceptInvitations(write, userId);
  // The former membership belongs to the user of the record, and not to a successor after the erasure of the account.
  const former = record.userId === userId ? record : { formerRole: null, formerJoinedAt: null };
  const { role, withheld } = await roleOf(
    write,
    { ...record, ...former },
    { invited: invitations[0]?.role, isNewRecord },
  );
  const joinedAt = former.formerJoinedAt ?? at;
  const resource = { type: "user", id: userId } as const;
  const metadata = {
    role,
    source: "directory",
    ...(withheld && { former_role: withheld, reason: "power_not_covered" }),
  };
  const entry = userAuditEvent(deps, actor, client, { action: "member.provisioned", at, resource, metadata });
  await sql`
    with joined as (${insertProvisionedMember(sql, { organizationId, userId, role, joinedAt })})
    ${insertAudit(sql, entry, sql`from joined`)}`;
  if (withheld) await noticeWithheldRole(write);
  for (const { id, roleIds } of invitations) {
    await grantInvitedRoles(deps, sql, { id, organizationId, roleIds, userId, client, at });
  }
  if (!isCreated || !isNewRecord) await followGroups(sql, "directory", organizationId, [userId], at);
  if (record.formerRole !== null || record.formerJoinedAt !== null) await saveFormerMembership(sql, record.id, null);
  await liftRemoval(deps, sql, organizationId, userId);
  return ok(undefined);
}

/** Accepts the open invitations to the addresses of a user whose sender may still grant the role (G36). */
async function acceptInvitations(
  { sql, caller: { organizationId }, at }: DirectoryWrite,
  userId: string,
): Promise<readonly ReceivedInvitation[]> {
  const accepted: ReceivedInvitation[] = [];
  for (const invitation of await listReceivedInvitations(sql, organizationId, userId, at)) {
    const { id, invitedBy, role } = invitation;
    const senders = await lockInviter(sql, organizationId, invitedBy, role);
    if (senders.length > 0 && (await acceptInvitation(sql, id, at))) accepted.push(invitation);
  }
  return accepted;
}

/** Ends the membership with sessions, tokens and invitations, and keeps the role for a later activation. */
export async function deactivateMember(
  write: DirectoryWrite,
  record: ProvisionedRecord,
  userId: string | null,
): Promise<ScimResult<void>> {
  const { deps, sql, caller, at } = write;
  const { organizationId, actor, client } = caller;
  await withdrawInvitation(write, { ...record, userId });
  if (userId === null) return ok(undefined);
  const owners = await lockOwners(sql, organizationId);
  const member = await lockMembershipSince(sql, organizationId, userId);
  if (!member) return ok(undefined);
  if (member.role === "owner" && owners.every((owner) => owner === userId)) return LAST_OWNER;
  if (member.role === "owner" && !(await isKeyOfOwner(sql, organizationId, caller.key.id))) return BY_OWNER;
  if ((await findPolicy(sql, organizationId)).breakGlass.includes(userId)) return BREAK_GLASS;
  await saveFormerMembership(sql, record.id, member);
  const membership = { organizationId, userId, actor, client, reason: "directory_deactivated" } as const;
  write.events.push(...(await endMembership(deps, sql, membership)));
  await rememberRemoval(deps, sql, organizationId, userId, at);
  const resource = { type: "user", id: userId } as const;
  const metadata = { role: member.role, source: "directory" };
  await recordAudit(sql, userAuditEvent(deps, actor, client, { action: "member.deactivated", at, resource, metadata }));
  return ok(undefined);
}
