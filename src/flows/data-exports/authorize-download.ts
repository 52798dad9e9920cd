import { type Refusal, refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { StoreDeps } from "../../deps.ts";
import type { ActingSession } from "../../models/session/acting-session.ts";
import type { SessionView } from "../../models/session/session.ts";
import { authorizeCredentialChange } from "../steps/credentials/change-credentials.ts";
import { isNewSession, requireStepUp } from "../steps/sessions/step-up.ts";

const SIGN_IN_AGAIN = refusal("authentication_required", "Sign in again to continue.");

/**
 * Authorizes the download of a copy of the user's data (docs/contract.md, section 30.5): a step-up, or from a user
 * without a second factor and without a passkey a session of at most ten minutes.
 */
export async function authorizeDownload(
  deps: StoreDeps,
  caller: SessionView,
): Promise<Result<ActingSession, Refusal<"authentication_required" | "mfa_required">>> {
  const acting = await authorizeCredentialChange(deps, caller);
  if (!acting.ok) return acting;
  if (!acting.value.mfaEnabled && !acting.value.hasPasskey) {
    return isNewSession(deps, acting.value) ? acting : err(SIGN_IN_AGAIN);
  }
  const steppedUp = requireStepUp(deps, acting.value);
  return steppedUp.ok ? ok(acting.value) : steppedUp;
}
