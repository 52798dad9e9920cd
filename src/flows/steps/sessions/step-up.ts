import type { Clock } from "../../../base/clock.ts";
import { type Refusal, refusal } from "../../../base/problem.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import { NEW_SESSION_WINDOW_MS, STEP_UP_WINDOW_MS } from "../../../limits/factor-limits.ts";
import type { SessionView } from "../../../models/session/session.ts";

/** The reason of the session event that invalidates cached views of a session after a step-up. */
export const STEPPED_UP = "stepped_up";

/**
 * Authorizes a session with a second factor verified within the last five minutes (docs/contract.md, section 3.9), by
 * the stored session and never by a claim (G9).
 */
export function requireStepUp(
  { clock }: { readonly clock: Clock },
  caller: Pick<SessionView, "mfaVerifiedAt">,
): Result<void, Refusal<"mfa_required">> {
  if (isSteppedUp({ clock }, caller)) return ok(undefined);
  return err(refusal("mfa_required", "Confirm your second factor to continue."));
}

/** Whether the session verified a second factor or passkey within the last five minutes. */
export function isSteppedUp(
  { clock }: { readonly clock: Clock },
  { mfaVerifiedAt }: Pick<SessionView, "mfaVerifiedAt">,
): boolean {
  return mfaVerifiedAt !== null && clock.now() - mfaVerifiedAt < STEP_UP_WINDOW_MS;
}

/** Whether the sign-in of the session is at most ten minutes old. A refresh does not renew the sign-in. */
export function isNewSession(
  { clock }: { readonly clock: Clock },
  { authTime }: Pick<SessionView, "authTime">,
): boolean {
  return clock.now() - authTime < NEW_SESSION_WINDOW_MS;
}
