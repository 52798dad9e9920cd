import { type Refusal, refusal } from "../../../base/problem.ts";
import type { RequestContext } from "../../../base/request-context.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import type { SignInDeps } from "../../../deps.ts";
import type { ActingSession } from "../../../models/session/acting-session.ts";
import type { SessionView } from "../../../models/session/session.ts";
import { isNewSession, isSteppedUp } from "../sessions/step-up.ts";
import { confirmPassword } from "./confirm-password.ts";

export interface IdentityConfirmation {
  readonly caller: SessionView;
  /** The result of `authorizeCredentialChange`, which requires `aal2` from a user with a second factor. */
  readonly acting: ActingSession;
  readonly password: string | undefined;
  readonly client: RequestContext;
}

type Unconfirmed = Refusal<"authentication_required" | "conflict" | "mfa_required" | "rate_limited">;

/**
 * Confirms that the user of the session acts now (docs/contract.md, section 3.9), as `confirmPasswordOrStepUp`; without
 * password and second factor by a session of at most ten minutes.
 */
export async function confirmIdentity(
  deps: SignInDeps,
  input: IdentityConfirmation,
): Promise<Result<void, Unconfirmed>> {
  const { acting, password } = input;
  const hasOther = password !== undefined || acting.hasPassword || acting.mfaEnabled;
  if (!hasOther && isNewSession(deps, acting)) return ok(undefined);
  return await confirmPasswordOrStepUp(deps, input);
}

/**
 * Confirms that the user of the session acts now, by the password or by a step-up within five minutes. The sign-in is
 * no confirmation: a stolen session would be enough.
 */
export async function confirmPasswordOrStepUp(
  deps: SignInDeps,
  { caller, acting, password, client }: IdentityConfirmation,
): Promise<Result<void, Unconfirmed>> {
  if (password !== undefined) {
    const confirmed = await confirmPassword(deps, { caller, password, client });
    return confirmed.ok ? ok(undefined) : confirmed;
  }
  if (isSteppedUp(deps, acting)) return ok(undefined);
  if (acting.mfaEnabled) return err(refusal("mfa_required", "Confirm your second factor to continue."));
  if (acting.hasPassword) return err(refusal("authentication_required", "Enter your password to continue."));
  if (acting.hasPasskey) return err(refusal("mfa_required", "Confirm with a passkey to continue."));
  return err(refusal("authentication_required", "Sign in again to continue."));
}
