import { makeOpaqueToken } from "../../base/opaque-token.ts";
import { type Refusal, refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { hashToken } from "../../base/token-hash.ts";
import type { Sql } from "../../database/database.ts";
import { withParts } from "../../database/statement.ts";
import type { SignInDeps } from "../../deps.ts";
import { EMAIL_UNDO_LIFETIME_MS } from "../../limits/user-email-limits.ts";
import { insertAudit } from "../../models/audit/audit.ts";
import { insertEmail } from "../../models/email/email.ts";
import { logChangeOfUser, type SessionEvent } from "../../models/session/revocation.ts";
import { hashAddress } from "../../models/user/email-address.ts";
import type { Owner } from "../../models/user/user.ts";
import { insertEmailChange, voidReplacedChanges } from "../../models/user-email/email-change.ts";
import { findUserEmail, type UserEmail } from "../../models/user-email/user-email.ts";
import { userAuditEvent } from "../steps/audit/audit-event.ts";
import { tokensDeadAt } from "../steps/sessions/end-sessions.ts";
import { type ChangeProblem, type ChangeRequest, changeAddresses, limitChanges } from "./authorize-change.ts";
import { composeNotice } from "./change-emails.ts";
import { EMAIL_CHANGED } from "./confirm-change.ts";
import { endUndoAfterReturn, movePrimaryAddress } from "./move-address.ts";

export interface AddressSelection extends ChangeRequest {
  readonly id: string;
}

export const NO_ADDRESS = refusal("not_found", "There is no such email address in your account.");
const NOT_VERIFIED = refusal("conflict", "Confirm this email address first.");

/**
 * POST /v1/users/me/emails/:id/primary (docs/contract.md, section 12.14): makes a verified address the primary address.
 * The former primary address remains an address of the user, and its mailbox gets an undo link of seven days, except
 * after a return to an address whose mailbox holds an undo link. The link of a requested change, which would remove the
 * new primary address, ends.
 */
export async function switchPrimaryAddress(
  deps: SignInDeps,
  selection: AddressSelection,
): Promise<Result<UserEmail, Refusal<ChangeProblem | "not_found">>> {
  const switched = await changeAddresses(deps, selection, "user_email.switch", async (sql, owner, at) => {
    const address = await findUserEmail(sql, selection.id, owner.userId);
    if (!address) return err(NO_ADDRESS);
    if (!address.verifiedAt) return err(NOT_VERIFIED);
    if (address.primary) return ok({ address, events: [] });
    const permitted = await limitChanges(deps, sql, owner.userId, at);
    if (!permitted.ok) return permitted;
    await movePrimaryAddress(sql, owner.userId, address.email, at);
    await recordSwitch(deps, sql, selection, owner, address, at);
    const events = await logChangeOfUser(sql, owner.userId, EMAIL_CHANGED, at, tokensDeadAt(deps, at));
    return ok({ address: { ...address, primary: true }, events });
  });
  if (!switched.ok) return switched;
  const { address, events }: { address: UserEmail; events: readonly SessionEvent[] } = switched.value;
  deps.outbox.wake();
  await deps.revocations.announce(events);
  return ok(address);
}

async function recordSwitch(
  deps: SignInDeps,
  sql: Sql,
  { caller, client }: AddressSelection,
  owner: Owner,
  { email }: UserEmail,
  at: Date,
): Promise<void> {
  const isReturn = await endUndoAfterReturn(sql, owner.userId, email, at);
  const undoToken = isReturn ? undefined : makeOpaqueToken(deps.random);
  const change = {
    id: deps.random.uuid(),
    userId: owner.userId,
    kind: "switch" as const,
    email,
    previousEmail: owner.email,
    tokenHash: null,
    undoTokenHash: undoToken === undefined ? null : hashToken(undoToken),
    requestedAt: at,
    confirmedAt: at,
    expiresAt: new Date(at.getTime() + EMAIL_UNDO_LIFETIME_MS),
  };
  // A separate statement: the trigger of the audit record reads the row of the change.
  await sql`${insertEmailChange(sql, change)}`;
  const entry = userAuditEvent(deps, caller, client, {
    action: "user.email.changed",
    at,
    metadata: { change_id: change.id, email_hash: hashAddress(deps.addressKey, email) },
  });
  const mail = { owner, tenants: { organizationId: caller.organizationId }, client, at };
  const notice = composeNotice(deps, mail, { email, kind: "switch", undoToken });
  const parts = {
    replaced: voidReplacedChanges(sql, { ...change, kind: "change" }),
    notice: insertEmail(sql, notice),
    audit: insertAudit(sql, entry, sql``),
  };
  await sql`${withParts(sql, parts)} select 1`;
}
