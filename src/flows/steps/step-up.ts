import type { Clock } from "../../base/clock.ts";
import { STEP_UP_WINDOW_MS } from "../../base/limits.ts";
import { refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { SessionView } from "../../models/session/session.ts";

/** Why cached views of a session are stale once a second factor was shown in it, in the log of session events. */
export const STEPPED_UP = "stepped_up";

/**
 * Whether a second factor was shown in this very session within the last five minutes (contract, section 5, point 5), judged by
 * the session on the server and never by a claim (promise 9). Refuses with `mfa_required`.
 */
export function requireStepUp({ clock }: { readonly clock: Clock }, caller: SessionView): Result<void> {
  const fresh = caller.mfaVerifiedAt !== null && clock.now() - caller.mfaVerifiedAt < STEP_UP_WINDOW_MS;
  return fresh ? ok(undefined) : err(refusal("mfa_required", "Confirm your second factor to continue."));
}
