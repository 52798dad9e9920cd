import { type Refusal, refusal } from "../../base/problem.ts";
import { err, type Result } from "../../base/result.ts";
import type { SignInDeps, StoreDeps } from "../../deps.ts";
import type { ActingSession } from "../../models/session/acting-session.ts";
import type { SessionView } from "../../models/session/session.ts";
import { authorizeCredentialChange } from "../steps/credentials/change-credentials.ts";
import { isNewSession, isSteppedUp } from "../steps/sessions/step-up.ts";
import { requestAuthorization, type Started } from "./start.ts";

/**
 * Authorizes the link of a provider (docs/contract.md, section 16.6): `aal2` with a second factor, and a session of at
 * most ten minutes or a step-up within five. The password alone is no confirmation: a link replaces the password.
 */
export async function authorizeLink(
  deps: StoreDeps,
  caller: SessionView,
): Promise<Result<ActingSession, Refusal<"authentication_required" | "mfa_required">>> {
  const acting = await authorizeCredentialChange(deps, caller);
  if (!acting.ok || isSteppedUp(deps, acting.value) || isNewSession(deps, acting.value)) return acting;
  const { mfaEnabled, hasPasskey } = acting.value;
  const canStepUp = mfaEnabled || hasPasskey;
  const message = canStepUp ? "Confirm your second factor to continue." : "Sign in again to link a provider.";
  return err(refusal("mfa_required", message));
}

/** POST /v1/users/me/identities: the authorization request of a link, bound to this session and browser. */
export async function beginLink(
  deps: SignInDeps,
  { sessionId, ...request }: { readonly sessionId: string; readonly provider: string; readonly redirectTo: string },
): Promise<Result<Started, Refusal<"internal_error" | "invalid_input" | "not_found">>> {
  return await requestAuthorization(deps, { ...request, linkSessionId: sessionId });
}
