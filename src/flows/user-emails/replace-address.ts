/** The change of a primary address by an administrator or a program (docs/contract.md, section 36.2). */
import { makeOpaqueToken } from "../../base/opaque-token.ts";
import { type Refusal, refusal } from "../../base/problem.ts";
import type { RequestContext } from "../../base/request-context.ts";
import { err, type Result } from "../../base/result.ts";
import { hashToken } from "../../base/token-hash.ts";
import type { Sql } from "../../database/database.ts";
import type { SignInDeps } from "../../deps.ts";
import { EMAIL_UNDO_LIFETIME_MS } from "../../limits/user-email-limits.ts";
import { recordAudit } from "../../models/audit/audit.ts";
import { insertEmail } from "../../models/email/email.ts";
import { logChangeOfUser, type SessionEvent } from "../../models/session/revocation.ts";
import { setUncontrolled } from "../../models/user/control.ts";
import { hashAddress } from "../../models/user/email-address.ts";
import { findOwner } from "../../models/user/user.ts";
import { insertEmailChange, voidReplacedChanges } from "../../models/user-email/email-change.ts";
import { findOtherHolder, findOwnAddress, insertPendingEmail } from "../../models/user-email/user-email.ts";
import { insertVouchedEmail } from "../../models/user-email/vouched-address.ts";
import { type Actor, userAuditEvent } from "../steps/audit/audit-event.ts";
import { tokensDeadAt } from "../steps/sessions/end-sessions.ts";
import { permitRelease } from "./authorize-change.ts";
import { composeNotice } from "./change-emails.ts";
import { EMAIL_CHANGED } from "./confirm-change.ts";
import { endUndoAfterReturn, movePrimaryAddress, releaseAddress } from "./move-address.ts";

export interface AddressReplacement {
  readonly actor: Actor;
  /** Locked. */
  readonly userId: string;
  /** The organization that manages the account; null: none. */
  readonly managedBy: string | null;
  /** Normalised. */
  readonly email: string;
  /** True: the caller vouches for the control of the mailbox. */
  readonly verified: boolean;
  readonly client: RequestContext;
  readonly at: Date;
}

const TAKEN = { ...refusal("conflict", "This email address is already registered."), reason: "email_taken" } as const;
const MANAGED = refusal("conflict", "An organization manages the address of this user.");

/** Decides, before the first write, whether an address can replace the primary address of a locked user. */
export async function permitReplacement(
  sql: Sql,
  { userId, managedBy, email, at }: Pick<AddressReplacement, "userId" | "managedBy" | "email" | "at">,
): Promise<Result<void, Refusal<"conflict" | "forbidden">>> {
  if (managedBy !== null) return err(MANAGED);
  if (await findOtherHolder(sql, email, userId, at)) return err(TAKEN);
  const owner = await findOwner(sql, userId);
  return await permitRelease(sql, owner, owner.email);
}

/**
 * Replaces the primary address of a locked user by an address that `permitReplacement` has permitted. The mailbox of a
 * controlled former address gets an undo link of seven days, as after a change by the user. An address without control
 * makes the account uncontrolled: the first proof of the mailbox ends what was set up before (section 5.3).
 */
export async function replaceAddressIn(
  deps: SignInDeps,
  sql: Sql,
  { actor, userId, email, verified, client, at }: AddressReplacement,
): Promise<readonly SessionEvent[]> {
  const owner = await findOwner(sql, userId);
  const own = await findOwnAddress(sql, email, userId);
  const isVerified = verified || Boolean(own?.verifiedAt);
  if (isVerified) await insertVouchedEmail(sql, userId, email, at);
  else await insertPendingEmail(sql, userId, email, at);
  await movePrimaryAddress(sql, userId, email, at);
  if (!isVerified) await setUncontrolled(sql, userId, at);
  await releaseAddress(sql, owner, owner.email, at);
  const isReturn = await endUndoAfterReturn(sql, userId, email, at);
  const undoToken = owner.isMailboxOwner && !isReturn ? makeOpaqueToken(deps.random) : undefined;
  const id = deps.random.uuid();
  const change = {
    id,
    userId,
    kind: "change",
    email,
    previousEmail: owner.email,
    tokenHash: null,
    undoTokenHash: undoToken === undefined ? null : hashToken(undoToken),
    requestedAt: at,
    confirmedAt: at,
    expiresAt: new Date(at.getTime() + EMAIL_UNDO_LIFETIME_MS),
  } as const;
  // A separate statement: the trigger of the audit record reads the row of the change.
  await sql`${insertEmailChange(sql, change)}`;
  await sql`${voidReplacedChanges(sql, change)}`;
  const event = {
    action: "user.email.changed",
    at,
    resource: { type: "user", id: userId },
    metadata: { change_id: id, email_hash: hashAddress(deps.addressKey, email), source: "administrator" },
  } as const;
  await recordAudit(sql, userAuditEvent(deps, actor, client, event));
  const mail = { owner, tenants: undefined, client, at };
  await insertEmail(sql, composeNotice(deps, mail, { email, kind: "change", undoToken }));
  return await logChangeOfUser(sql, userId, EMAIL_CHANGED, at, tokensDeadAt(deps, at));
}
