import { invalidInput } from "../../base/invalid-input.ts";
import { isOpaqueToken } from "../../base/opaque-token.ts";
import { type Refusal, refusal } from "../../base/problem.ts";
import type { RequestContext } from "../../base/request-context.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { hashToken } from "../../base/token-hash.ts";
import { type Sql, violatedConstraint } from "../../database/database.ts";
import type { SignInDeps } from "../../deps.ts";
import { EMAIL_UNDO_LIFETIME_MS } from "../../limits/user-email-limits.ts";
import { recordAudit } from "../../models/audit/audit.ts";
import { lockLiveSession } from "../../models/session/acting-session.ts";
import { logChangeOfUser, type SessionEvent } from "../../models/session/revocation.ts";
import type { SessionView } from "../../models/session/session.ts";
import { hashAddress } from "../../models/user/email-address.ts";
import { findOwner, lockUser, type Owner, renewCredentialsEpoch } from "../../models/user/user.ts";
import { isAddressConstraint } from "../../models/user/user-address.ts";
import { type EmailChange, findChangeByToken, markConfirmed } from "../../models/user-email/email-change.ts";
import {
  extendReservation,
  findOtherHolder,
  insertVerifiedEmail,
  verifyPendingEmail,
} from "../../models/user-email/user-email.ts";
import { userAuditEvent } from "../steps/audit/audit-event.ts";
import { confirmMailboxOwnershipInSession } from "../steps/credentials/confirm-mailbox-ownership.ts";
import { tokensDeadAt } from "../steps/sessions/end-sessions.ts";
import { permitRelease } from "./authorize-change.ts";
import { endMailedCredentials, endUndoAfterReturn, movePrimaryAddress, releaseAddress } from "./move-address.ts";

export interface ConfirmInput {
  readonly caller: SessionView;
  readonly token: string;
  readonly client: RequestContext;
}

/** The reason of the session events that invalidate cached views after a change of the addresses. */
export const EMAIL_CHANGED = "email_changed";

const DEAD_LINK = refusal("authentication_required", "The link is not valid any more. Request a new link.");
const OTHER_USER = refusal("forbidden", "This link belongs to another account.");

/**
 * POST /v1/auth/email/change (docs/contract.md, section 12.14): confirms a change of the primary address or an
 * additional address, once, in a live session of the user that made the request. `authentication_required` covers an
 * unknown, used, replaced or expired link, an address that another user has confirmed meanwhile, and a former address
 * by which an organization has begun to require single sign-on.
 */
export async function confirmAddress(
  deps: SignInDeps,
  input: ConfirmInput,
): Promise<Result<void, Refusal<"authentication_required" | "forbidden" | "invalid_input">>> {
  if (!isOpaqueToken(input.token)) return err(invalidInput("token", "format", "not a token of this service"));
  const at = new Date(deps.clock.now());
  try {
    const confirmed = await deps.database.transaction("user_email.confirm", (sql) => confirm(deps, sql, input, at));
    if (!confirmed.ok) return confirmed;
    await deps.revocations.announce(confirmed.value);
    return ok(undefined);
  } catch (error) {
    if (isAddressConstraint(violatedConstraint(error))) return err(DEAD_LINK);
    throw error;
  }
}

async function confirm(
  deps: SignInDeps,
  sql: Sql,
  { caller, token, client }: ConfirmInput,
  at: Date,
): Promise<Result<readonly SessionEvent[], Refusal<"authentication_required" | "forbidden">>> {
  // A separate statement: the reads below see the commits of transactions that held the lock before.
  await lockUser(sql, caller.userId);
  const change = await findChangeByToken(sql, hashToken(token), at);
  if (!change) return err(DEAD_LINK);
  if (change.userId !== caller.userId) return err(OTHER_USER);
  if (!(await lockLiveSession(sql, caller, at))) return err(DEAD_LINK);
  const owner = await findOwner(sql, caller.userId);
  // The primary address was replaced after the request: an additional address proves no control of the new mailbox.
  if (change.kind === "add" && !owner.isMailboxOwner) return err(DEAD_LINK);
  if (await findOtherHolder(sql, change.email, owner.userId, at)) return err(DEAD_LINK);
  if (change.kind === "change" && !(await permitRelease(sql, owner, owner.email)).ok) return err(DEAD_LINK);
  const applied = change.kind === "add" ? await addAddress(sql, owner, change, at) : true;
  if (!applied) return err(DEAD_LINK);
  if (change.kind === "change") await replacePrimaryAddress(sql, owner, change, at);
  const undoUntil = new Date(at.getTime() + EMAIL_UNDO_LIFETIME_MS);
  await markConfirmed(sql, change.id, at, undoUntil);
  // The primary address may have changed since the request, with an earlier end of the reservation.
  await extendReservation(sql, owner.userId, change.previousEmail, undoUntil);
  await recordConfirmation(deps, sql, caller, change, client, at);
  if (!owner.isMailboxOwner) {
    const user = { ...caller, email: change.email };
    const proof = { user, sessionId: caller.id, proof: "address_change", client, at } as const;
    await confirmMailboxOwnershipInSession(deps, sql, proof);
  }
  return ok(await logChangeOfUser(sql, owner.userId, EMAIL_CHANGED, at, tokensDeadAt(deps, at)));
}

async function addAddress(sql: Sql, { userId }: Owner, { email }: EmailChange, at: Date): Promise<boolean> {
  if (!(await verifyPendingEmail(sql, userId, email, at))) return false;
  await endMailedCredentials(sql, userId);
  await renewCredentialsEpoch(sql, userId, at);
  return true;
}

async function replacePrimaryAddress(sql: Sql, owner: Owner, { email }: EmailChange, at: Date): Promise<void> {
  await insertVerifiedEmail(sql, owner.userId, email, at);
  await movePrimaryAddress(sql, owner.userId, email, at);
  await releaseAddress(sql, owner, owner.email, at);
  await endUndoAfterReturn(sql, owner.userId, email, at);
}

async function recordConfirmation(
  deps: SignInDeps,
  sql: Sql,
  caller: SessionView,
  change: EmailChange,
  client: RequestContext,
  at: Date,
): Promise<void> {
  const entry = userAuditEvent(deps, caller, client, {
    action: change.kind === "add" ? "user.email.added" : "user.email.changed",
    at,
    metadata: { change_id: change.id, email_hash: hashAddress(deps.addressKey, change.email) },
  });
  await recordAudit(sql, entry);
}
