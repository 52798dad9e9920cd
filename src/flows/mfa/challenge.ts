import { type Refusal, rateLimited, refusal } from "../../base/problem.ts";
import type { RequestContext } from "../../base/request-context.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { type Sql, violatedConstraint } from "../../database/database.ts";
import type { Cte } from "../../database/statement.ts";
import type { Deps } from "../../deps.ts";
import { MFA_TOKEN_MISSES_MAX, SECOND_FACTOR_MISSES_HOUR_MAX } from "../../limits/limits.ts";
import { type AuditEntry, recordAudit } from "../../models/audit/audit.ts";
import { challengeComparison } from "../../models/second-factor/attempts.ts";
import type { SecondFactorState } from "../../models/second-factor/second-factor.ts";
import type { MfaClaims } from "../../models/token/claims.ts";
import { lockAndRecordSignIn, lockUnchangedUserForUpdate } from "../../models/user/user.ts";
import { userAuditEvent } from "../steps/audit/audit-event.ts";
import { type Admission, admit } from "../steps/sign-in/admission.ts";
import {
  type CompareDeps,
  compareSecondFactor,
  type FactorMatch,
  type PresentedFactor,
  presentedFactor,
} from "../steps/sign-in/compare-second-factor.ts";
import {
  CHANGED_MEANWHILE,
  type CompleteSignInDeps,
  completeSignInWithSlot,
  existingUserConditions,
  type SignedIn,
} from "../steps/sign-in/complete-sign-in.ts";
import { notifyNewBrowser } from "../steps/sign-in/notify-new-browser.ts";
import { recordSecondFactorMiss, tooManyMisses } from "../steps/sign-in/record-failed-attempt.ts";
import { acquireSigningSlot } from "../steps/tokens/issue-session-tokens.ts";
import { verifyToken } from "../steps/tokens/verify-own-token.ts";

export type ChallengeDeps = CompleteSignInDeps &
  CompareDeps &
  Pick<Deps, "state" | "telemetry" | "verifiedTokens" | "outbox">;

export interface ChallengeInput {
  readonly admission: Admission | undefined;
  readonly mfaToken: string;
  readonly code: string | undefined;
  readonly recoveryCode: string | undefined;
  readonly client: RequestContext;
}

/** Why a challenge failed: for the audit trail, never for the client. */
type Failure =
  | "token_invalid"
  | "token_used"
  | "token_outdated"
  | "account_disabled"
  | "mfa_not_enabled"
  | "wrong_code"
  | typeof CHANGED_MEANWHILE;

/** An mfa_token that is valid, and the comparison of the code with the second factor of its user. */
interface OpenChallenge {
  readonly claims: MfaClaims;
  readonly factorState: SecondFactorState;
  /** Undefined: the code does not match. */
  readonly match: FactorMatch | undefined;
}

type ClosedChallenge =
  | { readonly claims: MfaClaims | undefined; readonly reason: Failure }
  | { readonly claims: MfaClaims; readonly reason: "too_many_misses"; readonly lockedUntil: Date };

/** One response for every failure of the token, the code and the account (docs/contract.md, section 8.9). */
const REFUSED = refusal("authentication_required", "The code is not right, or the sign-in has expired.");

/**
 * POST /v1/auth/mfa/challenge (docs/contract.md, section 8.9): an mfa_token and a code become one session of aal2.
 * Costs two statements and one call of the state port beside the signing. Refuses with `invalid_input`,
 * `authentication_required` and, beyond the bounds of docs/contract.md, section 8.7, `rate_limited`, the right code
 * included.
 */
