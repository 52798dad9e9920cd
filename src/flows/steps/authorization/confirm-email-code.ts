import { type Refusal, refusal } from "../../../base/problem.ts";
import type { RequestContext } from "../../../base/request-context.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import type { SignInDeps } from "../../../deps.ts";
import { insertAudit } from "../../../models/audit/audit.ts";
import {
  claimEmailCodeAttempt,
  consumeEmailCode,
  findEmailCode,
  hashEmailCode,
  lockEmailCode,
} from "../../../models/email-code/email-code.ts";
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

const WRONG_CODE = refusal("authentication_required", "The code is not right, or has expired.");

/**
 * Confirms a user without a password by an e-mailed code (docs/contract.md, section 30.1). Attempts count as at a
 * sign-in (section 11.2), and the code is consumed. `conflict` means a user with a password.
 */
export async function confirmEmailCode(
  deps: SignInDeps,
  { caller, acting, code, client }: CodeConfirmation,
): Promise<Result<void, Refusal<"authentication_required" | "conflict">>> {
  if (acting.hasPassword) return err(refusal("conflict", "This account has a password; enter the password."));
  const at = new Date(deps.clock.now());
  const { userId } = caller;
  const live = await deps.database.run("email_code.find", (sql) =>
    findEmailCode(sql, userId, at, lockedUntil(sql, "email_code", at)),
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
  const consumed = await deps.database.run(
    "email_code.consume",
    (sql) => sql`${consumeEmailCode(sql, id, lockEmailCode(sql, id))}`,
  );
  return consumed.length > 0 ? ok(undefined) : err({ ...WRONG_CODE, cause: "used_meanwhile" });
}
