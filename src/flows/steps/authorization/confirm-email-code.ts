import { type Refusal, refusal } from "../../../base/problem.ts";
import type { RequestContext } from "../../../base/request-context.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import type { SignInDeps } from "../../../deps.ts";
import { insertAudit } from "../../../models/audit/audit.ts";
import { claimEmailCodeAttempt, findEmailCode, hashEmailCode } from "../../../models/email-code/email-code.ts";
import { countFailedAttempt, lockedUntil } from "../../../models/failed-attempt/failed-attempt.ts";
import type { ActingSession } from "../../../models/session/acting-session.ts";
import type { SessionView } from "../../../models/session/session.ts";
import { userAuditEvent } from "../audit/audit-event.ts";

export interface CodeConfirmation {
  readonly caller: SessionView;
  readonly acting: ActingSession;
  readonly code: string;
  readonly client: RequestContext;
}

/** A right code, which the transaction of the confirmed change consumes. */
export interface ConfirmedCode {
  readonly id: string;
}

export const WRONG_CODE = refusal("authentication_required", "The code is not right, or has expired.");

/**
 * Confirms a user without a password by an emailed code (docs/contract.md, section 30.1). Attempts count as at a
 * sign-in (section 11.2). A refusal of the confirmed change leaves the code usable. `conflict` means a user with a
 * password.
 */
export async function confirmEmailCode(
  deps: SignInDeps,
  { caller, acting, code, client }: CodeConfirmation,
): Promise<Result<ConfirmedCode, Refusal<"authentication_required" | "conflict">>> {
  if (acting.hasPassword) return err(refusal("conflict", "This account has a password; enter the password."));
  const at = new Date(deps.clock.now());
  const { userId } = caller;
  const live = await deps.database.run("email_code.find", (sql) =>
    findEmailCode(sql, { userId }, at, lockedUntil(sql, "email_code", at)),
  );
  if (!live || live.locked) return err({ ...WRONG_CODE, cause: live ? "too_many_misses" : "no_live_code" });
  const { id } = live;
  const codeHash = hashEmailCode(deps.codeKey, id, code);
  const entry = userAuditEvent(deps, caller, client, {
    action: "auth.password.confirmation_failed",
    at,
    outcome: "failure",
    metadata: { reason: "wrong_code" },
  });
  const matches = await deps.database.run("email_code.claim_attempt", (sql) =>
    claimEmailCodeAttempt(sql, { id, codeHash, at }, (from) => ({
      counted: countFailedAttempt(sql, { userId, kind: "email_code", at }, from),
      audit: insertAudit(sql, entry, from),
    })),
  );
  if (!matches) return err({ ...WRONG_CODE, cause: matches === false ? "wrong_code" : "code_locked" });
  return ok({ id });
}
