/** The membership and the account behind a record: created, restored, ended or changed in the caller's transaction. */
import { inertName } from "../../base/display-name.ts";
import { ok } from "../../base/result.ts";
import { insertAudit, recordAudit } from "../../models/audit/audit.ts";
import { findKeyHolder } from "../../models/channel/channel-holder.ts";
import { findRecordOfUser, linkDirectoryUser, saveFormerMembership } from "../../models/directory/directory-user.ts";
import { protectedUser, type ScimResult, scimError } from "../../models/directory/protocol/scim-problem.ts";
import { addressOf, emailKeys, type UserDocument } from "../../models/directory/protocol/user-document.ts";
import {
  type AddressedUser,
  acceptInvitation,
  insertProvisionedMember,
  listReceivedInvitations,
  lockAddressedUser,
  lockMembershipSince,
  lockReceivedInvitations,
  type ReceivedInvitation,
} from "../../models/directory/provisioning.ts";
import { insertEmail, noticeTime } from "../../models/email/email.ts";
import { lockInviter, lockOwners } from "../../models/member/members.ts";
import { followGroups } from "../../models/member-group/group-roles.ts";
import { findOrganization } from "../../models/organization/organization.ts";
import { findOwnAddresses } from "../../models/organization-domain/organization-domain.ts";
import { findPolicy } from "../../models/sso-policy/sso-policy.ts";
import { normalizeAssertedEmail } from "../../models/user/email-address.ts";
import { insertControlledUser, type Recipient } from "../../models/user/user.ts";
import { emailIsTaken } from "../../models/user/user-address.ts";
import { revokeLockedInvitations } from "../steps/accounts/change-member-role.ts";
import { endMembership } from "../steps/accounts/end-membership.ts";
import { liftRemoval, rememberRemoval } from "../steps/accounts/member-removal.ts";
import { userAuditEvent } from "../steps/audit/audit-event.ts";
import { permitsAddress } from "../steps/authorization/joining-rules.ts";
import { confirmMailboxOwnership } from "../steps/credentials/confirm-mailbox-ownership.ts";
import { composeEmail } from "../steps/email/compose-email.ts";
import { grantInvitedRoles } from "../steps/roles/invited-roles.ts";
import type { DirectoryWrite, ProvisionedRecord } from "./directory-write.ts";
import { inviteByDirectory } from "./invite-by-directory.ts";
import { mappedRole, noticeWithheldRole, roleOf } from "./role-of-activation.ts";
import { displayNameOf, localeOf, updateAccount } from "./update-account.ts";

const OUTSIDE = scimError("invalidValue", "The address is outside of the verified domains of the organization.");
const LAST_OWNER = protectedUser("The last owner of the organization cannot be deactivated.");
const BY_OWNER = protectedUser("A key that an owner created deactivates an owner; another key does not.");
const OWN_MAKER = protectedUser("A key does not make the person who created the key a member.");
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

/** `isCreated`: the request created the account. */
interface LinkedUser {
  readonly userId: string;
  readonly isCreated: boolean;
}

/** Finds or creates the user of a record; undefined: the record has no user. */
async function linkRecord(
  write: DirectoryWrite,
  record: ProvisionedRecord,
  before: UserDocument | undefined,
): Promise<ScimResult<LinkedUser | undefined>> {
  const isMoved = before !== undefined && addressOf(before) !== addressOf(record.document);
  if (isMoved && record.link === "invitation") await withdrawInvitation(write, { ...record, document: before });
  const way = await findWay(write, record);
  switch (way.kind) {
    case "none":
      return ok(undefined);
    case "member":
      return ok(await link(write, record, { userId: way.userId, isCreated: false }, "member"));
    case "own_domain":
      return ok(await linkByDomain(write, record, way.email, way.user));
    case "refused":
      // A record that leaves the domains remains, without a user.
      return before ? ok(undefined) : OUTSIDE;
    case "invitation":
      if (record.link !== "invitation" || isMoved) await inviteRecord(write, record, way.email);
      return ok(undefined);
  }
}

/** The way from a record without a user to a user. */
type WayToUser =
  | { readonly kind: "member"; readonly userId: string }
  /** `user`: the account of the address. */
  | { readonly kind: "own_domain"; readonly email: string; readonly user: AddressedUser | undefined }
  | { readonly kind: "invitation"; readonly email: string }
  /** The directory refuses addresses outside of the verified domains. */
  | { readonly kind: "refused" }
  | { readonly kind: "none" };

const NO_WAY = { kind: "none" } as const;

