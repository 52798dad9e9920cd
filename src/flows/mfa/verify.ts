import { type Refusal, rateLimited, refusal } from "../../base/problem.ts";
import type { RequestContext } from "../../base/request-context.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { cte, withParts } from "../../database/statement.ts";
import type { Deps } from "../../deps.ts";
import { STEP_UP_MISSES_MAX, STEP_UP_MISSES_WINDOW_MS, STEP_UP_WINDOW_MS } from "../../limits/limits.ts";
import { type AuditEntry, insertAudit, recordAudit } from "../../models/audit/audit.ts";
import { stepUpComparison } from "../../models/second-factor/attempts.ts";
import { changeEvent, logChange } from "../../models/session/revocation.ts";
import {
  lockLiveSession,
  type Session,
  type SessionView,
  sessionColumns,
  stepUpSession,
  toSession,
  type WithDates,
} from "../../models/session/session.ts";
import { tokensDeadAt } from "../steps/sessions/end-sessions.ts";
import {
  type CompareDeps,
  compareSecondFactor,
  type FactorMatch,
  type PresentedFactor,
  presentedFactor,
} from "../steps/sign-in/compare-second-factor.ts";
import { recordSecondFactorMiss, tooManyMisses } from "../steps/sign-in/record-failed-attempt.ts";
import { STEPPED_UP } from "../steps/sign-in/step-up.ts";
import { type AccessToken, acquireSigningSlot, issueAccessToken } from "../steps/tokens/issue-session-tokens.ts";

export type VerifyDeps = CompareDeps &
  Pick<Deps, "config" | "random" | "state" | "revocations" | "telemetry" | "keyRing" | "signing">;

export interface VerifyInput {
  readonly caller: SessionView;
  readonly code: string | undefined;
  readonly recoveryCode: string | undefined;
  readonly client: RequestContext;
}

export interface SteppedUp {
  /** Milliseconds. */
  readonly mfaVerifiedAt: number;
  readonly stepUpExpiresAt: number;
  readonly token: AccessToken;
}

const WRONG_CODE = refusal("authentication_required", "The code is not right.");

/**
 * POST /v1/auth/mfa/verify (docs/contract.md, section 8.8): a second factor steps this session, and no other, up for
 * five minutes. Refuses with `invalid_input`, `authentication_required` and, beyond the bounds of
 * docs/contract.md, section 8.7, `rate_limited`.
 */
export async function verifySecondFactor(
  deps: VerifyDeps,
  input: VerifyInput,
): Promise<Result<SteppedUp, Refusal<"authentication_required" | "invalid_input" | "rate_limited">>> {
  const { caller } = input;
  const factor = presentedFactor(input.code, input.recoveryCode);
  if (!factor.ok) return factor;
  const compared = await compareSecondFactor(deps, caller.userId, factor.value);
  const { factorState, match } = compared;
  if (!factorState?.sealedSecret) return err({ ...WRONG_CODE, cause: "mfa_not_enabled" });
  if (factorState.lockedUntil) {
    return await refuseLocked(deps, input, factor.value, tooManyMisses(deps.clock, factorState.lockedUntil));
  }
  // Before the attempt is counted, and whether the code is right or not: a full pool neither costs it nor tells.
  const slot = acquireSigningSlot(deps, caller.userId);
  if (!slot.ok) return slot;
  using _slot = slot.value;
  const attempt = await deps.state.recordAttempt(stepUpComparison(caller.userId, caller.id, match !== undefined));
  if (attempt.outcome === "locked") {
    const refused = rateLimited("second_factor_misses", attempt.retryAfterMs / 1000, "too many wrong codes", {
      counters: { session_limit: STEP_UP_MISSES_MAX, window_seconds: STEP_UP_MISSES_WINDOW_MS / 1000 },
    });
    return await refuseLocked(deps, input, factor.value, refused);
  }
  if (attempt.outcome !== "matched" || !match) return await refuseFailedAttempt(deps, input, factor.value);
  const steppedUp = await stepUp(deps, input, factor.value, match);
  if (steppedUp.ok) return steppedUp;
  if (steppedUp.error === "used_meanwhile") return await refuseFailedAttempt(deps, input, factor.value);
  return await refuseEnded(deps, input, factor.value);
}

