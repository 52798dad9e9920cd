import { rateLimited } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";
import { type AuditEntry, insertAudit } from "../../models/audit/audit.ts";
import { countMiss } from "../../models/failed-attempt/failed-attempt.ts";

/** What the audit trail says of a miss: when it is answered as one, and when the user has too many. */
export interface MissEntries {
  readonly failed: AuditEntry;
  readonly locked: AuditEntry;
}

/**
 * Counts a wrong second factor of a user in the statement that writes its audit entry. Only then may it be answered as
 * wrong: of any number in parallel, whatever Redis knows, as many are as the bound says. Refuses the others with
 * `rate_limited`.
 */
export async function recordSecondFactorMiss(
  { database, clock }: Pick<Deps, "database" | "clock">,
  userId: string,
  { failed, locked }: MissEntries,
): Promise<Result<void>> {
  const [row] = await database.run(
    "mfa.record_miss",
    (sql) => sql<{ told: boolean; retryAt: Date | null }[]>`
      with missed as (${countMiss(sql, { userId, kind: "second_factor", at: failed.at })}),
      failed as (${insertAudit(sql, failed, sql`from missed where told`)}),
      locked as (${insertAudit(sql, locked, sql`from missed where not told`)})
      select told, retry_at as "retryAt" from missed`,
  );
  if (row?.told) return ok(undefined);
  return err(tooManyMisses(clock, row?.retryAt ?? failed.at));
}

/** `rate_limited` until the user may guess again. */
export function tooManyMisses(clock: Deps["clock"], until: Date) {
  return rateLimited((until.getTime() - clock.now()) / 1000, "too many wrong second factors of this user");
}
