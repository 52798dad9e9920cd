import { type Refusal, rateLimited, refusal } from "../../base/problem.ts";
import type { RequestContext } from "../../base/request-context.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { type Sql, violatedConstraint } from "../../database/database.ts";
import type { Cte } from "../../database/statement.ts";
import type { SignInDeps } from "../../deps.ts";
import { MFA_TOKEN_MISSES_MAX, SECOND_FACTOR_MISSES_HOUR_MAX } from "../../limits/factor-limits.ts";
import { type AuditEntry, recordAudit } from "../../models/audit/audit.ts";
import { challengeComparison } from "../../models/second-factor/attempts.ts";
import type { SecondFactorState } from "../../models/second-factor/second-factor.ts";
import type { MfaClaims } from "../../models/token/claims.ts";
import { lockAndRecordSignIn, lockUnchangedUserForUpdate, type SignInEntry } from "../../models/user/user.ts";
import { userAuditEvent } from "../steps/audit/audit-event.ts";
import { compareSecondFactor, type FactorMatch } from "../steps/second-factor/compare-second-factor.ts";
import { type PresentedFactor, presentedFactor, type SubmittedFactors } from "../steps/second-factor/factors.ts";
import { type Admission, admit } from "../steps/sign-in/admission.ts";
import { CHANGED_MEANWHILE, completeSignInWithSlot, type SignInResult } from "../steps/sign-in/complete-sign-in.ts";
import { notifyNewBrowser } from "../steps/sign-in/notify-new-browser.ts";
import { recordFailedSecondFactor, tooManyFailedAttempts } from "../steps/sign-in/record-failed-attempt.ts";
import { existingUserConditions, ownAssurance } from "../steps/sign-in/sign-in-conditions.ts";
import { acquireSigningSlot } from "../steps/tokens/issue-session-tokens.ts";
import { verifyToken } from "../steps/tokens/verify-own-token.ts";

export interface ChallengeInput {
  readonly admission: Admission | undefined;
  readonly mfaToken: string;
  readonly factors: SubmittedFactors;
  readonly client: RequestContext;
}

type ChallengeProblem = Refusal<"authentication_required" | "rate_limited">;

/** A challenge with exactly one factor. */
interface PresentedChallenge extends ChallengeInput {
  readonly presented: PresentedFactor;
}

/** A valid mfa_token, and the comparison of the code with the second factor of its user. */
interface OpenChallenge {
  readonly claims: MfaClaims;
  readonly factorState: SecondFactorState;
  /** Undefined for a wrong code. */
  readonly match: FactorMatch | undefined;
}

const FAILED = "auth.mfa.challenge.failed";
const LOCKED = "auth.mfa.challenge.locked";

/**
 * The reasons of a failure, for the audit trail and never for the client: the audit action, and whether the failure
 * counts as a failed attempt of the user. Only a code that was compared counts.
 */
const FAILURES = {
  token_invalid: { action: FAILED, counted: false },
  token_used: { action: FAILED, counted: false },
  token_outdated: { action: FAILED, counted: false },
  account_disabled: { action: FAILED, counted: false },
  mfa_not_enabled: { action: FAILED, counted: false },
  [CHANGED_MEANWHILE]: { action: FAILED, counted: false },
  wrong_code: { action: FAILED, counted: true },
  too_many_misses: { action: LOCKED, counted: false },
} as const;

interface ChallengeFailure {
  readonly reason: keyof typeof FAILURES;
  /** Undefined for an invalid mfa_token. */
  readonly claims: MfaClaims | undefined;
  /** Default: the common response to every failure of the token, the code and the account. */
  readonly problem?: ChallengeProblem;
}

/** One response for every failure of the token, the code and the account (docs/contract.md, section 8.9). */
const REFUSED = refusal("authentication_required", "The code is not right, or the sign-in has expired.");

/**
 * POST /v1/auth/mfa/challenge (docs/contract.md, section 8.9): exchanges an mfa_token and a code for one session of
 * aal2, with two statements and one call of the state port beside the signing. Beyond the bounds of docs/contract.md,
 * section 8.7, the right code is refused too.
 */
