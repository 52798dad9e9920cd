import type { Fragment, Sql } from "../../../database/database.ts";
import type { SignInDeps } from "../../../deps.ts";
import {
  type AttemptKind,
  allowAttempt,
  lockedUntil,
  secondFactorKind,
} from "../../../models/failed-attempt/failed-attempt.ts";
import { findOrganizationFactorState } from "../../../models/organization-factor/organization-factor.ts";
import { findSecondFactorState, type SecondFactorState } from "../../../models/second-factor/second-factor.ts";
import { lockUser } from "../../../models/user/user.ts";
import { type FactorOwner, isMemberFactor, type MemberFactorOwner } from "../../../vocabulary/factor-owner.ts";
import type { FactorConsumption, FactorState } from "./factor.ts";
import type { PresentedFactor } from "./factors.ts";

export interface ComparisonResult<State extends FactorState = SecondFactorState> {
  readonly factorState: State | undefined;
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
  presented: PresentedFactor,
): Promise<ComparisonResult> {
  return await compareWith(deps, { userId, organizationId: null }, presented, (hash, { lockedUntil }) =>
    deps.database.run("mfa.find_challenged", (sql) => findSecondFactorState(sql, userId, hash, lockedUntil(sql))),
  );
}

/** Compares with the factor of a member for the sessions of an organization, by the rules of `compareSecondFactor`. */
async function compareOrganizationFactor(
  deps: SignInDeps,
  owner: MemberFactorOwner,
  presented: PresentedFactor,
): Promise<ComparisonResult<FactorState>> {
  return await compareWith(deps, owner, presented, (hash, { failed, lockedUntil }) =>
    deps.database.run("organization_factor.find_compared", (sql) =>
      findOrganizationFactorState(sql, owner, hash, { failed, lockedUntil: lockedUntil(sql) }),
    ),
  );
}

/** Compares with the factor of the sessions in which `owner` acts. */
export async function compareFactorOf(
  deps: SignInDeps,
  owner: FactorOwner,
  presented: PresentedFactor,
): Promise<ComparisonResult<FactorState>> {
  return isMemberFactor(owner)
    ? await compareOrganizationFactor(deps, owner, presented)
    : await compareSecondFactor(deps, owner.userId, presented);
}

/** The counter of failed attempts of an owner. */
interface AttemptCounter {
  readonly failed: AttemptKind;
  /** An expression over the alias `f` of the counter. */
  readonly lockedUntil: (sql: Sql) => Fragment;
}

async function compareWith<State extends FactorState>(
  deps: SignInDeps,
  owner: FactorOwner,
  { factor, code }: PresentedFactor,
  find: (hash: Buffer | undefined, counter: AttemptCounter) => Promise<State | undefined>,
): Promise<ComparisonResult<State>> {
  const at = new Date(deps.clock.now());
  const kind = secondFactorKind(owner);
  const attempt = { owner, code, at };
  const hash = factor.lookupHash?.(deps, attempt);
  const factorState = await find(hash, { failed: kind, lockedUntil: (sql) => lockedUntil(sql, kind, at) });
  if (!factorState?.sealedSecret || factorState.lockedUntil) return { factorState, match: undefined };
  const consume = factor.match(deps, factorState, attempt, hash);
  const { userId } = owner;
  const allow = (sql: Sql, lockedUser = lockUser(sql, userId)) =>
    allowAttempt(sql, { userId, kind, at }, sql`from (${lockedUser}) locked_user`);
  return { factorState, match: consume && { allow, consume } };
}
