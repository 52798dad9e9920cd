import { makeOpaqueToken } from "../../base/opaque-token.ts";
import { type Refusal, refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { hashToken } from "../../base/token-hash.ts";
import type { Sql } from "../../database/database.ts";
import { withParts } from "../../database/statement.ts";
import type { SignInDeps } from "../../deps.ts";
import { EMAIL_CHANGE_LIFETIME_MS, USER_EMAILS_MAX } from "../../limits/user-email-limits.ts";
import { insertAudit } from "../../models/audit/audit.ts";
import { insertEmail } from "../../models/email/email.ts";
import { isSessionOfRegistration } from "../../models/session/user-sessions.ts";
import { hashAddress, malformedEmail, normalizeEmail } from "../../models/user/email-address.ts";
import type { Owner } from "../../models/user/user.ts";
import { insertEmailChange, voidReplacedChanges } from "../../models/user-email/email-change.ts";
import {
  type AddressHolder,
  countUserEmails,
  findOtherHolder,
  findOwnAddress,
  insertPendingEmail,
} from "../../models/user-email/user-email.ts";
import { userAuditEvent } from "../steps/audit/audit-event.ts";
import {
  type ChangeProblem,
  type ChangeRequest,
  changeAddresses,
  limitChanges,
  NOT_CONTROLLED,
  permitRelease,
} from "./authorize-change.ts";
import { composeNotice, composeToRequested } from "./change-emails.ts";

export interface AddressRequest extends ChangeRequest {
  readonly kind: "change" | "add";
  /** As the client sent the address. */
  readonly email: string;
  /** The name of the member in the body. */
  readonly field: "email" | "new_email";
}

const OWN_ADDRESS = refusal("conflict", "This email address belongs to your account already.");
const TOO_MANY = refusal("conflict", `An account has at most ${USER_EMAILS_MAX} email addresses; remove one first.`);

/**
 * POST /v1/users/me/email and POST /v1/users/me/emails (docs/contract.md, section 12.14): requests a change of the
 * primary address, or an additional address. Free and taken addresses have the same statements, the same rows and the
 * same response; only the text of the email to the requested address differs.
 */
export async function requestAddress(
  deps: SignInDeps,
  request: AddressRequest,
): Promise<Result<void, Refusal<ChangeProblem | "forbidden" | "invalid_input">>> {
  const email = normalizeEmail(request.email);
  if (!email) return err(malformedEmail(request.field, request.email));
  const requested = await changeAddresses(deps, request, "user_email.request", async (sql, owner, at) => {
    const permitted = await authorizeAddress(deps, sql, request, owner, email, at);
    if (!permitted.ok) return permitted;
    const holder = await findOtherHolder(sql, email, owner.userId, at);
    await persistRequest(deps, sql, request, { owner, email, holder, at });
    return ok(undefined);
  });
  if (requested.ok) deps.outbox.wake();
  return requested;
}

/** A user without a controlling proof may only correct the address, in the session of the registration. */
async function authorizeAddress(
  deps: SignInDeps,
  sql: Sql,
  { kind, caller }: AddressRequest,
  owner: Owner,
  email: string,
  at: Date,
): Promise<Result<void, Refusal<"conflict" | "forbidden" | "rate_limited">>> {
  if (!owner.isMailboxOwner) {
    const corrects = kind === "change" && (await isSessionOfRegistration(sql, caller.id));
    if (!corrects) return err(NOT_CONTROLLED);
  }
  const own = await findOwnAddress(sql, email, owner.userId);
  if (own && (own.primary || own.verifiedAt)) return err(OWN_ADDRESS);
  const released = kind === "change" ? await permitRelease(sql, owner, owner.email) : ok(undefined);
  if (!released.ok) return released;
  if (kind === "add" && !own && (await countUserEmails(sql, owner.userId)) >= USER_EMAILS_MAX) return err(TOO_MANY);
  return await limitChanges(deps, sql, owner.userId, at);
}

interface RequestedAddress {
  readonly owner: Owner;
  readonly email: string;
  readonly holder: AddressHolder | undefined;
  readonly at: Date;
}

/** A taken address gets a token too, which no email contains. */
async function persistRequest(
  deps: SignInDeps,
  sql: Sql,
  { kind, caller, client }: AddressRequest,
  { owner, email, holder, at }: RequestedAddress,
): Promise<void> {
  const { userId } = owner;
  const [token, undoToken] = [makeOpaqueToken(deps.random), makeOpaqueToken(deps.random)];
  const change = {
    id: deps.random.uuid(),
    userId,
    kind,
    email,
    previousEmail: owner.email,
    tokenHash: hashToken(token),
    undoTokenHash: owner.isMailboxOwner ? hashToken(undoToken) : null,
    requestedAt: at,
    confirmedAt: null,
    expiresAt: new Date(at.getTime() + EMAIL_CHANGE_LIFETIME_MS),
  };
  const mail = { owner, tenants: { organizationId: caller.organizationId }, client, at };
  const notice = { email, kind, undoToken: owner.isMailboxOwner ? undoToken : undefined };
  const entry = userAuditEvent(deps, caller, client, {
    action: "user.email.change_requested",
    at,
    metadata: { change_id: change.id, kind, email_hash: hashAddress(deps.addressKey, email) },
  });
  await sql`
    ${withParts(sql, {
      replaced: voidReplacedChanges(sql, change),
      requested: insertEmailChange(sql, change),
      pending: kind === "add" ? insertPendingEmail(sql, userId, email, at) : undefined,
      link: insertEmail(sql, composeToRequested(deps, mail, { email, kind, token }, holder)),
      notice: insertEmail(sql, composeNotice(deps, mail, notice)),
      audit: insertAudit(sql, entry, sql``),
    })}
    select 1`;
}
