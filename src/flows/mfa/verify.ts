import { type Refusal, rateLimited, refusal } from "../../base/problem.ts";
import type { RequestContext } from "../../base/request-context.ts";
import { err, type Result } from "../../base/result.ts";
import type { SignInDeps } from "../../deps.ts";
import { STEP_UP_MISSES_MAX, STEP_UP_MISSES_WINDOW_MS } from "../../limits/factor-limits.ts";
import { type AuditEntry, recordAudit } from "../../models/audit/audit.ts";
import { stepUpComparison } from "../../models/second-factor/attempts.ts";
import { factorOwnerOf } from "../../models/session/own-factor.ts";
import type { SessionView } from "../../models/session/session.ts";
import { compareFactorOf, type FactorMatch } from "../steps/second-factor/compare-second-factor.ts";
import type { Factor } from "../steps/second-factor/factor.ts";
import { type PresentedFactor, presentedFactor, type SubmittedFactors } from "../steps/second-factor/factors.ts";
import { persistStepUp, type StepUpResult } from "../steps/sign-in/persist-step-up.ts";
import { recordFailedSecondFactor, tooManyFailedAttempts } from "../steps/sign-in/record-failed-attempt.ts";
import { acquireSigningSlot } from "../steps/tokens/issue-session-tokens.ts";

export interface VerifyInput {
  readonly caller: SessionView;
  readonly factors: SubmittedFactors;
  readonly client: RequestContext;
}

const WRONG_CODE = refusal("authentication_required", "The code is not right.");

/**
 * POST /v1/auth/mfa/verify (docs/contract.md, section 8.8): a second factor steps only this session up for five
 * minutes, a session of single sign-on by the factor for its organization (section 29.18). Beyond the bounds of docs/
 * contract.md, section 8.7, the right code is refused too.
 */
export async function verifySecondFactor(
  deps: SignInDeps,
  input: VerifyInput,
): Promise<Result<StepUpResult, Refusal<"authentication_required" | "invalid_input" | "rate_limited">>> {
  const { caller } = input;
  const presented = presentedFactor(input.factors);
  if (!presented.ok) return presented;
  const compared = await compareFactorOf(deps, factorOwnerOf(caller), presented.value);
  const { factorState, match } = compared;
  if (!factorState?.sealedSecret) return err({ ...WRONG_CODE, cause: "mfa_not_enabled" });
  if (factorState.lockedUntil) {
    return await refuseLocked(deps, input, presented.value, tooManyFailedAttempts(deps.clock, factorState.lockedUntil));
  }
  // Acquire the slot first, for right and wrong codes alike: a full pool must not count an attempt or reveal the
  // result.
  const slot = acquireSigningSlot(deps, caller.userId);
  if (!slot.ok) return slot;
  using _slot = slot.value;
  const attempt = await deps.state.recordAttempt(stepUpComparison(caller.userId, caller.id, match !== undefined));
  if (attempt.outcome === "locked") {
    const problem = rateLimited("second_factor_misses", attempt.retryAfterMs / 1000, "too many wrong codes", {
      counters: { session_limit: STEP_UP_MISSES_MAX, window_seconds: STEP_UP_MISSES_WINDOW_MS / 1000 },
    });
    return await refuseLocked(deps, input, presented.value, problem);
  }
  if (attempt.outcome !== "matched" || !match) return await refuseFailedAttempt(deps, input, presented.value);
  const steppedUp = await stepUp(deps, input, presented.value, match);
  if (steppedUp.ok) return steppedUp;
  if (steppedUp.error === "used_meanwhile") return await refuseFailedAttempt(deps, input, presented.value);
  return await refuseEnded(deps, input, presented.value);
}

async function stepUp(
  deps: SignInDeps,
  { caller, client }: VerifyInput,
  { factor }: PresentedFactor,
  { allow, consume }: FactorMatch,
): Promise<Result<StepUpResult, "session_ended" | "used_meanwhile">> {
  const at = new Date(deps.clock.now());
  const metadata = { factor: factor.kind, previous_aal: caller.aal };
  const audit = auditOf(caller, factor, client);
  const entry: AuditEntry = { ...audit, metadata, eventId: deps.random.uuid(), at, outcome: "success" };
  const steppedUp = await persistStepUp(deps, {
    caller,
    at,
    allow,
    consume,
    entry,
    isOwnFactor: caller.organizationBound,
  });
  if (steppedUp.ok) deps.telemetry.metrics.secondFactor(factor.kind, "success");
  return steppedUp;
}

/**
 * The code was right and stays unused: no failed attempt is counted, and the response equals the response to a wrong
 * code.
 */
async function refuseEnded(
  deps: SignInDeps,
  input: VerifyInput,
  { factor }: PresentedFactor,
): Promise<Result<never, Refusal<"authentication_required">>> {
  await recordFailure(deps, failureEntry(deps, input, factor, "session_ended"), factor);
  return err({ ...WRONG_CODE, cause: "session_ended" });
}

/** A compared code without step-up counts as a failed attempt, also a right code that another request consumed. */
async function refuseFailedAttempt(
  deps: SignInDeps,
  input: VerifyInput,
  { factor }: PresentedFactor,
): Promise<Result<never, Refusal<"authentication_required" | "rate_limited">>> {
  deps.telemetry.metrics.secondFactor(factor.kind, "failure");
  const recorded = await recordFailedSecondFactor(deps, factorOwnerOf(input.caller), {
    failed: failureEntry(deps, input, factor, "wrong_code"),
    locked: failureEntry(deps, input, factor, "too_many_misses"),
  });
  return recorded.ok ? err(WRONG_CODE) : recorded;
}

async function refuseLocked(
  deps: SignInDeps,
  input: VerifyInput,
  { factor }: PresentedFactor,
  problem: Refusal<"rate_limited">,
): Promise<Result<never, Refusal<"rate_limited">>> {
  await recordFailure(deps, failureEntry(deps, input, factor, "too_many_misses"), factor);
  return err(problem);
}

async function recordFailure(deps: SignInDeps, entry: AuditEntry, factor: Factor): Promise<void> {
  deps.telemetry.metrics.secondFactor(factor.kind, "failure");
  await deps.database.run("audit.record", (sql) => recordAudit(sql, entry));
}

function failureEntry(deps: SignInDeps, input: VerifyInput, factor: Factor, reason: string): AuditEntry {
  const entry = auditOf(input.caller, factor, input.client);
  const at = new Date(deps.clock.now());
  const metadata = { ...entry.metadata, reason };
  return { ...entry, eventId: deps.random.uuid(), at, outcome: "failure", metadata };
}

function auditOf(
  caller: SessionView,
  factor: Factor,
  client: RequestContext,
): Omit<AuditEntry, "eventId" | "at" | "outcome"> {
  return {
    action: "auth.mfa.step_up",
    organizationId: caller.organizationId,
    actorId: caller.userId,
    actorType: "user",
    resourceType: "session",
    resourceId: caller.id,
    metadata: { factor: factor.kind },
    client,
  };
}
