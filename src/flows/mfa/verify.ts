import type { ClientFacts } from "../../base/client-facts.ts";
import { STEP_UP_WINDOW_MS } from "../../base/limits.ts";
import { type Refusal, rateLimited, refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";
import { type AuditEntry, insertAudit, recordAudit } from "../../models/audit/audit.ts";
import { stepUpComparison } from "../../models/second-factor/attempts.ts";
import { changeEvent, logChange } from "../../models/session/revocation.ts";
import {
  type Session,
  type SessionView,
  sessionColumns,
  stepUpSession,
  toSession,
  type WithDates,
} from "../../models/session/session.ts";
import {
  type CompareDeps,
  compareSecondFactor,
  type FactorMatch,
  type ShownFactor,
  shownFactor,
} from "../steps/compare-second-factor.ts";
import { tokensDeadAt } from "../steps/end-sessions.ts";
import { type AccessToken, issueAccessToken, withSigningSlot } from "../steps/issue-tokens.ts";
import { recordSecondFactorMiss, tooManyMisses } from "../steps/record-miss.ts";
import { STEPPED_UP } from "../steps/step-up.ts";

export type VerifyDeps = CompareDeps &
  Pick<Deps, "config" | "random" | "state" | "revocations" | "telemetry" | "keyRing" | "signing">;

export interface VerifyInput {
  readonly caller: SessionView;
  readonly code: string | undefined;
  readonly recoveryCode: string | undefined;
  readonly client: ClientFacts;
}

export interface SteppedUp {
  /** Milliseconds. */
  readonly mfaVerifiedAt: number;
  readonly stepUpExpiresAt: number;
  readonly token: AccessToken;
}

const WRONG_CODE = refusal("authentication_required", "The code is not right.");

/**
 * POST /v1/auth/mfa/verify (decisions, section 5): the caller shows a second factor again, and this session, no other, is stepped
 * up for five minutes. Refuses with `invalid_input`, `authentication_required` and, beyond five misses of the session in five
 * minutes (which Redis counts) or thirty of the user in an hour (Postgres), `rate_limited`.
 */
export async function verifySecondFactor(deps: VerifyDeps, input: VerifyInput): Promise<Result<SteppedUp>> {
  const { caller } = input;
  const factor = shownFactor(input.code, input.recoveryCode);
  if (!factor.ok) return factor;
  const compared = await compareSecondFactor(deps, caller.userId, factor.value);
  const { factorState, match } = compared;
  if (!factorState?.sealedSecret) return err({ ...WRONG_CODE, cause: "mfa_not_enabled" });
  if (factorState.lockedUntil) {
    return await lock(deps, input, factor.value, tooManyMisses(deps.clock, factorState.lockedUntil));
  }
  const verdict = await deps.state.recordAttempt(stepUpComparison(caller.userId, caller.id, match !== undefined));
  if (verdict.outcome === "locked") {
    return await lock(deps, input, factor.value, rateLimited(verdict.retryAfterMs / 1000, "too many wrong codes"));
  }
  const raised =
    verdict.outcome === "matched" &&
    match &&
    (await withSigningSlot(deps, caller.userId, () => stepUp(deps, input, factor.value, match)));
  return raised || (await miss(deps, input, factor.value));
}

/** One statement: uses the factor up, steps the session up, tells the replicas. `undefined` when another request used it first. */
async function stepUp(
  deps: VerifyDeps,
  { caller, client }: VerifyInput,
  factor: ShownFactor,
  { allow, consume }: FactorMatch,
): Promise<Result<SteppedUp> | undefined> {
  const at = new Date(deps.clock.now());
  const expiresAt = tokensDeadAt(deps, at);
  const eventId = deps.random.uuid();
  const [row] = await deps.database.run("mfa.step_up", (sql) => {
    const audit = insertAudit(
      sql,
      { ...auditOf(caller, factor, client), eventId, at, outcome: "success" },
      sql`from changed`,
    );
    return sql<(WithDates<Session> & { xid: string })[]>`
      with allowed as (${allow(sql)}),
      consumed as (${consume(sql)}),
      changed as (${stepUpSession(sql, caller.id, at, sql`from consumed`)}),
      events as (${logChange(sql, STEPPED_UP, at, expiresAt)}),
      audit as (${audit})
      select ${sessionColumns(sql)}, events.xid::text as xid from changed s, events`;
  });
  if (!row) return undefined;
  const { xid, ...columns } = row;
  await deps.revocations.announce([changeEvent(caller.id, STEPPED_UP, at, expiresAt, xid)]);
  deps.telemetry.metrics.secondFactor(factor.kind, "success");
  const issued = { jti: deps.random.uuid(), issuedAt: at.getTime() };
  const token = await issueAccessToken(deps, toSession(columns), issued);
  const stepUpExpiresAt = at.getTime() + STEP_UP_WINDOW_MS;
  return ok({ mfaVerifiedAt: at.getTime(), stepUpExpiresAt, token });
}

/** A code that was compared and steps nothing up. It counts, also when it matched and another request had used it. */
async function miss(deps: VerifyDeps, input: VerifyInput, factor: ShownFactor): Promise<Result<never>> {
  deps.telemetry.metrics.secondFactor(factor.kind, "failure");
  const told = await recordSecondFactorMiss(deps, input.caller.userId, {
    failed: refusalOf(deps, input, factor, "wrong_code"),
    locked: refusalOf(deps, input, factor, "too_many_misses"),
  });
  return told.ok ? err(WRONG_CODE) : told;
}

async function lock(
  deps: VerifyDeps,
  input: VerifyInput,
  factor: ShownFactor,
  refusal: Refusal,
): Promise<Result<never>> {
  deps.telemetry.metrics.secondFactor(factor.kind, "failure");
  const entry = refusalOf(deps, input, factor, "too_many_misses");
  await deps.database.run("audit.record", (sql) => recordAudit(sql, entry));
  return err(refusal);
}

function refusalOf(deps: VerifyDeps, input: VerifyInput, factor: ShownFactor, reason: string): AuditEntry {
  const entry = auditOf(input.caller, factor, input.client);
  const at = new Date(deps.clock.now());
  const metadata = { ...entry.metadata, reason };
  return { ...entry, eventId: deps.random.uuid(), at, outcome: "failure", metadata };
}

function auditOf(
  caller: SessionView,
  factor: ShownFactor,
  client: ClientFacts,
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