/** Decides by the address of the record, and locks the account of the address. */
async function findWay(write: DirectoryWrite, { document }: ProvisionedRecord): Promise<WayToUser> {
  const { sql, caller, directory, at } = write;
  const { organizationId } = caller;
  const email = normalizeAssertedEmail(addressOf(document));
  if (email === undefined) return NO_WAY;
  const user = await lockAddressedUser(sql, organizationId, { email });
  if (user && (await findRecordOfUser(sql, directory.id, user.userId)) !== undefined) return NO_WAY;
  if (user?.role) return { kind: "member", userId: user.userId };
  if (!document.active || !(await permitsAddress(sql, organizationId, email, at))) return NO_WAY;
  const isOwn = await findOwnAddresses(sql, organizationId);
  if (isOwn(email)) return { kind: "own_domain", email, user };
  return directory.outsideDomains === "refuse" ? { kind: "refused" } : { kind: "invitation", email };
}

async function inviteRecord(write: DirectoryWrite, record: ProvisionedRecord, email: string): Promise<void> {
  const role = (await mappedRole(write, record)) ?? write.directory.defaultRole;
  await inviteByDirectory(write, { email, role });
  await linkDirectoryUser(write.sql, record.id, { userId: null, link: "invitation" });
}

/** Revokes the open invitations to the addresses of a record, and to the linked user. */
async function withdrawInvitation(
  { deps, sql, caller }: DirectoryWrite,
  { id, document, userId, link: kind }: Pick<ProvisionedRecord, "id" | "document" | "userId" | "link">,
): Promise<void> {
  const { organizationId, actor, client } = caller;
  const address = normalizeAssertedEmail(addressOf(document));
  const emails = [...emailKeys(document), ...(address === undefined ? [] : [address])];
  const invitations = await lockReceivedInvitations(sql, organizationId, { userId, emails });
  await revokeLockedInvitations(deps, sql, { actor, client, reason: "directory_deactivated" }, invitations);
  // A later activation invites again.
  if (kind === "invitation") await linkDirectoryUser(sql, id, { userId: null, link: "none" });
}

async function link(
  { sql }: DirectoryWrite,
  { id }: ProvisionedRecord,
  user: LinkedUser,
  kind: "domain" | "member",
): Promise<LinkedUser> {
  await linkDirectoryUser(sql, id, { userId: user.userId, link: kind });
  return user;
}

/** The verified domain proves control of the mailbox: the account of the address joins, or is created. */
async function linkByDomain(
  write: DirectoryWrite,
  record: ProvisionedRecord,
  email: string,
  user: AddressedUser | undefined,
): Promise<LinkedUser | undefined> {
  const { deps, sql, caller, at } = write;
  if (!user) {
    // Reserved for its former holder.
    if (await emailIsTaken(sql, email, at)) return undefined;
    const created = { userId: await createManagedUser(write, email, record.document), isCreated: true };
    return await link(write, record, created, "domain");
  }
  const { userId, displayName, locale, timeZone, isMailboxOwner } = user;
  const owner = {
    userId,
    organizationId: caller.organizationId,
    email: user.email,
    displayName,
    locale,
    timeZone,
    isMailboxOwner,
  };
  await noticeNewMember(write, owner);
  const proof = { kind: "directory" } as const;
  const events = await confirmMailboxOwnership(deps, sql, { user: owner, proof, client: caller.client, at });
  write.events.push(...events);
  return await link(write, record, { userId, isCreated: false }, "domain");
}

/** The owner of an existing account learns that a directory has added the account to an organization. */
async function noticeNewMember({ deps, sql, caller, at }: DirectoryWrite, to: Recipient): Promise<void> {
  const { organizationId, client } = caller;
  const organization = await findOrganization(sql, organizationId);
  const values = {
    organization_name: inertName(organization?.name ?? ""),
    time: noticeTime(at),
    link: `${deps.config.urls.publicBaseUrl}/account`,
  };
  const mail = { kind: "directory_joined", values } as const;
  await insertEmail(sql, composeEmail(deps, { to, mail, tenants: { organizationId }, client, at }));
}

async function createManagedUser(write: DirectoryWrite, email: string, document: UserDocument): Promise<string> {
  const { deps, sql, caller, at } = write;
  const { organizationId, actor, client } = caller;
  const id = deps.random.uuid();
  const user = { id, email, passwordHash: null, displayName: displayNameOf(document), locale: localeOf(document) };
  const resource = { type: "user", id } as const;
  const metadata = { method: "directory" };
  const entry = userAuditEvent(deps, actor, client, { action: "auth.register", at, resource, metadata });
  await sql`
    with created as (${insertControlledUser(sql, { ...user, organizationId, managedBy: organizationId, at })})
    ${insertAudit(sql, entry, sql`from created`)}`;
  return id;
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
    if ((await findKeyHolder(sql, organizationId, caller.key.id))?.personId === userId) return OWN_MAKER;
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
  if (member.role === "owner" && (await findKeyHolder(sql, organizationId, caller.key.id))?.role !== "owner") {
    return BY_OWNER;
  }
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
