import { unixSeconds } from "../../base/clock.ts";
import type { Fragment, Sql } from "../../base/database.ts";
import { refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";
import { allowAttempt, lockedUntil } from "../../models/failed-attempt/failed-attempt.ts";
import { consumeRecoveryCode, hashRecoveryCode } from "../../models/recovery-code/recovery-code.ts";
import { findSecondFactorState, type SecondFactorState } from "../../models/second-factor/second-factor.ts";
import { consumeTotpStep, matchingStep, openSecret } from "../../models/totp/totp.ts";
import { lockUser } from "../../models/user/user.ts";

export type CompareDeps = Pick<Deps, "database" | "clock" | "sealing" | "codeKey" | "log">;

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
  /** What uses the factor up; `undefined`: it does not match. */
  readonly match: FactorMatch | undefined;
}

/** CTE fragments of the statement that a matching factor authorizes. */
export interface FactorMatch {
  /** `allowed`: one row unless the user has too many misses, looked at under lock. */
  readonly allow: (sql: Sql) => Fragment;
  /** `consumed`, after `allowed`: one row for the request that uses the factor first. */
  readonly consume: (sql: Sql) => Fragment;
}

/**
 * Reads what stands against the factor and compares in memory. The outcome is nobody's to see until `state.judge` has
 * counted it (docs/decisions/0006), and a match is none until its `consume` found a row: of two who show one code, one
 * does. Nothing is compared for a user who has too many misses.
 */
export async function compareSecondFactor(
  deps: CompareDeps,
  userId: string,
  factor: ShownFactor,
): Promise<ComparisonResult> {
  const hash = factor.kind === "recovery_code" ? hashRecoveryCode(deps.codeKey, userId, factor.code) : undefined;
  const at = new Date(deps.clock.now());
  const factorState = await deps.database.run("mfa.find_challenged", (sql) =>
    findSecondFactorState(sql, userId, hash, lockedUntil(sql, "second_factor", at)),
  );
  if (!factorState?.sealedSecret || factorState.lockedUntil) return { factorState, match: undefined };
  const consume = hash ? recoveryCodeUse(factorState, hash, at) : totpUse(deps, factorState, factor.code, at);
  const attempt = { userId, kind: "second_factor", at } as const;
  const allow = (sql: Sql) => allowAttempt(sql, attempt, sql`from (${lockUser(sql, userId)}) locked_user`);
  return { factorState, match: consume && { allow, consume } };
}

function recoveryCodeUse(
  { userId, recoveryCodeLive }: SecondFactorState,
  hash: Buffer,
  at: Date,
): FactorMatch["consume"] | undefined {
  return recoveryCodeLive ? (sql) => consumeRecoveryCode(sql, userId, hash, at, sql`from allowed`) : undefined;
}

function totpUse(
  deps: CompareDeps,
  { userId, sealedSecret, lastStep }: SecondFactorState,
  code: string,
  at: Date,
): FactorMatch["consume"] | undefined {
  const secret = sealedSecret && openTotpSecret(deps, userId, sealedSecret);
  const step = secret ? matchingStep(secret, code, unixSeconds(at.getTime()), lastStep) : undefined;
  return step === undefined ? undefined : (sql) => consumeTotpStep(sql, userId, step, sql`from allowed`);
}

/**
 * A secret that does not open matches no code. The operator must know: its user is locked out until the factor is
 * reset.
 */
export function openTotpSecret(
  { sealing, log }: Pick<Deps, "sealing" | "log">,
  userId: string,
  sealed: Buffer,
): string | undefined {
  const secret = openSecret(sealing, userId, sealed);
  if (secret === undefined) log.error({ user_id: userId }, "a TOTP secret does not open for its user: no code matches");
  return secret;
}
