import { unixSeconds } from "../../base/clock.ts";
import type { Fragment, Sql } from "../../base/database.ts";
import { problem } from "../../base/problem.ts";
import { ok, type Result, refuse } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";
import { hashRecoveryCode, takeRecoveryCode } from "../../models/recovery-code/recovery-code.ts";
import { type Challenged, findChallenged } from "../../models/second-factor/second-factor.ts";
import { matchingStep, openSecret, takeTotpStep } from "../../models/totp/totp.ts";

export type CompareNeeds = Pick<Deps, "database" | "clock" | "sealing" | "codeKey">;

/** What the client shows: a code of the authenticator app, or one of the recovery codes. */
export type ShownFactor =
  | { readonly kind: "totp"; readonly code: string }
  | { readonly kind: "recovery_code"; readonly code: string };

/** Exactly one of the two (contract, section 4.3). Refuses with `invalid_input`. */
export function shownFactor(code: string | undefined, recoveryCode: string | undefined): Result<ShownFactor> {
  if (code !== undefined && recoveryCode === undefined) return ok({ kind: "totp", code });
  if (code === undefined && recoveryCode !== undefined) return ok({ kind: "recovery_code", code: recoveryCode });
  return refuse(problem("invalid_input", "body: exactly one of code and recovery_code"));
}

export interface Compared {
  readonly challenged: Challenged | undefined;
  /** A part of the statement that the factor pays for, which uses it up; `undefined`: it does not match. */
  readonly take: ((sql: Sql) => Fragment) | undefined;
}

/**
 * Reads what stands against the factor and compares in memory. The outcome is nobody's to see until `state.judge` has counted it
 * (docs/decisions/0006), and a match is none until its `take` found a row: of two who show one code, one does.
 */
export async function compareSecondFactor(needs: CompareNeeds, userId: string, factor: ShownFactor): Promise<Compared> {
  const hash = factor.kind === "recovery_code" ? hashRecoveryCode(needs.codeKey, userId, factor.code) : undefined;
  const challenged = await needs.database.run("mfa.find_challenged", (sql) => findChallenged(sql, userId, hash));
  if (!challenged?.sealedSecret) return { challenged, take: undefined };
  const now = needs.clock.now();
  if (hash) {
    const take = (sql: Sql) => takeRecoveryCode(sql, userId, hash, new Date(now));
    return { challenged, take: challenged.recoveryCodeLive ? take : undefined };
  }
  const secret = openSecret(needs.sealing, userId, challenged.sealedSecret);
  const step = matchingStep(secret, factor.code, unixSeconds(now), challenged.lastStep);
  return { challenged, take: step === undefined ? undefined : (sql) => takeTotpStep(sql, userId, step) };
}
