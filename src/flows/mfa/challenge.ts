import type { ClientFacts } from "../../base/client-facts.ts";
import { violatedConstraint } from "../../base/database.ts";
import { rateLimited, refusal } from "../../base/problem.ts";
import { err, type Result } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";
import { type AuditEntry, recordAudit } from "../../models/audit/audit.ts";
import { challengeComparison } from "../../models/second-factor/attempts.ts";
import type { SecondFactorState } from "../../models/second-factor/second-factor.ts";
import type { MfaClaims } from "../../models/token/claims.ts";
import { type Admission, admit } from "../steps/admission.ts";
import { userAuditEvent } from "../steps/audit-event.ts";
import {
  type CompareDeps,
  type ComparisonResult,
  compareSecondFactor,
  shownFactor,
} from "../steps/compare-second-factor.ts";
import {
  type CompleteSignInDeps,
  completeSignIn,
  existingUserParts,
  type SignedIn,
} from "../steps/complete-sign-in.ts";
import { notifyNewBrowser } from "../steps/notify-new-browser.ts";
import { recordSecondFactorMiss, tooManyMisses } from "../steps/record-miss.ts";
import { verifyToken } from "../steps/verify-token.ts";

export type ChallengeDeps = CompleteSignInDeps &
  CompareDeps &
  Pick<Deps, "state" | "telemetry" | "verifiedTokens" | "outbox">;

export interface ChallengeInput {
  readonly admission: Admission | undefined;
  readonly mfaToken: string;
  readonly code: string | undefined;
  readonly recoveryCode: string | undefined;
  readonly client: ClientFacts;
}

/** Why a challenge failed: for the audit trail, never for the client. */
type Failure =
  | "token_invalid"
  | "token_used"
  | "token_outdated"
  | "account_disabled"
  | "mfa_not_enabled"
  | "wrong_code";

/** One answer for a token that is invalid, expired or used and for a code that is wrong or used (contract, section 4.3). */
const REFUSED = refusal("authentication_required", "The code is not right, or the sign-in has expired.");

/**
 * POST /v1/auth/mfa/challenge (contract, section 4.3): an mfa_token and a code become one session of aal2. Beside the
 * signing it costs two statements and one call of the state port. Refuses with `invalid_input`,
 * `authentication_required` and, beyond five misses of the token (which Redis counts) or thirty of the user in an hour
 * (Postgres), `rate_limited`, the right code included.
 */
export async function challenge(deps: ChallengeDeps, input: ChallengeInput): Promise<Result<SignedIn>> {
  const factor = shownFactor(input.code, input.recoveryCode);
  if (!factor.ok) return factor;
  const claims = await verifyToken(deps, input.mfaToken, "mfa");
  const compared = claims && (await compareSecondFactor(deps, claims.sub, factor.value));
  const factorState = compared?.factorState;
  const obstacle = findObstacle(claims, factorState);
  if (!claims || !factorState || obstacle || factorState.lockedUntil) {
    const admitted = await admit(deps, input.admission);
    if (!admitted.ok) return admitted;
    if (!factorState?.lockedUntil || obstacle) return await fail(deps, input, claims, obstacle ?? "token_invalid");
    await record(deps, input, claims, "auth.mfa.challenge.locked", "too_many_misses");
    return err(tooManyMisses(deps.clock, factorState.lockedUntil));
  }
  return await recordAttempt(deps, input, claims, { ...compared, factorState });
}

async function recordAttempt(
  deps: ChallengeDeps,
  input: ChallengeInput,
  claims: MfaClaims,
  compared: Comparable,
): Promise<Result<SignedIn>> {
  const matched = compared.match !== undefined;
  const verdict = await deps.state.recordAttempt(
    challengeComparison(claims.sub, claims.jti, matched, input.admission?.scope),
  );
  const admitted = verdict.admission && input.admission?.counted(verdict.admission);
  if (admitted && !admitted.ok) return admitted;
  switch (verdict.outcome) {
    case "matched":
      return await completeChallenge(deps, input, claims, compared);
    case "locked":
      await record(deps, input, claims, "auth.mfa.challenge.locked", "too_many_misses");
      return err(rateLimited(verdict.retryAfterMs / 1000, "too many wrong codes"));
    case "burned":
      return await fail(deps, input, claims, "token_used");
    default:
      return await miss(deps, input, claims, "wrong_code");
  }
}