export async function challenge(
  deps: ChallengeDeps,
  input: ChallengeInput,
): Promise<Result<SignedIn, Refusal<"authentication_required" | "invalid_input" | "rate_limited">>> {
  const factor = presentedFactor(input.code, input.recoveryCode);
  if (!factor.ok) {
    const admitted = await admit(deps, input.admission);
    return admitted.ok ? factor : admitted;
  }
  const opened = await openChallenge(deps, input.mfaToken, factor.value);
  if (!opened.ok) return await refuseUncompared(deps, input, opened.error);
  const { claims } = opened.value;
  const matched = opened.value.match !== undefined;
  // Before the token is used up, and whether the code is right or not: a full pool neither costs it nor tells.
  const slot = acquireSigningSlot(deps, claims.sub);
  if (!slot.ok) return slot;
  using _slot = slot.value;
  const recorded = await deps.state.recordAttempt(
    challengeComparison(claims.sub, claims.jti, matched, input.admission?.scope),
  );
  const admitted = recorded.admission && input.admission?.counted(recorded.admission);
  if (admitted && !admitted.ok) return admitted;
  switch (recorded.outcome) {
    case "matched":
      return await completeChallenge(deps, input, factor.value, opened.value);
    case "locked":
      await recordFailure(deps, input, claims, "auth.mfa.challenge.locked", "too_many_misses");
      return err(
        rateLimited("second_factor_misses", recorded.retryAfterMs / 1000, "too many wrong codes", {
          counters: { token_limit: MFA_TOKEN_MISSES_MAX, user_hour_limit: SECOND_FACTOR_MISSES_HOUR_MAX },
        }),
      );
    case "burned":
      return await refuseFailed(deps, input, claims, "token_used");
    default:
      return await refuseFailedAttempt(deps, input, claims, "wrong_code");
  }
}

/** Verifies the token, then compares the code. The result must not reach the client before the attempt is counted. */
async function openChallenge(
  deps: ChallengeDeps,
  mfaToken: string,
  factor: PresentedFactor,
): Promise<Result<OpenChallenge, ClosedChallenge>> {
  const claims = await verifyToken(deps, mfaToken, "mfa");
  if (!claims) return err({ claims: undefined, reason: "token_invalid" });
  return await compareForToken(deps, claims, factor);
}

async function compareForToken(
  deps: ChallengeDeps,
  claims: MfaClaims,
  factor: PresentedFactor,
): Promise<Result<OpenChallenge, ClosedChallenge>> {
  const { factorState, match } = await compareSecondFactor(deps, claims.sub, factor);
  if (!factorState || factorState.disabled) return err({ claims, reason: "account_disabled" });
  const { sealedSecret, credentialsEpoch, lockedUntil } = factorState;
  if (!sealedSecret) return err({ claims, reason: "mfa_not_enabled" });
  if (credentialsEpoch !== claims.credentials_epoch) return err({ claims, reason: "token_outdated" });
  if (lockedUntil) return err({ claims, reason: "too_many_misses", lockedUntil });
  return ok({ claims, factorState, match });
}

/** Nothing was compared, so only the limit of the client's address is counted. */
async function refuseUncompared(
  deps: ChallengeDeps,
  input: ChallengeInput,
  closed: ClosedChallenge,
): Promise<Result<never, Refusal<"authentication_required" | "rate_limited">>> {
  const admitted = await admit(deps, input.admission);
  return admitted.ok ? await refuseClosed(deps, input, closed) : admitted;
}

async function refuseClosed(
  deps: ChallengeDeps,
  input: ChallengeInput,
  closed: ClosedChallenge,
): Promise<Result<never, Refusal<"authentication_required" | "rate_limited">>> {
  if (closed.reason !== "too_many_misses") return await refuseFailed(deps, input, closed.claims, closed.reason);
  await recordFailure(deps, input, closed.claims, "auth.mfa.challenge.locked", closed.reason);
  return err(tooManyMisses(deps.clock, closed.lockedUntil));
}

async function completeChallenge(
  deps: ChallengeDeps,
  input: ChallengeInput,
  factor: PresentedFactor,
  open: OpenChallenge,
): Promise<Result<SignedIn, Refusal<"authentication_required" | "rate_limited">>> {
  const completed = await signInWithSecondFactor(deps, input, open);
  if (completed.ok) {
    deps.telemetry.metrics.secondFactor(factorOf(input), "success");
    deps.telemetry.metrics.signInAttempt(open.claims.auth_method, "success");
    if (open.claims.auth_method === "email_otp") deps.outbox.wake();
    return completed;
  }
  if (completed.error === TOKEN_USED) return await refuseFailed(deps, input, open.claims, "token_used");
  return await refuseChanged(deps, input, factor, open.claims);
}

/**
 * Compares once more, because only a code that was used meanwhile counts as a miss: one that still matches, or whose
 * account changed, was right and stays unused.
 */
