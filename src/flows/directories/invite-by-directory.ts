/** Invitations of a directory, in the name of the organization (docs/contract.md, section 31.5). */
import { makeOpaqueToken } from "../../base/opaque-token.ts";
import { hashToken } from "../../base/token-hash.ts";
import { INVITATION_LIFETIME_MS } from "../../limits/credential-limits.ts";
import { UNVERIFIED_DIRECTORY_INVITATIONS } from "../../limits/directory-limits.ts";
import { insertAudit } from "../../models/audit/audit.ts";
import { hasAccountableOwner, nextInvitationTime } from "../../models/directory/invitation-limit.ts";
import { delayEmail, insertEmail } from "../../models/email/email.ts";
import type { WindowLimit } from "../../models/email/email-allowance.ts";
import { deleteExpiredInvitation, hasOpenInvitation, insertInvitation } from "../../models/invitation/invitation.ts";
import { findOrganization } from "../../models/organization/organization.ts";
import { findRecipientByEmail } from "../../models/user/user.ts";
import type { DirectoryRole } from "../../vocabulary/directory-settings.ts";
import { userAuditEvent } from "../steps/audit/audit-event.ts";
import { invitationEmail } from "../steps/email/invitation-email.ts";
import type { DirectoryWrite } from "./directory-write.ts";

const UNKNOWN_RECIPIENT = { isMailboxOwner: false, displayName: null, locale: null, timeZone: null } as const;

/**
 * Inserts an invitation with its email in the transaction of the record. An open invitation to the address stays.
 * Beyond the limit of the organization the email waits in the outbox, and the invitation lasts longer by that time.
 */
export async function inviteByDirectory(
  write: DirectoryWrite,
  { email, role }: { readonly email: string; readonly role: DirectoryRole },
): Promise<void> {
  const { deps, sql, caller, at } = write;
  const { organizationId, actor, client } = caller;
  await deleteExpiredInvitation(sql, organizationId, email, at);
  if (await hasOpenInvitation(sql, organizationId, email)) return;
  const limit = await invitationLimit(write);
  const dueAt = limit ? await nextInvitationTime(sql, organizationId, limit, at) : at;
  const id = deps.random.uuid();
  const token = makeOpaqueToken(deps.random);
  const organization = await findOrganization(sql, organizationId);
  const to = (await findRecipientByEmail(sql, email)) ?? { ...UNKNOWN_RECIPIENT, email };
  const mail = invitationEmail(deps, { organization, organizationId, sender: undefined, to, token, client, at });
  const queued = await sql`${insertEmail(sql, mail)} returning id`;
  // Too many emails to the address: an administrator sends the invitation again.
  if (queued.length > 0 && dueAt > at) await delayEmail(sql, mail.id, dueAt);
  const expiresAt = new Date(dueAt.getTime() + INVITATION_LIFETIME_MS);
  const sender = { invitedBy: null, roleIds: [], sentBy: "organization", createdByCredential: null } as const;
  const delivery = "mail" as const;
  const tokenHash = hashToken(token);
  const invitation = { id, organizationId, email, role, tokenHash, delivery, ...sender, createdAt: at, expiresAt };
  const resource = { type: "invitation", id } as const;
  const metadata = { role, source: "directory" };
  const entry = userAuditEvent(deps, actor, client, { action: "invitation.created", at, resource, metadata });
  await sql`with invited as (${insertInvitation(sql, invitation)}) ${insertAudit(sql, entry, sql`from invited`)}`;
}

/**
 * A freely registered organization must not send emails to arbitrary addresses: without an owner whose address is
 * verified, the lower limit applies, also while limits are off.
 */
async function invitationLimit({ deps, sql, caller }: DirectoryWrite): Promise<WindowLimit | undefined> {
  if (!(await hasAccountableOwner(sql, caller.organizationId))) return UNVERIFIED_DIRECTORY_INVITATIONS;
  const { enabled, scimInvitations } = deps.config.limits;
  return enabled ? scimInvitations : undefined;
}