export async function challenge(
  deps: SignInDeps,
  input: ChallengeInput,
): Promise<Result<SignInResult, ChallengeProblem | Refusal<"invalid_input">>> {
  const presented = presentedFactor(input.factors);
  if (!presented.ok) {
    const admitted = await admit(deps, input.admission);
    return admitted.ok ? presented : admitted;
  }
  const attempt = { ...input, presented: presented.value };
  const opened = await openChallenge(deps, attempt);
  if (opened.ok) return await recordAndComplete(deps, attempt, opened.value);
  // No code was compared: only the limit of the client's address is counted.
  const admitted = await admit(deps, input.admission);
  return admitted.ok ? await refuse(deps, attempt, opened.error) : admitted;
}

/** Verifies the token, then compares the code. The result must not reach the client before the attempt is counted. */
async function openChallenge(
  deps: SignInDeps,
  { mfaToken, presented }: PresentedChallenge,
): Promise<Result<OpenChallenge, ChallengeFailure>> {
  const claims = await verifyToken(deps, mfaToken, "mfa");
  if (!claims) return err({ claims: undefined, reason: "token_invalid" });
  return await compareForToken(deps, claims, presented);
}

async function compareForToken(
  deps: SignInDeps,
  claims: MfaClaims,
  presented: PresentedFactor,
): Promise<Result<OpenChallenge, ChallengeFailure>> {
  const { factorState, match } = await compareSecondFactor(deps, claims.sub, presented);
  if (!factorState || factorState.disabled) return err({ claims, reason: "account_disabled" });
  const { sealedSecret, credentialsEpoch, lockedUntil } = factorState;
  if (!sealedSecret) return err({ claims, reason: "mfa_not_enabled" });
  if (credentialsEpoch !== claims.credentials_epoch) return err({ claims, reason: "token_outdated" });
  if (lockedUntil)
    return err({ claims, reason: "too_many_misses", problem: tooManyFailedAttempts(deps.clock, lockedUntil) });
  return ok({ claims, factorState, match });
}

/** Counts the attempt, in one round trip with the limit of the client's address, before the result takes effect. */
async function recordAndComplete(
  deps: SignInDeps,
  input: PresentedChallenge,
  open: OpenChallenge,
): Promise<Result<SignInResult, ChallengeProblem>> {
  const { claims, match } = open;
  // Acquire the slot first, for right and wrong codes alike: a full pool must not consume the token or reveal the
  // result.
  const slot = acquireSigningSlot(deps, claims.sub);
  if (!slot.ok) return slot;
  using _slot = slot.value;
  const recorded = await deps.state.recordAttempt(
    challengeComparison(claims.sub, claims.jti, match !== undefined, input.admission?.scope),
  );
  const admitted = recorded.admission && input.admission?.counted(recorded.admission);
  if (admitted && !admitted.ok) return admitted;
  switch (recorded.outcome) {
    case "matched":
      return await completeChallenge(deps, input, open);
    case "locked": {
      const problem = tokenLocked(recorded.retryAfterMs);
      return await refuse(deps, input, { claims, reason: "too_many_misses", problem });
    }
    case "consumed":
      return await refuse(deps, input, { claims, reason: "token_used" });
    default:
      return await refuse(deps, input, { claims, reason: "wrong_code" });
  }
}

function tokenLocked(retryAfterMs: number): Refusal<"rate_limited"> {
  return rateLimited("second_factor_misses", retryAfterMs / 1000, "too many wrong codes", {
    counters: { token_limit: MFA_TOKEN_MISSES_MAX, user_hour_limit: SECOND_FACTOR_MISSES_HOUR_MAX },
  });
}

async function completeChallenge(
  deps: SignInDeps,
  input: PresentedChallenge,
  open: OpenChallenge,
): Promise<Result<SignInResult, ChallengeProblem>> {
  const { claims } = open;
  const completed = await signInWithSecondFactor(deps, input, open);
  if (completed.ok) {
    deps.telemetry.metrics.secondFactor(input.presented.factor.kind, "success");
    deps.telemetry.metrics.signInAttempt(claims.auth_method, "success");
    return completed;
  }
  if (completed.error === TOKEN_USED) return await refuse(deps, input, { claims, reason: TOKEN_USED });
  return await refuse(deps, input, await explainChange(deps, input, claims));
}