async function refuseChanged(
  deps: ChallengeDeps,
  input: ChallengeInput,
  factor: PresentedFactor,
  claims: MfaClaims,
): Promise<Result<never, Refusal<"authentication_required" | "rate_limited">>> {
  const current = await compareForToken(deps, claims, factor);
  if (!current.ok) return await refuseClosed(deps, input, current.error);
  if (current.value.match) return await refuseFailed(deps, input, claims, CHANGED_MEANWHILE);
  return await refuseFailedAttempt(deps, input, claims, "wrong_code");
}

/** The database has a session of this mfa_token. */
const TOKEN_USED = "token_used";

async function signInWithSecondFactor(
  deps: ChallengeDeps,
  input: ChallengeInput,
  { claims, factorState, match }: OpenChallenge,
): Promise<Result<SignedIn, typeof CHANGED_MEANWHILE | typeof TOKEN_USED>> {
  const { client } = input;
  const at = new Date(deps.clock.now());
  const [authMethod, proof] = [claims.auth_method, claims.control_proof];
  const entry = {
    userId: claims.sub,
    organizationId: claims.org,
    credentialsEpoch: claims.credentials_epoch,
    // `iat` has whole seconds: a token of the second in which a suspension ended counts as issued after it.
    shownAt: new Date((claims.iat + 1) * 1000),
  };
  // A code is used up only by an account and a membership that are as they were when the token was issued.
  const allow = (sql: Sql, membership: Cte) =>
    match?.allow(sql, lockUnchangedUserForUpdate(sql, entry, sql`from ${membership}`)) ?? sql``;
  const parts = { ...match, allow, notice: notifyNewBrowser(deps, factorState, { authMethod, client, at }) };
  try {
    return await completeSignInWithSlot(deps, {
      ...entry,
      email: factorState.email,
      authMethod,
      aal: "aal2",
      client,
      audit: { action: "auth.mfa.challenge.succeeded", metadata: { factor: factorOf(input) } },
      control: proof && !factorState.controlled ? { user: factorState, proof } : undefined,
      mfaTokenJti: claims.jti,
      conditions: (sql) =>
        existingUserConditions(sql, entry, parts, (from) => lockAndRecordSignIn(sql, entry, at, from)),
    });
  } catch (error) {
    // Redis had lost that the token was used; the unique column of the sessions refuses it.
    if (violatedConstraint(error) === "sessions_mfa_token_jti_key") return err(TOKEN_USED);
    throw error;
  }
}

/** A code that was compared and does not sign in counts as a miss, also one that matched and was used meanwhile. */
async function refuseFailedAttempt(
  deps: ChallengeDeps,
  input: ChallengeInput,
  claims: MfaClaims,
  reason: Failure,
): Promise<Result<never, Refusal<"authentication_required" | "rate_limited">>> {
  deps.telemetry.metrics.secondFactor(factorOf(input), "failure");
  const recorded = await recordSecondFactorMiss(deps, claims.sub, {
    failed: failureEntry(deps, input, claims, "auth.mfa.challenge.failed", reason),
    locked: failureEntry(deps, input, claims, "auth.mfa.challenge.locked", "too_many_misses"),
  });
  return recorded.ok ? err({ ...REFUSED, cause: reason }) : recorded;
}

async function refuseFailed(
  deps: ChallengeDeps,
  input: ChallengeInput,
  claims: MfaClaims | undefined,
  reason: Failure,
): Promise<Result<never, Refusal<"authentication_required">>> {
  await recordFailure(deps, input, claims, "auth.mfa.challenge.failed", reason);
  return err({ ...REFUSED, cause: reason });
}

type FailureAction = "auth.mfa.challenge.failed" | "auth.mfa.challenge.locked";

async function recordFailure(
  deps: ChallengeDeps,
  input: ChallengeInput,
  claims: MfaClaims | undefined,
  action: FailureAction,
  reason: string,
): Promise<void> {
  deps.telemetry.metrics.secondFactor(factorOf(input), "failure");
  const entry = failureEntry(deps, input, claims, action, reason);
  await deps.database.run("audit.record", (sql) => recordAudit(sql, entry));
}

function failureEntry(
  deps: ChallengeDeps,
  input: ChallengeInput,
  claims: MfaClaims | undefined,
  action: FailureAction,
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
