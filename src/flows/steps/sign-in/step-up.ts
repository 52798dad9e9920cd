import type { Clock } from "../../../base/clock.ts";
import { type Refusal, refusal } from "../../../base/problem.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import { STEP_UP_WINDOW_MS } from "../../../limits/factor-limits.ts";
import type { SessionView } from "../../../models/session/session.ts";

/** The reason of the session event that invalidates cached views of a session after a step-up. */
export const STEPPED_UP = "stepped_up";

/**
 * Authorizes a session with a second factor verified within the last five minutes (docs/contract.md, section 3.9), by
 * the stored session and never by a claim (G9).
 */
export function requireStepUp(
  { clock }: { readonly clock: Clock },
  caller: SessionView,
): Result<void, Refusal<"mfa_required">> {
  const fresh = caller.mfaVerifiedAt !== null && clock.now() - caller.mfaVerifiedAt < STEP_UP_WINDOW_MS;
  return fresh ? ok(undefined) : err(refusal("mfa_required", "Confirm your second factor to continue."));
}
