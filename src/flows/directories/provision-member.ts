/** The membership and the account behind a record: created, restored, ended or changed in the caller's transaction. */
import { cleanName } from "../../base/display-name.ts";
import { ok } from "../../base/result.ts";
import type { Sql } from "../../database/database.ts";
import { insertAudit, recordAudit } from "../../models/audit/audit.ts";
import type { Directory, DirectoryRole } from "../../models/directory/directory.ts";
import {
  type DirectoryUser,
  findRecordOfUser,
  linkDirectoryUser,
  saveFormerMembership,
} from "../../models/directory/directory-user.ts";
import { isRecord } from "../../models/directory/protocol/json.ts";
import { type ScimResult, scimError } from "../../models/directory/protocol/scim-problem.ts";
import { addressOf, emailKeys, type UserDocument } from "../../models/directory/protocol/user-document.ts";
import {
  type AddressedUser,
  acceptInvitations,
  deleteRemoval,
  findGroupRole,
  insertProvisionedMember,
  lockAddressedUser,
  lockMembershipSince,
  lockReceivedInvitations,
  markManaged,
  updateManagedUser,
} from "../../models/directory/provisioning.ts";
import type { MemberRole } from "../../models/member/member.ts";
import { lockOwners } from "../../models/member/members.ts";
import { recordRemoval } from "../../models/member/provisioning.ts";
import type { SessionEvent } from "../../models/session/revocation.ts";
import { findPolicy } from "../../models/sso-policy/sso-policy.ts";
import { normalizeEmail } from "../../models/user/email-address.ts";
import { releaseIndependentUser } from "../../models/user/managed-user.ts";
import { insertControlledUser } from "../../models/user/user.ts";
import { emailIsTaken } from "../../models/user/user-address.ts";
import { revokeLockedInvitations } from "../steps/accounts/change-member-role.ts";
import { endMembership } from "../steps/accounts/end-membership.ts";
import { userAuditEvent } from "../steps/audit/audit-event.ts";
import { confirmMailboxOwnership } from "../steps/credentials/confirm-mailbox-ownership.ts";
import type { DirectoryCaller, DirectoryDeps } from "./directory-caller.ts";

/** A write of a directory inside its transaction. */
export interface DirectoryWrite {
  readonly deps: DirectoryDeps;
  readonly sql: Sql;
  readonly caller: DirectoryCaller;
  /** Locked. */
  readonly directory: Directory;
  readonly at: Date;
  /** Announced after the commit. */
  readonly events: SessionEvent[];
  /** Invited after the commit. */
  readonly invitations: { readonly email: string; readonly role: DirectoryRole }[];
}

type Provisioned = Pick<DirectoryUser, "id" | "document" | "userId" | "link" | "formerRole" | "formerJoinedAt">;

const OUTSIDE = scimError("invalidValue", "The address is outside of the verified domains of the organization.");
const LAST_OWNER = scimError("mutability", "The last owner of the organization cannot be deactivated.");
const BREAK_GLASS = scimError("mutability", "A user of emergency access cannot be deactivated.");

/** Brings link, membership and account in line with the record. `isNew`: the request creates the record. */
export async function provisionMember(
  write: DirectoryWrite,
  record: Provisioned,
  isNew: boolean,
): Promise<ScimResult<void>> {
  const { document } = record;
  const linked = record.userId === null ? await linkRecord(write, record, isNew) : ok(record.userId);
  if (!linked.ok) return linked;
  const userId = linked.value;
  if (!document.active) return await deactivateMember(write, record, userId);
  if (userId === null) return ok(undefined);
  await activateMember(write, record, userId);
  await updateAccount(write, userId, document);
  return ok(undefined);
}

/** Finds or creates the user of a record; null: the record is not linked. */
async function linkRecord(
  write: DirectoryWrite,
  record: Provisioned,
  isNew: boolean,
): Promise<ScimResult<string | null>> {
  const { deps, sql, caller, directory } = write;
  const { document } = record;
  const email = normalizeEmail(addressOf(document));
  if (email === undefined) return ok(null);
  const user = await lockAddressedUser(sql, caller.organizationId, { email });
  if (user && (await findRecordOfUser(sql, directory.id, user.userId)) !== undefined) return ok(null);
  const isOwnDomain = deps.domainDirectory.index().includesAddress(caller.organizationId, email);
  if (user?.role) return ok(await link(write, record, user.userId, "member"));
  if (!document.active) return ok(null);
  if (isOwnDomain) return ok(await linkByDomain(write, record, email, user));
  if (directory.outsideDomains === "refuse") return isNew ? OUTSIDE : ok(null);
  if (record.link !== "invitation") {
    write.invitations.push({ email, role: (await findGroupRole(sql, record.id)) ?? directory.defaultRole });
    await linkDirectoryUser(sql, record.id, { userId: null, link: "invitation" });
  }
  return ok(null);
}

async function link(
  { sql }: DirectoryWrite,
  { id }: Provisioned,
  userId: string,
  kind: "domain" | "member",
): Promise<string> {
  await linkDirectoryUser(sql, id, { userId, link: kind });
  return userId;
}

