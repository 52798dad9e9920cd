/** The user behind a record: linked, invited, or created as a user of a verified domain. */

import { inertName } from "../../base/display-name.ts";
import { ok } from "../../base/result.ts";
import { insertAudit } from "../../models/audit/audit.ts";
import { findRecordOfUser, linkDirectoryUser } from "../../models/directory/directory-user.ts";
import {
  type AddressedUser,
  lockAddressedUser,
  lockReceivedInvitations,
} from "../../models/directory/managed-account.ts";
import { type ScimResult, scimError } from "../../models/directory/protocol/scim-problem.ts";
import { addressOf, emailKeys, type UserDocument } from "../../models/directory/protocol/user-document.ts";
import { insertEmail, noticeTime } from "../../models/email/email.ts";
import { findOrganization } from "../../models/organization/organization.ts";
import { findOwnAddresses } from "../../models/organization-domain/organization-domain.ts";
import { normalizeAssertedEmail } from "../../models/user/email-address.ts";
import { insertControlledUser, type Recipient } from "../../models/user/user.ts";
import { emailIsTaken } from "../../models/user/user-address.ts";
import { revokeLockedInvitations } from "../steps/accounts/change-member-role.ts";
import { userAuditEvent } from "../steps/audit/audit-event.ts";
import { permitsAddress } from "../steps/authorization/joining-rules.ts";
import { confirmMailboxOwnership } from "../steps/credentials/confirm-mailbox-ownership.ts";
import { composeEmail } from "../steps/email/compose-email.ts";
import type { DirectoryWrite, ProvisionedRecord } from "./directory-write.ts";
import { inviteByDirectory } from "./invite-by-directory.ts";
import { mappedRole } from "./role-of-activation.ts";
import { displayNameOf, localeOf } from "./update-account.ts";

const OUTSIDE = scimError("invalidValue", "The address is outside of the verified domains of the organization.");

/** `isCreated`: the request created the account. */
export interface LinkedUser {
  readonly userId: string;
  readonly isCreated: boolean;
}

/** Finds or creates the user of a record; undefined: the record has no user. */
export async function linkRecord(
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

/**
 * Decides by the address of the record, and locks the account of the address. An inactive record holds no account: the
 * next active record that takes the account ends the link of the inactive record.
 */
async function findWay(write: DirectoryWrite, { document }: ProvisionedRecord): Promise<WayToUser> {
  const { sql, caller, directory } = write;
  const { organizationId } = caller;
  const email = normalizeAssertedEmail(addressOf(document));
  if (email === undefined) return NO_WAY;
  const user = await lockAddressedUser(sql, organizationId, { email });
  const holder = user && (await findRecordOfUser(sql, directory.id, user.userId));
  if (holder?.active || (holder && !document.active)) {
    if (document.active) caller.omissions.add("access", "Another active user of the directory has the address.");
    return NO_WAY;
  }
  const way = await wayOf(write, document, email, user);
  const isTaken = way.kind !== "none" && way.kind !== "refused";
  if (holder && isTaken) await linkDirectoryUser(sql, holder.id, { userId: null, link: "none" });
  return way;
}

/** The way to the account of an address that no active record holds. */
async function wayOf(
  { sql, caller: { organizationId }, directory, at }: DirectoryWrite,
  document: UserDocument,
  email: string,
  user: AddressedUser | undefined,
): Promise<WayToUser> {
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
export async function withdrawInvitation(
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
  // An additional address proves no control of the primary mailbox, as with single sign-on.
  if (user.email === email) {
    const proof = { kind: "directory" } as const;
    const events = await confirmMailboxOwnership(deps, sql, { user: owner, proof, client: caller.client, at });
    write.events.push(...events);
  }
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