/** One statement consumes the factor if the session is live, steps the session up and logs that. */
async function stepUp(
  deps: VerifyDeps,
  { caller, client }: VerifyInput,
  factor: PresentedFactor,
  { allow, consume }: FactorMatch,
): Promise<Result<SteppedUp, "session_ended" | "used_meanwhile">> {
  const at = new Date(deps.clock.now());
  const expiresAt = tokensDeadAt(deps, at);
  const eventId = deps.random.uuid();
  const metadata = { factor: factor.kind, previous_aal: caller.aal };
  const entry: AuditEntry = { ...auditOf(caller, factor, client), metadata, eventId, at, outcome: "success" };
  const [row] = await deps.database.run("mfa.step_up", (sql) => {
    const [allowed, live, changed, events] = [
      cte(sql, "allowed"),
      cte(sql, "live"),
      cte(sql, "changed"),
      cte(sql, "events"),
    ];
    const statement = withParts(sql, {
      allowed: allow(sql),
      live: lockLiveSession(sql, caller.id, at, sql`from ${allowed}`),
      consumed: consume(sql, live),
      changed: stepUpSession(sql, caller.id, at, sql`from ${cte(sql, "consumed")}`),
      events: logChange(sql, changed, STEPPED_UP, at, expiresAt),
      audit: insertAudit(sql, entry, sql`from ${changed}`),
    });
    return sql<(WithDates<Session> & { xid: string | null; ended: boolean })[]>`
      ${statement}
      select ${sessionColumns(sql)}, ${events}.xid::text as xid,
             exists (select 1 from ${allowed}) and not exists (select 1 from ${live}) as ended
      from (select 1) one left join ${changed} s on true left join ${events} on true`;
  });
  if (!row?.xid) return err(row?.ended ? "session_ended" : "used_meanwhile");
  const { xid, ended: _, ...columns } = row;
  await deps.revocations.announce([changeEvent(caller.id, STEPPED_UP, at, expiresAt, xid)]);
  deps.telemetry.metrics.secondFactor(factor.kind, "success");
  const issued = { jti: deps.random.uuid(), issuedAt: at.getTime() };
  const token = await issueAccessToken(deps, toSession(columns), issued);
  const stepUpExpiresAt = at.getTime() + STEP_UP_WINDOW_MS;
  return ok({ mfaVerifiedAt: at.getTime(), stepUpExpiresAt, token });
}

/** The code was right and stays unused, so no miss is counted; the answer is that of a wrong one. */
async function refuseEnded(
  deps: VerifyDeps,
  input: VerifyInput,
  factor: PresentedFactor,
): Promise<Result<never, Refusal<"authentication_required">>> {
  await recordFailure(deps, refusalOf(deps, input, factor, "session_ended"), factor);
  return err({ ...WRONG_CODE, cause: "session_ended" });
}

/** A code that was compared and steps nothing up counts as a miss, also one that matched and was used meanwhile. */
async function refuseFailedAttempt(
  deps: VerifyDeps,
  input: VerifyInput,
  factor: PresentedFactor,
): Promise<Result<never, Refusal<"authentication_required" | "rate_limited">>> {
  deps.telemetry.metrics.secondFactor(factor.kind, "failure");
  const recorded = await recordSecondFactorMiss(deps, input.caller.userId, {
    failed: refusalOf(deps, input, factor, "wrong_code"),
    locked: refusalOf(deps, input, factor, "too_many_misses"),
  });
  return recorded.ok ? err(WRONG_CODE) : recorded;
}

async function refuseLocked(
  deps: VerifyDeps,
  input: VerifyInput,
  factor: PresentedFactor,
  refusal: Refusal<"rate_limited">,
): Promise<Result<never, Refusal<"rate_limited">>> {
  await recordFailure(deps, refusalOf(deps, input, factor, "too_many_misses"), factor);
  return err(refusal);
}

async function recordFailure(deps: VerifyDeps, entry: AuditEntry, factor: PresentedFactor): Promise<void> {
  deps.telemetry.metrics.secondFactor(factor.kind, "failure");
  await deps.database.run("audit.record", (sql) => recordAudit(sql, entry));
}

function refusalOf(deps: VerifyDeps, input: VerifyInput, factor: PresentedFactor, reason: string): AuditEntry {
  const entry = auditOf(input.caller, factor, input.client);
  const at = new Date(deps.clock.now());
  const metadata = { ...entry.metadata, reason };
  return { ...entry, eventId: deps.random.uuid(), at, outcome: "failure", metadata };
}

function auditOf(
  caller: SessionView,
  factor: PresentedFactor,
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
