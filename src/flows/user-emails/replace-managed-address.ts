import type { Sql } from "../../database/database.ts";
import type { SignInDeps } from "../../deps.ts";
import { recordAudit } from "../../models/audit/audit.ts";
import { insertEmail } from "../../models/email/email.ts";
import { logChangeOfUser, type SessionEvent } from "../../models/session/revocation.ts";
import { hashAddress } from "../../models/user/email-address.ts";
import type { Owner } from "../../models/user/user.ts";
import { deleteChangesOf, insertEmailChange } from "../../models/user-email/email-change.ts";
import { deleteUserEmail, insertVerifiedEmail } from "../../models/user-email/user-email.ts";
import { userAuditEvent } from "../steps/audit/audit-event.ts";
import { tokensDeadAt } from "../steps/sessions/end-sessions.ts";
import { type AddressEmail, composeNotice } from "./change-emails.ts";
import { EMAIL_CHANGED } from "./confirm-change.ts";
import { endMailedCredentials, movePrimaryAddress } from "./move-address.ts";

export interface ManagedAddress extends Pick<AddressEmail, "client" | "at"> {
  /** Locked, and managed by the organization. */
  readonly user: Owner;
  readonly organizationId: string;
  /** Free, and in a verified domain of the organization. */
  readonly email: string;
  readonly actor: Parameters<typeof userAuditEvent>[1];
  readonly source: "directory" | "sso";
}

/**
 * Replaces the address of a user whom an organization manages; both mailboxes receive a notice, and sessions continue.
 * The former address is free at once: the organization decides about the addresses of its domain, and no link in a
 * former mailbox takes the address back. Returns the events to announce after the commit.
 */
export async function replaceManagedAddress(
  deps: SignInDeps,
  sql: Sql,
  { user, organizationId, email, actor, source, client, at }: ManagedAddress,
): Promise<readonly SessionEvent[]> {
  const { userId, email: previousEmail } = user;
  const id = deps.random.uuid();
  await insertVerifiedEmail(sql, userId, email, at);
  await movePrimaryAddress(sql, userId, email, at);
  await deleteUserEmail(sql, userId, previousEmail);
  await endMailedCredentials(sql, userId);
  await deleteChangesOf(sql, userId);
  const links = { tokenHash: null, undoTokenHash: null, requestedAt: at, confirmedAt: at, expiresAt: at };
  await insertEmailChange(sql, { id, userId, kind: "change", email, previousEmail, ...links });
  const metadata = { change_id: id, email_hash: hashAddress(deps.addressKey, email), source };
  const resource = { type: "user", id: userId } as const;
  await recordAudit(sql, userAuditEvent(deps, actor, client, { action: "user.email.changed", at, resource, metadata }));
  const change = { email, kind: "change", undoToken: undefined } as const;
  for (const address of [previousEmail, email]) {
    const owner = { ...user, email: address };
    await insertEmail(sql, composeNotice(deps, { owner, tenants: { organizationId }, client, at }, change));
  }
  return await logChangeOfUser(sql, userId, EMAIL_CHANGED, at, tokensDeadAt(deps, at));
}
