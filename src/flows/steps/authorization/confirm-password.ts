import { type Refusal, refusal } from "../../../base/problem.ts";
import type { RequestContext } from "../../../base/request-context.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import type { SignInDeps } from "../../../deps.ts";
import { recordAudit } from "../../../models/audit/audit.ts";
import type { SessionView } from "../../../models/session/session.ts";
import { passwordAttemptScopes } from "../../../models/sign-in-attempt/sign-in-attempt.ts";
import { hashGuessedAccount } from "../../../models/user/email-address.ts";
import { findPassword } from "../../../models/user/user.ts";
import { userAuditEvent } from "../audit/audit-event.ts";
import { claimPasswordGuess } from "../sign-in/limit-password-guesses.ts";
import { verifyPassword } from "../sign-in/verify-password.ts";

export interface PasswordConfirmation {
  readonly caller: SessionView;
  readonly password: string;
  readonly client: RequestContext;
}

type Confirmation = Result<string, Refusal<"authentication_required" | "conflict" | "rate_limited">>;

/**
 * Verifies the caller's password again. The attempt counts against the limits of the sign-in, so a stolen session
 * cannot guess faster than an anonymous client; a wrong password is recorded. Returns the stored hash. `conflict` means
 * a user without a password.
 */
export async function confirmPassword(deps: SignInDeps, input: PasswordConfirmation): Promise<Confirmation> {
  const { caller, password, client } = input;
  const found = await deps.database.run("user.find_password", (sql) => findPassword(sql, caller.userId));
  const { passwordHash: stored, guessesClearedAt } = found;
  if (stored === null) return err(refusal("conflict", "This account has no password; set one by the reset mail."));
  const scopes = passwordAttemptScopes(
    hashGuessedAccount(deps.addressKey, caller.email, guessesClearedAt),
    client.network,
    deps.config.limits,
    false,
  );
  const claimed = await claimPasswordGuess(deps, scopes);
  if (!claimed.ok) return claimed;
  await using guess = claimed.value;
  const matches = await verifyPassword(deps, password, stored, client.network);
  if (!matches.ok) return matches;
  if (matches.value) return ok(stored);
  guess.reportWrong();
  const entry = userAuditEvent(deps, caller, client, {
    action: "auth.password.confirmation_failed",
    at: new Date(deps.clock.now()),
    outcome: "failure",
    metadata: { reason: "wrong_password" },
  });
  await deps.database.run("audit.record", (sql) => recordAudit(sql, entry));
  return err(refusal("authentication_required", "The password is not right."));
}