/** The verified domain proves control of the mailbox: the account of the address joins, or is created. */
async function linkByDomain(
  write: DirectoryWrite,
  record: Provisioned,
  email: string,
  user: AddressedUser | undefined,
): Promise<string | null> {
  const { deps, sql, caller, at } = write;
  if (!user) {
    // Reserved for its former holder.
    if (await emailIsTaken(sql, email, at)) return null;
    return await link(write, record, await createManagedUser(write, email, record.document), "domain");
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
  const proof = { kind: "directory" } as const;
  const events = await confirmMailboxOwnership(deps, sql, { user: owner, proof, client: caller.client, at });
  write.events.push(...events);
  return await link(write, record, userId, "domain");
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
    with created as (${insertControlledUser(sql, { ...user, organizationId, at })})
    ${insertAudit(sql, entry, sql`from created`)}`;
  await markManaged(sql, id, organizationId);
  return id;
}

/** Creates or restores the membership. A session never returns. */
async function activateMember(write: DirectoryWrite, record: Provisioned, userId: string): Promise<void> {
  const { deps, sql, caller, at } = write;
  const { organizationId, actor, client } = caller;
  const user = await lockAddressedUser(sql, organizationId, { userId });
  if (!user || user.role) return;
  const role = await roleOf(write, record, userId);
  const joinedAt = record.formerJoinedAt ?? at;
  const resource = { type: "user", id: userId } as const;
  const metadata = { role, source: "directory" };
  const entry = userAuditEvent(deps, actor, client, { action: "member.provisioned", at, resource, metadata });
  await sql`
    with joined as (${insertProvisionedMember(sql, { organizationId, userId, role, joinedAt })})
    ${insertAudit(sql, entry, sql`from joined`)}`;
  await saveFormerMembership(sql, record.id, null);
  await deleteRemoval(sql, organizationId, userId);
}

/** The role of the groups, else of an accepted invitation, else the default role. Former owners stay owners. */
async function roleOf(
  { sql, caller, directory, at }: DirectoryWrite,
  record: Provisioned,
  userId: string,
): Promise<MemberRole> {
  const invited = await acceptInvitations(sql, caller.organizationId, userId, at);
  if (record.formerRole === "owner") return "owner";
  const isMapped = directory.roleSource === "groups";
  const mapped = isMapped ? await findGroupRole(sql, record.id) : (record.formerRole ?? undefined);
  // An invitation as owner needs the invited person.
  const accepted = invited === "owner" ? "admin" : invited;
  return mapped ?? accepted ?? directory.defaultRole;
}

/** Ends the membership with sessions, tokens and invitations, and keeps the role for a later activation. */
export async function deactivateMember(
  write: DirectoryWrite,
  record: Provisioned,
  userId: string | null,
): Promise<ScimResult<void>> {
  const { deps, sql, caller, at } = write;
  const { organizationId, actor, client } = caller;
  const address = normalizeEmail(addressOf(record.document));
  const emails = [...emailKeys(record.document), ...(address === undefined ? [] : [address])];
  const invitations = await lockReceivedInvitations(sql, organizationId, { userId, emails });
  await revokeLockedInvitations(deps, sql, { actor, client, reason: "directory_deactivated" }, invitations);
  if (userId === null) return ok(undefined);
  const owners = await lockOwners(sql, organizationId);
  const member = await lockMembershipSince(sql, organizationId, userId);
  if (!member) return ok(undefined);
  if (member.role === "owner" && owners.every((owner) => owner === userId)) return LAST_OWNER;
  if ((await findPolicy(sql, organizationId)).breakGlass.includes(userId)) return BREAK_GLASS;
  await saveFormerMembership(sql, record.id, member);
  const membership = { organizationId, userId, actor, client, reason: "directory_deactivated" } as const;
  write.events.push(...(await endMembership(deps, sql, membership)));
  await recordRemoval(sql, organizationId, userId, at);
  const resource = { type: "user", id: userId } as const;
  const metadata = { role: member.role, source: "directory" };
  await recordAudit(sql, userAuditEvent(deps, actor, client, { action: "member.deactivated", at, resource, metadata }));
  return ok(undefined);
}

/** The attributes of a record reach the account of a managed user only. */
async function updateAccount(write: DirectoryWrite, userId: string, document: UserDocument): Promise<void> {
  const { sql, caller, at } = write;
  const profile = { displayName: displayNameOf(document), locale: localeOf(document) };
  await releaseIndependentUser(sql, userId, caller.organizationId);
  await updateManagedUser(sql, userId, caller.organizationId, profile, at);
}

function displayNameOf({ displayName, name }: UserDocument): string | null {
  const { formatted, givenName, familyName } = isRecord(name) ? name : {};
  const joined = [givenName, familyName].filter((each) => typeof each === "string").join(" ");
  const given = [displayName, formatted, joined].find((each) => typeof each === "string" && each.trim() !== "");
  return (typeof given === "string" ? cleanName(given) : undefined) ?? null;
}

/** The primary subtag of a language tag, as accounts have it. */
function localeOf({ preferredLanguage, locale }: UserDocument): string | null {
  const given = typeof preferredLanguage === "string" ? preferredLanguage : locale;
  const [tag = ""] = typeof given === "string" ? given.replace("_", "-").split(/[,;]/) : [];
  return /^[a-z]{2,3}(?:-[a-z0-9]{2,8})*$/i.test(tag) && tag.length <= 35 ? tag : null;
}
