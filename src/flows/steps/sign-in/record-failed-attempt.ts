import { type Refusal, rateLimited } from "../../../base/problem.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import type { Deps } from "../../../deps.ts";
import { SECOND_FACTOR_MISSES_DAY_MAX, SECOND_FACTOR_MISSES_HOUR_MAX } from "../../../limits/factor-limits.ts";
import { type AuditEntry, insertAudit } from "../../../models/audit/audit.ts";
import { countFailedAttempt, secondFactorKind } from "../../../models/failed-attempt/failed-attempt.ts";
import type { FactorOwner } from "../../../vocabulary/factor-owner.ts";

/** The audit records of a failed attempt. */
export interface FailedAttemptEntries {
  /** The record within the bounds. */
  readonly failed: AuditEntry;
  /** The record beyond the bounds. */
  readonly locked: AuditEntry;
}

/**
 * Counts a wrong second factor of a user in the statement that inserts the audit record. The caller must not reveal the
 * failure earlier: so the bound holds for any number of parallel guesses, also after a loss of Redis data. A failed
 * attempt beyond the bound is `rate_limited`.
 */
export async function recordFailedSecondFactor(
  { database, clock }: Pick<Deps, "database" | "clock">,
  owner: FactorOwner,
  { failed, locked }: FailedAttemptEntries,
): Promise<Result<void, Refusal<"rate_limited">>> {
  const attempt = { userId: owner.userId, kind: secondFactorKind(owner), at: failed.at };
  const [row] = await database.run(
    "mfa.record_miss",
    (sql) => sql<{ withinBounds: boolean; retryAt: Date | null }[]>`
      with counted as (${countFailedAttempt(sql, attempt)}),
      failed as (${insertAudit(sql, failed, sql`from counted where within_bounds`)}),
      locked as (${insertAudit(sql, locked, sql`from counted where not within_bounds`)})
      select within_bounds as "withinBounds", retry_at as "retryAt" from counted`,
  );
  if (row?.withinBounds) return ok(undefined);
  return err(tooManyFailedAttempts(clock, row?.retryAt ?? failed.at));
}

/** Returns `rate_limited` until the user may guess again. */
export function tooManyFailedAttempts(clock: Deps["clock"], until: Date): Refusal<"rate_limited"> {
  const waitSeconds = (until.getTime() - clock.now()) / 1000;
  return rateLimited("second_factor_misses", waitSeconds, "too many wrong second factors of this user", {
    counters: { hour_limit: SECOND_FACTOR_MISSES_HOUR_MAX, day_limit: SECOND_FACTOR_MISSES_DAY_MAX },
  });
}
