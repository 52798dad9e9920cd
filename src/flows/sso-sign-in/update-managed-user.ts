import type { Sql } from "../../database/database.ts";
import { recordAudit } from "../../models/audit/audit.ts";
import { insertEmail } from "../../models/email/email.ts";
import { logChangeOfUser, type SessionEvent } from "../../models/session/revocation.ts";
import { hashAddress } from "../../models/user/email-address.ts";
import { findManagedUser, releaseIndependentUser, renameManagedUser } from "../../models/user/managed-user.ts";
import type { Owner } from "../../models/user/user.ts";
import { insertEmailChange } from "../../models/user-email/email-change.ts";
import { deleteUserEmail, findOtherHolder, insertVerifiedEmail } from "../../models/user-email/user-email.ts";
import { userAuditEvent } from "../steps/audit/audit-event.ts";
import { tokensDeadAt } from "../steps/sessions/end-sessions.ts";
import { composeNotice } from "../user-emails/change-emails.ts";
import { EMAIL_CHANGED } from "../user-emails/confirm-change.ts";
import { endMailedCredentials, movePrimaryAddress } from "../user-emails/move-address.ts";
import type { SsoDeps } from "./connection.ts";
import type { ProvisioningInput } from "./provisioning-input.ts";

export interface UpdatedUser {
  /** Announced after the commit. */
  readonly events: readonly SessionEvent[];
  /** `address_taken`: the asserted address belongs to another user, and the address of the member stays. */
  readonly warning: "address_taken" | null;
}

const UNCHANGED: UpdatedUser = { events: [], warning: null };

/**
 * Applies the asserted name and address to a member whom the organization manages; other members keep both.
 * `provenEmail`: in a verified domain of the organization.
 */
export async function updateManagedUser(
  deps: SsoDeps,
  sql: Sql,
  input: ProvisioningInput,
  userId: string,
  provenEmail: string | undefined,
): Promise<UpdatedUser> {
  const { connection, asserted, at } = input;
  await releaseIndependentUser(sql, userId, connection.organizationId);
  const user = await findManagedUser(sql, userId, connection.organizationId);
  if (!user) return UNCHANGED;
  const { displayName } = asserted;
  if (displayName !== undefined && displayName !== user.displayName) {
    await renameManagedUser(sql, userId, displayName, at);
  }
  if (provenEmail === undefined || provenEmail === user.email) return UNCHANGED;
  if (await findOtherHolder(sql, provenEmail, userId, at)) return { events: [], warning: "address_taken" };
  await replaceAddress(deps, sql, input, user, provenEmail);
  return { events: await logChangeOfUser(sql, userId, EMAIL_CHANGED, at, tokensDeadAt(deps, at)), warning: null };
}

/** The former address is free at once: the organization decides about the addresses of its domain. */
async function replaceAddress(
  deps: SsoDeps,
  sql: Sql,
  { connection, client, at }: ProvisioningInput,
  user: Owner,
  email: string,
): Promise<void> {
  const { userId, email: previousEmail } = user;
  const id = deps.random.uuid();
  await insertVerifiedEmail(sql, userId, email, at);
  await movePrimaryAddress(sql, userId, email, at);
  await deleteUserEmail(sql, userId, previousEmail);
  await endMailedCredentials(sql, userId);
  const links = { tokenHash: null, undoTokenHash: null, requestedAt: at, confirmedAt: at, expiresAt: at };
  await insertEmailChange(sql, { id, userId, kind: "change", email, previousEmail, ...links });
  const metadata = { change_id: id, email_hash: hashAddress(deps.addressKey, email), source: "sso" };
  const actor = { userId, organizationId: connection.organizationId };
  await recordAudit(sql, userAuditEvent(deps, actor, client, { action: "user.email.changed", at, metadata }));
  const change = { email, kind: "change", undoToken: undefined } as const;
  const tenants = { organizationId: connection.organizationId };
  for (const address of [previousEmail, email]) {
    const owner = { ...user, email: address };
    await insertEmail(sql, composeNotice(deps, { owner, tenants, client, at }, change));
  }
}
