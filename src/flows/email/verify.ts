import { invalidInput } from "../../base/invalid-input.ts";
import { isOpaqueToken } from "../../base/opaque-token.ts";
import { type Refusal, refusal } from "../../base/problem.ts";
import type { RequestContext } from "../../base/request-context.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { hashToken } from "../../base/token-hash.ts";
import type { Sql } from "../../database/database.ts";
import { cte } from "../../database/statement.ts";
import type { SignInDeps } from "../../deps.ts";
import { insertAudit } from "../../models/audit/audit.ts";
import { consumeMailedToken } from "../../models/mailed-token/mailed-token.ts";
import { logChangeOfUser } from "../../models/session/revocation.ts";
import type { SessionView } from "../../models/session/session.ts";
import { markEmailVerified } from "../../models/user/user.ts";
import { markVouched } from "../../models/user-email/vouched-address.ts";
import { userAuditEvent } from "../steps/audit/audit-event.ts";
import { confirmMailboxOwnershipInSession } from "../steps/credentials/confirm-mailbox-ownership.ts";
import { EMAIL_VERIFIED } from "../steps/email/issue-mailed-link.ts";
import { tokensDeadAt } from "../steps/sessions/end-sessions.ts";

export interface VerifyInput {
  readonly token: string;
  /** The signed-in user, if any. */
  readonly caller: SessionView | undefined;
  readonly client: RequestContext;
}

interface Verified {
  readonly userId: string;
  readonly email: string;
  readonly organizationId: string | null;
  /** The address was not verified before. */
  readonly fresh: boolean;
  /** A program received the link, in place of the mailbox. */
  readonly isTicket: boolean;
}

/**
 * POST /v1/auth/email/verify (docs/contract.md, section 12.2): the token of the emailed link verifies the address,
 * once. The token alone shows only that the address exists (docs/contract.md, section 5.5). Together with a session of
 * the same user the token is a controlling proof. `authentication_required` covers an unknown, used or expired token.
 */
export async function verifyEmail(
  deps: SignInDeps,
  input: VerifyInput,
): Promise<Result<void, Refusal<"authentication_required" | "invalid_input">>> {
  const { token, caller, client } = input;
  if (!isOpaqueToken(token)) return err(invalidInput("token", "format", "not a token of this service"));
  const at = new Date(deps.clock.now());
  const events = await deps.database.transaction("user.verify_email", async (sql) => {
    const user = await consumeToken(deps, sql, input, at);
    if (!user) return undefined;
    if (user.isTicket && user.fresh) await markVouched(sql, user.userId, user.email);
    if (caller?.userId === user.userId) {
      await confirmMailboxOwnershipInSession(deps, sql, {
        user,
        sessionId: caller.id,
        proof: "verification_link",
        isVouched: user.isTicket,
        client,
        at,
      });
    }
    return user.fresh ? await logChangeOfUser(sql, user.userId, EMAIL_VERIFIED, at, tokensDeadAt(deps, at)) : [];
  });
  if (!events) return err(refusal("authentication_required", "The link is not valid any more."));
  await deps.revocations.announce(events);
  return ok(undefined);
}

async function consumeToken(
  deps: SignInDeps,
  sql: Sql,
  { token, client }: VerifyInput,
  at: Date,
): Promise<Verified | undefined> {
  const entry = userAuditEvent(deps, undefined, client, { action: "auth.email.verified", at });
  const organizationId = sql`verified.last_organization_id`;
  const byUser = { ...entry, organizationId, actorId: sql`verified.id`, resourceId: sql`verified.id` };
  const [verified] = await sql<Verified[]>`
    with consumed as (${consumeMailedToken(sql, "email_verification", hashToken(token), at)}),
    verified as (${markEmailVerified(sql, at, cte(sql, "consumed"))}),
    audit as (${insertAudit(sql, byUser, sql`from verified`)})
    select verified.id as "userId", verified.email, verified.last_organization_id as "organizationId", verified.fresh,
           consumed.issued_by is not null as "isTicket"
    from verified, consumed`;
  return verified;
}
