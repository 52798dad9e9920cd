import type { ClientFacts } from "../../base/client-facts.ts";
import { refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";
import type { SessionView } from "../../models/session/session.ts";
import { passwordAttemptScopes } from "../../models/sign-in-attempt/sign-in-attempt.ts";
import { findPasswordHash } from "../../models/user/user.ts";
import { limitPasswordGuesses } from "./limit-password-guesses.ts";
import { verifyPassword } from "./verify-password.ts";

export type ConfirmDeps = Pick<
  Deps,
  "config" | "clock" | "state" | "database" | "hashing" | "dummyHash" | "passwordCosts"
>;

export interface PasswordConfirmation {
  readonly caller: SessionView;
  readonly password: string;
  readonly client: Pick<ClientFacts, "network">;
}

/**
 * The caller shows the password once more. A stolen session may not guess it faster than a stranger at the door: the same
 * counters count. Returns the stored hash. Refuses with `authentication_required` for a wrong one, `conflict` for a user who has
 * none, `rate_limited`.
 */
export async function confirmPassword(deps: ConfirmDeps, input: PasswordConfirmation): Promise<Result<string>> {
  const { caller, password, client } = input;
  const stored = await deps.database.run("user.find_password_hash", (sql) => findPasswordHash(sql, caller.userId));
  if (stored === null) return err(refusal("conflict", "This account has no password; set one by the reset mail."));
  const scopes = passwordAttemptScopes(caller.email, client.network, deps.config.limits, false);
  return await limitPasswordGuesses(deps, scopes, async () => {
    const matches = await verifyPassword(deps, password, stored, client.network);
    if (!matches.ok) return matches;
    return matches.value ? ok(stored) : err(refusal("authentication_required", "The password is not right."));
  });
}