/**
 * Compares a second time, because only a code that another request consumed counts as a failed attempt. A code that
 * still matches, or whose account changed, was right and stays unused.
 */
async function explainChange(
  deps: SignInDeps,
  { presented }: PresentedChallenge,
  claims: MfaClaims,
): Promise<ChallengeFailure> {
  const current = await compareForToken(deps, claims, presented);
  if (!current.ok) return current.error;
  return { claims, reason: current.value.match ? CHANGED_MEANWHILE : "wrong_code" };
}

/** The database already has a session of this mfa_token. */
const TOKEN_USED = "token_used";

async function signInWithSecondFactor(
  deps: SignInDeps,
  { client, presented }: PresentedChallenge,
  { claims, factorState, match }: OpenChallenge,
): Promise<Result<SignInResult, typeof CHANGED_MEANWHILE | typeof TOKEN_USED>> {
  const at = new Date(deps.clock.now());
  const { auth_method: authMethod, identity_provider: identityProvider, control_proof: proof } = claims;
  const address = client.ipAddress;
  const assurance = ownAssurance({ method: authMethod, provider: identityProvider, aal: "aal2", at, address });
  const entry: SignInEntry = {
    userId: claims.sub,
    organizationId: claims.org,
    credentialsEpoch: claims.credentials_epoch,
    // `iat` has whole seconds: a token issued in the second in which a suspension ended counts as issued afterwards.
    presentedAt: new Date((claims.iat + 1) * 1000),
  };
  // The code is consumed only while the account and the membership are unchanged since the token was issued.
  const allow = (sql: Sql, membership: Cte) =>
    match?.allow(sql, lockUnchangedUserForUpdate(sql, entry, sql`from ${membership}`)) ?? sql``;
  const newBrowser = notifyNewBrowser(deps, factorState, { organizationId: claims.org, client, at });
  const parts = { ...match, allow, newBrowser };
  try {
    return await completeSignInWithSlot(deps, {
      ...entry,
      email: factorState.email,
      authMethod,
      identityProvider,
      aal: "aal2",
      client,
      audit: { action: "auth.mfa.challenge.succeeded", metadata: { factor: presented.factor.kind } },
      control: proof && { user: factorState, proof },
      mfaTokenJti: claims.jti,
      conditions: (sql) =>
        existingUserConditions(sql, entry, assurance, parts, (from) => lockAndRecordSignIn(sql, entry, at, from)),
    });
  } catch (error) {
    // Redis lost the record of the used token; the unique column of the sessions prevents a second session.
    if (violatedConstraint(error) === "sessions_mfa_token_jti_key") return err(TOKEN_USED);
    throw error;
  }
}

/** Records the failure, and counts a wrong code as a failed attempt, before the client learns of the result. */
async function refuse(
  deps: SignInDeps,
  input: PresentedChallenge,
  { claims, reason, problem }: ChallengeFailure,
): Promise<Result<never, ChallengeProblem>> {
  const { action, counted } = FAILURES[reason];
  deps.telemetry.metrics.secondFactor(input.presented.factor.kind, "failure");
  const failed = failureEntry(deps, input, claims, action, reason);
  if (counted && claims) {
    const locked = failureEntry(deps, input, claims, LOCKED, "too_many_misses");
    const recorded = await recordFailedSecondFactor(
      deps,
      { userId: claims.sub, organizationId: null },
      { failed, locked },
    );
    if (!recorded.ok) return recorded;
  } else {
    await deps.database.run("audit.record", (sql) => recordAudit(sql, failed));
  }
  return err(problem ?? { ...REFUSED, cause: reason });
}

function failureEntry(
  deps: SignInDeps,
  { client, presented }: PresentedChallenge,
  claims: MfaClaims | undefined,
  action: typeof FAILED | typeof LOCKED,
  reason: ChallengeFailure["reason"],
): AuditEntry {
  return userAuditEvent(deps, claims && { userId: claims.sub, organizationId: claims.org }, client, {
    action,
    at: new Date(deps.clock.now()),
    outcome: "failure",
    metadata: { factor: presented.factor.kind, reason },
  });
}
