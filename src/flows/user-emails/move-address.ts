import type { Sql } from "../../database/database.ts";
import { EMAIL_UNDO_LIFETIME_MS } from "../../limits/user-email-limits.ts";
import { deleteEmailCode } from "../../models/email-code/email-code.ts";
import { deleteAllMailedTokens } from "../../models/mailed-token/mailed-token.ts";
import { updateEmailClaims } from "../../models/session/user-sessions.ts";
import type { Owner } from "../../models/user/user.ts";
import { type EmailChange, findFirstUndoableBy, voidUndoLinksOfOthers } from "../../models/user-email/email-change.ts";
import {
  deleteReservation,
  deleteUserEmail,
  insertVerifiedEmail,
  reserveEmail,
  setPrimaryEmail,
} from "../../models/user-email/user-email.ts";

/** Ends reset links, verification links and emailed codes, which emails to the former addresses contain. */
export async function endMailedCredentials(sql: Sql, userId: string): Promise<void> {
  await deleteAllMailedTokens(sql, userId);
  await deleteEmailCode(sql, userId);
}

/** Inside a transaction with the lock of the user: makes a verified address the primary address. */
export async function movePrimaryAddress(sql: Sql, userId: string, email: string, at: Date): Promise<void> {
  await endMailedCredentials(sql, userId);
  await setPrimaryEmail(sql, userId, email, at);
  await updateEmailClaims(sql, userId, email);
  await deleteReservation(sql, userId, email);
}

/**
 * After a return to an address whose mailbox holds a valid undo link: voids the later undo links of other mailboxes, as
 * the undo of the address would. Otherwise the mailbox in between could undo the return after the older link has
 * expired, and gain the account. Returns whether the mailbox of the address holds an undo link.
 */
export async function endUndoAfterReturn(sql: Sql, userId: string, email: string, at: Date): Promise<boolean> {
  const first = await findFirstUndoableBy(sql, userId, email, at);
  if (first) await voidUndoLinksOfOthers(sql, userId, email, first.sequence);
  return first !== undefined;
}

/** Restores the primary address of before a change, and removes the address of the change. */
export async function restoreAddress(
  sql: Sql,
  owner: Owner,
  { previousEmail, email }: Pick<EmailChange, "previousEmail" | "email">,
  at: Date,
): Promise<void> {
  if (owner.email !== previousEmail) {
    await insertVerifiedEmail(sql, owner.userId, previousEmail, at);
    await movePrimaryAddress(sql, owner.userId, previousEmail, at);
  }
  await deleteUserEmail(sql, owner.userId, email);
}

/**
 * Removes an address of the user, and afterwards the links and codes of emails: no new link refers to the removed row.
 * A controlled address is reserved, so that no other user registers the address while an undo may restore the address.
 */
export async function releaseAddress(sql: Sql, owner: Owner, email: string, at: Date): Promise<void> {
  await deleteUserEmail(sql, owner.userId, email);
  await endMailedCredentials(sql, owner.userId);
  if (!owner.isMailboxOwner) return;
  await reserveEmail(sql, owner.userId, email, new Date(at.getTime() + EMAIL_UNDO_LIFETIME_MS));
}
