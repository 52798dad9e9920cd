import type { Fragment, Sql } from "../../../database/database.ts";
import type { Cte } from "../../../database/statement.ts";
import type { SignInDeps } from "../../../deps.ts";
import type { OrganizationFactorState } from "../../../models/organization-factor/organization-factor.ts";
import type { SecondFactorState } from "../../../models/second-factor/second-factor.ts";
import type { SecondFactorKind } from "../../../vocabulary/assurance.ts";
import type { FactorOwner } from "../../../vocabulary/factor-owner.ts";

/** The values for the comparison with a factor of a user or of a member. */
export type FactorState = Pick<SecondFactorState, keyof OrganizationFactorState>;

/** A value that a user submits to pass a second factor, before the comparison. */
export interface FactorAttempt {
  readonly owner: FactorOwner;
  readonly code: string;
  readonly at: Date;
}

/** CTE fragment: consumes the factor if `allowed` has a row; one row for the first request. */
export type FactorConsumption = (sql: Sql, allowed: Cte | Fragment) => Fragment;

/** A kind of second factor. `Proof`: the part of a right value that the statement consumes. */
interface FactorDefinition<Field extends string, Proof> {
  /** Label of the metric `service.second_factor.attempts` and value of `factor` in the audit trail. */
  readonly kind: SecondFactorKind;
  /** Field of the request body (docs/contract.md, section 8.9) and of the form. */
  readonly field: Field;
  /** Hash of the submitted code, for a factor whose rows are found by hash. */
  readonly lookupHash?: (deps: SignInDeps, attempt: FactorAttempt) => Buffer;
  /** Compares in memory; undefined for a wrong value. */
  readonly compare: (
    deps: SignInDeps,
    state: FactorState,
    attempt: FactorAttempt,
    hash: Buffer | undefined,
  ) => Proof | undefined;
  /** CTE fragment: consumes the proof for a row of `from`; at most one request gets a row. */
  readonly consume: (sql: Sql, attempt: FactorAttempt, proof: Proof, from: Fragment) => Fragment;
}

export interface Factor<Field extends string = string>
  extends Pick<FactorDefinition<Field, unknown>, "kind" | "field" | "lookupHash"> {
  /** Returns the consumption of a matching value; undefined for a wrong value. */
  readonly match: (
    deps: SignInDeps,
    state: FactorState,
    attempt: FactorAttempt,
    hash: Buffer | undefined,
  ) => FactorConsumption | undefined;
}

/** Binds `compare` to `consume`, so that the table of factors needs no common type of proof. */
export function defineFactor<Field extends string, Proof>(definition: FactorDefinition<Field, Proof>): Factor<Field> {
  const { compare, consume, ...rest } = definition;
  return {
    ...rest,
    match: (deps, state, attempt, hash) => {
      const proof = compare(deps, state, attempt, hash);
      return proof === undefined ? undefined : (sql, allowed) => consume(sql, attempt, proof, sql`from ${allowed}`);
    },
  };
}
