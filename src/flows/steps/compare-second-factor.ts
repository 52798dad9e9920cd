import { unixSeconds } from "../../base/clock.ts";
import type { Fragment, Sql } from "../../base/database.ts";
import { refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";
import { consumeRecoveryCode, hashRecoveryCode } from "../../models/recovery-code/recovery-code.ts";
import { findSecondFactorState, type SecondFactorState } from "../../models/second-factor/second-factor.ts";
import { consumeTotpStep, matchingStep, openSecret } from "../../models/totp/totp.ts";

export type CompareDeps = Pick<Deps, "database" | "clock" | "sealing" | "codeKey">;

/** What the client shows: a code of the authenticator app, or one of the recovery codes. */
export type ShownFactor =
  | { readonly kind: "totp"; readonly code: string }
  | { readonly kind: "recovery_code"; readonly code: string };

/** Exactly one of the two (contract, section 4.3). Refuses with `invalid_input`. */
export function shownFactor(code: string | undefined, recoveryCode: string | undefined): Result<ShownFactor> {
  if (code !== undefined && recoveryCode === undefined) return ok({ kind: "totp", code });
  if (code === undefined && recoveryCode !== undefined) return ok({ kind: "recovery_code", code: recoveryCode });
  return err(refusal("invalid_input", "body: exactly one of code and recovery_code"));
}

export interface ComparisonResult {
  readonly factorState: SecondFactorState | undefined;
  /** A part of the statement that the factor pays for, which uses it up; `undefined`: it does not match. */
  readonly consume: ((sql: Sql) => Fragment) | undefined;
}

/**
 * Reads what stands against the factor and compares in memory. The outcome is nobody's to see until `state.judge` has counted it
 * (docs/decisions/0006), and a match is none until its `consume` found a row: of two who show one code, one does.
 */
export async function compareSecondFactor(
  deps: CompareDeps,
  userId: string,
  factor: ShownFactor,
): Promise<ComparisonResult> {
  const hash = factor.kind === "recovery_code" ? hashRecoveryCode(deps.codeKey, userId, factor.code) : undefined;
  const factorState = await deps.database.run("mfa.find_challenged", (sql) => findSecondFactorState(sql, userId, hash));
  if (!factorState?.sealedSecret) return { factorState, consume: undefined };
  const now = deps.clock.now();
  if (hash) {
    const consume = (sql: Sql) => consumeRecoveryCode(sql, userId, hash, new Date(now));
    return { factorState, consume: factorState.recoveryCodeLive ? consume : undefined };
  }
  const secret = openSecret(deps.sealing, userId, factorState.sealedSecret);
  const step = matchingStep(secret, factor.code, unixSeconds(now), factorState.lastStep);
  return { factorState, consume: step === undefined ? undefined : (sql) => consumeTotpStep(sql, userId, step) };
}
