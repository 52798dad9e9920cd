import { NOT_SIGNED_IN, type ProblemCode, type Refusal, rateLimited, refusal } from "../../../base/problem.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import type { Sql } from "../../../database/database.ts";
import type { StoreDeps } from "../../../deps.ts";
import { CREDENTIAL_CHANGE_ATTEMPTS_MAX } from "../../../limits/factor-limits.ts";
import { type ActingSession, findActingSession, lockActingSession } from "../../../models/session/acting-session.ts";
import type { SessionView } from "../../../models/session/session.ts";
import { isNewSession, isSteppedUp } from "../sessions/step-up.ts";

/** `Code`: the problems of an authorization. */
type Authorize<Code extends ProblemCode> = (
  deps: StoreDeps,
  caller: SessionView,
) => Promise<Result<ActingSession, Refusal<Code>>>;

/** Authorizes by the row of the caller's session. */
export const authorizeLiveSession: Authorize<"authentication_required"> = async ({ database, clock }, caller) => {
  const at = new Date(clock.now());
  const acting = await database.run("session.find_acting", (sql) => findActingSession(sql, caller, at));
  return acting ? ok(acting) : err(NOT_SIGNED_IN);
};

/**
 * Authorizes changes guarded by a second factor (docs/contract.md, section 3.9): removal of the factor, recovery codes,
 * passkeys and trusted browsers. While a factor is enabled the session must be of aal2.
 */
export const authorizeCredentialChange: Authorize<"authentication_required" | "mfa_required"> = async (
  deps,
  caller,
) => {
  const acting = await authorizeLiveSession(deps, caller);
  if (!acting.ok || !acting.value.mfaEnabled || acting.value.aal === "aal2") return acting;
  return err(refusal("mfa_required", "Confirm your second factor to continue."));
};

/**
 * Authorizes the registration of a passkey (docs/contract.md, section 9.1): the first passkey in a session of at most
 * ten minutes, every other passkey after a step-up, so that an attacker with an open session cannot add a key.
 */
export const authorizePasskeyRegistration: Authorize<"authentication_required" | "mfa_required"> = async (
  deps,
  caller,
) => {
  const acting = await authorizeCredentialChange(deps, caller);
  if (!acting.ok || isSteppedUp(deps, acting.value)) return acting;
  const { hasPasskey, mfaEnabled } = acting.value;
  if (hasPasskey) return err(refusal("mfa_required", "Confirm with a passkey or your second factor to continue."));
  if (isNewSession(deps, acting.value)) return acting;
  const message = mfaEnabled ? "Confirm your second factor to continue." : "Sign in again to add a passkey.";
  return err(refusal("mfa_required", message));
};

/**
 * Makes a change of credentials that writes only in the authorized state: `change` returns undefined after a concurrent
 * change of that state. The change is then authorized again, so that a refusal reflects the new state. `rate_limited`
 * means that the credentials changed at every attempt.
 */
export async function changeCredentials<T, Forbidden extends ProblemCode, Code extends ProblemCode>(
  deps: StoreDeps,
  caller: SessionView,
  authorize: Authorize<Forbidden>,
  change: (acting: ActingSession) => Promise<Result<T, Refusal<Code>> | undefined>,
  authorized?: ActingSession,
): Promise<Result<T, Refusal<Forbidden | Code | "rate_limited">>> {
  for (let attempt = 0; attempt < CREDENTIAL_CHANGE_ATTEMPTS_MAX; attempt += 1) {
    const acting = attempt === 0 && authorized ? ok(authorized) : await authorize(deps, caller);
    if (!acting.ok) return acting;
    const outcome = await change(acting.value);
    if (outcome) return outcome;
  }
  return err(rateLimited("credential_changes", 1, "the credentials changed at every attempt"));
}

/**
 * Runs `work` in a transaction that holds the locks of the user and the session; the statements of `work` see
 * everything committed before. Returns undefined without a call of `work` when the session may no longer act.
 * `lockFirst` locks the rows that `work` needs beside the user and the session, before their locks.
 */
export async function asActingSession<T>(
  { database, clock }: StoreDeps,
  name: string,
  acting: ActingSession,
  work: (sql: Sql) => Promise<T>,
  lockFirst: (sql: Sql) => Promise<void> = async () => {},
): Promise<T | undefined> {
  return await database.transaction(name, async (sql) => {
    await lockFirst(sql);
    const [actor] = await lockActingSession(sql, acting, new Date(clock.now()));
    return actor ? await work(sql) : undefined;
  });
}
