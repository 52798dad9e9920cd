import type { Fragment, Sql } from "../../../database/database.ts";
import type { SignInDeps } from "../../../deps.ts";
import { allowAttempt, lockedUntil } from "../../../models/failed-attempt/failed-attempt.ts";
import { findSecondFactorState, type SecondFactorState } from "../../../models/second-factor/second-factor.ts";
import { lockUser } from "../../../models/user/user.ts";
import type { FactorConsumption } from "./factor.ts";
import type { PresentedFactor } from "./factors.ts";

export interface ComparisonResult {
  readonly factorState: SecondFactorState | undefined;
  /** Undefined for a wrong factor. */
  readonly match: FactorMatch | undefined;
}

/** CTE fragments of the statement that a matching factor authorizes. */
export interface FactorMatch {
  /**
   * One row unless the user has too many failed attempts, checked under lock. `lockedUser`: locks the user; default:
   * locks without further conditions.
   */
  readonly allow: (sql: Sql, lockedUser?: Fragment) => Fragment;
  /** One row for the first request that consumes the factor, if `allowed`, the CTE of `allow`, has a row. */
  readonly consume: FactorConsumption;
}

/**
 * Reads the user's second factor and compares in memory. The result must not reach the client before
 * `state.recordAttempt` has counted the attempt (docs/decisions/0006). A match is valid only after `consume` has
 * returned a row; of several requests with one code, a single request gets the row. A user with too many failed
 * attempts gets no comparison.
 */
export async function compareSecondFactor(
  deps: SignInDeps,
  userId: string,
  { factor, code }: PresentedFactor,
): Promise<ComparisonResult> {
  const at = new Date(deps.clock.now());
  const attempt = { userId, code, at };
  const hash = factor.lookupHash?.(deps, attempt);
  const factorState = await deps.database.run("mfa.find_challenged", (sql) =>
    findSecondFactorState(sql, userId, hash, lockedUntil(sql, "second_factor", at)),
  );
  if (!factorState?.sealedSecret || factorState.lockedUntil) return { factorState, match: undefined };
  const consume = factor.match(deps, factorState, attempt, hash);
  const counted = { userId, kind: "second_factor", at } as const;
  const allow = (sql: Sql, lockedUser = lockUser(sql, userId)) =>
    allowAttempt(sql, counted, sql`from (${lockedUser}) locked_user`);
  return { factorState, match: consume && { allow, consume } };
}