/** A code that was compared with what a known user has. */
type Comparable = ComparisonResult & { readonly factorState: SecondFactorState };

function findObstacle(claims: MfaClaims | undefined, factorState: SecondFactorState | undefined): Failure | undefined {
  if (!claims) return "token_invalid";
  if (!factorState || factorState.disabled) return "account_disabled";
  if (!factorState.sealedSecret) return "mfa_not_enabled";
  return factorState.credentialsEpoch === claims.credentials_epoch ? undefined : "token_outdated";
}

async function completeChallenge(
  deps: ChallengeDeps,
  input: ChallengeInput,
  claims: MfaClaims,
  { factorState, match }: Comparable,
): Promise<Result<SignedIn>> {
  const entry = {
    userId: claims.sub,
    organizationId: claims.org,
    credentialsEpoch: claims.credentials_epoch,
    // The claim has whole seconds: a token of the second in which a suspension ended counts as made after it.
    shownAt: new Date((claims.iat + 1) * 1000),
  };
  const { client } = input;
  const at = new Date(deps.clock.now());
  const authMethod = claims.auth_method;
  const signedIn = await completeSignIn(deps, {
    ...entry,
    email: factorState.email,
    authMethod,
    aal: "aal2",
    client,
    audit: { action: "auth.mfa.challenge.succeeded", metadata: { factor: factorOf(input) } },
    control:
      claims.control_proof && !factorState.controlled ? { user: factorState, proof: claims.control_proof } : undefined,
    mfaTokenJti: claims.jti,
    conditions: existingUserParts(entry, at, {
      ...match,
      notice: notifyNewBrowser(deps, factorState, { authMethod, client, at }),
    }),
  }).catch((error) => {
    // Redis had forgotten that the token was used; the unique column has not.
    if (violatedConstraint(error) === "sessions_mfa_token_jti_key") return err(REFUSED);
    throw error;
  });
  if (!signedIn.ok && signedIn.error.code === "authentication_required") {
    return await miss(deps, input, claims, "token_used");
  }
  if (signedIn.ok) deps.telemetry.metrics.secondFactor(factorOf(input), "success");
  if (authMethod === "email_otp") deps.outbox.wake();
  return signedIn;
}

/** A code that was compared and does not sign in. It counts, also when it matched and another request had used it. */
async function miss(
  deps: ChallengeDeps,
  input: ChallengeInput,
  claims: MfaClaims,
  reason: Failure,
): Promise<Result<never>> {
  deps.telemetry.metrics.secondFactor(factorOf(input), "failure");
  const told = await recordSecondFactorMiss(deps, claims.sub, {
    failed: entryOf(deps, input, claims, "auth.mfa.challenge.failed", reason),
    locked: entryOf(deps, input, claims, "auth.mfa.challenge.locked", "too_many_misses"),
  });
  return told.ok ? err({ ...REFUSED, cause: reason }) : told;
}

async function fail(
  deps: ChallengeDeps,
  input: ChallengeInput,
  claims: MfaClaims | undefined,
  reason: Failure,
): Promise<Result<never>> {
  await record(deps, input, claims, "auth.mfa.challenge.failed", reason);
  return err({ ...REFUSED, cause: reason });
}

async function record(
  deps: ChallengeDeps,
  input: ChallengeInput,
  claims: MfaClaims | undefined,
  action: RefusedAction,
  reason: string,
): Promise<void> {
  deps.telemetry.metrics.secondFactor(factorOf(input), "failure");
  await deps.database.run("audit.record", (sql) => recordAudit(sql, entryOf(deps, input, claims, action, reason)));
}

type RefusedAction = "auth.mfa.challenge.failed" | "auth.mfa.challenge.locked";

function entryOf(
  deps: ChallengeDeps,
  input: ChallengeInput,
  claims: MfaClaims | undefined,
  action: RefusedAction,
  reason: string,
): AuditEntry {
  return userAuditEvent(deps, claims && { userId: claims.sub, organizationId: claims.org }, input.client, {
    action,
    at: new Date(deps.clock.now()),
    outcome: "failure",
    metadata: { factor: factorOf(input), reason },
  });
}

function factorOf(input: ChallengeInput): "totp" | "recovery_code" {
  return input.code === undefined ? "recovery_code" : "totp";
}
