import { unixSeconds } from "../../../base/clock.ts";
import { invalidInput } from "../../../base/invalid-input.ts";
import type { Refusal } from "../../../base/problem.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import type { Fragment, Sql } from "../../../database/database.ts";
import type { Cte } from "../../../database/statement.ts";
import type { Deps } from "../../../deps.ts";
import { allowAttempt, lockedUntil } from "../../../models/failed-attempt/failed-attempt.ts";
import { consumeRecoveryCode, hashRecoveryCode } from "../../../models/recovery-code/recovery-code.ts";
import { findSecondFactorState, type SecondFactorState } from "../../../models/second-factor/second-factor.ts";
import { consumeTotpStep, matchingStep, openSecret } from "../../../models/totp/totp.ts";
import { lockUser } from "../../../models/user/user.ts";

export type CompareDeps = Pick<Deps, "database" | "clock" | "sealing" | "codeKey" | "log">;

/** A code of the authenticator app, or a recovery code. */
export type PresentedFactor =
  | { readonly kind: "totp"; readonly code: string }
  | { readonly kind: "recovery_code"; readonly code: string };

/** Validates that exactly one of the two is given (docs/contract.md, section 8.9). Refuses with `invalid_input`. */
export function presentedFactor(
  code: string | undefined,
  recoveryCode: string | undefined,
): Result<PresentedFactor, Refusal<"invalid_input">> {
  if (code !== undefined && recoveryCode === undefined) return ok({ kind: "totp", code });
  if (code === undefined && recoveryCode !== undefined) return ok({ kind: "recovery_code", code: recoveryCode });
  return err(invalidInput("body", "conflicting", "exactly one of code and recovery_code"));
}

export interface ComparisonResult {
  readonly factorState: SecondFactorState | undefined;
  /** Undefined when the factor does not match. */
  readonly match: FactorMatch | undefined;
}

/** CTE fragments of the statement that a matching factor authorizes. */
export interface FactorMatch {
  /** One row unless the user has too many misses, checked under lock. `lockedUser`: locks the user; default: always. */
  readonly allow: (sql: Sql, lockedUser?: Fragment) => Fragment;
  /** One row for the first request that consumes the factor, if `allowed`, the CTE of `allow`, has a row. */
  readonly consume: (sql: Sql, allowed: Cte | Fragment) => Fragment;
}

/**
 * Reads the user's second factor and compares in memory. The result must not reach the client before
 * `state.recordAttempt` has counted it (docs/decisions/0006), and a match is valid only once its `consume` has returned
 * a row, which one of several requests with the same code gets. Compares nothing for a user who has too many misses.
 */
export async function compareSecondFactor(
  deps: CompareDeps,
  userId: string,
  factor: PresentedFactor,
): Promise<ComparisonResult> {
  const hash = factor.kind === "recovery_code" ? hashRecoveryCode(deps.codeKey, userId, factor.code) : undefined;
  const at = new Date(deps.clock.now());
  const factorState = await deps.database.run("mfa.find_challenged", (sql) =>
    findSecondFactorState(sql, userId, hash, lockedUntil(sql, "second_factor", at)),
  );
  if (!factorState?.sealedSecret || factorState.lockedUntil) return { factorState, match: undefined };
  const consume = hash
    ? recoveryCodeConsumption(factorState, hash, at)
    : totpConsumption(deps, factorState, factor.code, at);
  const attempt = { userId, kind: "second_factor", at } as const;
  const allow = (sql: Sql, lockedUser = lockUser(sql, userId)) =>
    allowAttempt(sql, attempt, sql`from (${lockedUser}) locked_user`);
  return { factorState, match: consume && { allow, consume } };
}

function recoveryCodeConsumption(
  { userId, recoveryCodeLive }: SecondFactorState,
  hash: Buffer,
  at: Date,
): FactorMatch["consume"] | undefined {
  return recoveryCodeLive
    ? (sql, allowed) => consumeRecoveryCode(sql, userId, hash, at, sql`from ${allowed}`)
    : undefined;
}

function totpConsumption(
  deps: CompareDeps,
  { userId, sealedSecret, lastStep }: SecondFactorState,
  code: string,
  at: Date,
): FactorMatch["consume"] | undefined {
  const secret = sealedSecret && openTotpSecret(deps, userId, sealedSecret);
  const step = secret ? matchingStep(secret, code, unixSeconds(at.getTime()), lastStep) : undefined;
  return step === undefined ? undefined : (sql, allowed) => consumeTotpStep(sql, userId, step, sql`from ${allowed}`);
}

/**
 * Opens a sealed TOTP secret; undefined where that fails. It is logged, because then no code matches and the user
 * cannot sign in until the factor is reset.
 */
export function openTotpSecret(
  { sealing, log }: Pick<Deps, "sealing" | "log">,
  userId: string,
  sealed: Buffer,
): string | undefined {
  const secret = openSecret(sealing, userId, sealed);
  if (secret === undefined)
    log.error({ user_id: userId }, "a sealed TOTP secret cannot be opened for its user; no code matches");
  return secret;
}
