import type { ClientFacts } from "../../base/client-facts.ts";
import { STEP_UP_WINDOW_MS } from "../../base/limits.ts";
import { problem, rateLimited } from "../../base/problem.ts";
import { ok, type Result, refuse } from "../../base/result.ts";
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
  type Compared,
  type CompareNeeds,
  compareSecondFactor,
  type ShownFactor,
  shownFactor,
} from "../steps/compare-second-factor.ts";
import { tokensDeadAt } from "../steps/end-sessions.ts";
import { type AccessToken, mintAccessToken } from "../steps/mint-tokens.ts";
import { STEPPED_UP } from "../steps/step-up.ts";

export type VerifyNeeds = CompareNeeds &
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

const WRONG_CODE = problem("authentication_required", "The code is not right.");

/**
 * POST /v1/auth/mfa/verify (decisions, section 5): the caller shows a second factor again, and this session, no other, is stepped
 * up for five minutes. Refuses with `invalid_input`, `authentication_required` and, beyond five misses of the session in five
 * minutes or thirty of the user in an hour, `rate_limited`.
 */
export async function verifySecondFactor(needs: VerifyNeeds, input: VerifyInput): Promise<Result<SteppedUp>> {
  const { caller } = input;
  const factor = shownFactor(input.code, input.recoveryCode);
  if (!factor.ok) return factor;
  const compared = await compareSecondFactor(needs, caller.userId, factor.value);
  if (!compared.challenged?.sealedSecret) return refuse({ ...WRONG_CODE, cause: "mfa_not_enabled" });
  const comparison = stepUpComparison(caller.userId, caller.id, compared.take !== undefined);
  const verdict = await needs.state.judge(comparison);
  if (verdict.outcome === "locked") {
    await recordMiss(needs, input, factor.value, "too_many_misses");
    return refuse(rateLimited(verdict.retryAfterMs / 1000, "too many wrong codes"));
  }
  const raised = verdict.outcome === "matched" ? await raise(needs, input, factor.value, compared) : undefined;
  if (!raised) {
    await recordMiss(needs, input, factor.value, "wrong_code");
    return refuse(WRONG_CODE);
  }
  return raised;
}

/** One statement: uses the factor up, steps the session up, tells the replicas. `undefined` when another request used it first. */
async function raise(
  needs: VerifyNeeds,
  { caller, client }: VerifyInput,
  factor: ShownFactor,
  { take }: Compared,
): Promise<Result<SteppedUp> | undefined> {
  if (!take) return undefined;
  const at = new Date(needs.clock.now());
  const expiresAt = tokensDeadAt(needs, at);
  const eventId = needs.random.uuid();
  const [row] = await needs.database.run("mfa.step_up", (sql) => {
    const audit = insertAudit(
      sql,
      { ...auditOf(caller, factor, client), eventId, at, outcome: "success" },
      sql`from changed`,
    );
    return sql<(WithDates<Session> & { xid: string })[]>`
      with taken as (${take(sql)}),
      changed as (${stepUpSession(sql, caller.id, at, sql`from taken`)}),
      events as (${logChange(sql, STEPPED_UP, at, expiresAt)}),
      audit as (${audit})
      select ${sessionColumns(sql)}, events.xid::text as xid from changed s, events`;
  });
  if (!row) return undefined;
  const { xid, ...columns } = row;
  await needs.revocations.announce([changeEvent(caller.id, STEPPED_UP, at, expiresAt, xid)]);
  needs.telemetry.metrics.secondFactor(factor.kind, "success");
  const issued = { jti: needs.random.uuid(), issuedAt: at.getTime() };
  const token = await mintAccessToken(needs, toSession(columns), issued);
  if (!token.ok) return token;
  const stepUpExpiresAt = at.getTime() + STEP_UP_WINDOW_MS;
  return ok({ mfaVerifiedAt: at.getTime(), stepUpExpiresAt, token: token.value });
}

async function recordMiss(
  needs: VerifyNeeds,
  { caller, client }: VerifyInput,
  factor: ShownFactor,
  reason: string,
): Promise<void> {
  needs.telemetry.metrics.secondFactor(factor.kind, "failure");
  const entry = auditOf(caller, factor, client);
  const eventId = needs.random.uuid();
  const at = new Date(needs.clock.now());
  await needs.database.run("audit.record", (sql) =>
    recordAudit(sql, { ...entry, eventId, at, outcome: "failure", metadata: { ...entry.metadata, reason } }),
  );
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
