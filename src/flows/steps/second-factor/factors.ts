import { invalidInput } from "../../../base/invalid-input.ts";
import type { Refusal } from "../../../base/problem.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import type { SecondFactorKind } from "../../../vocabulary/assurance.ts";
import type { Factor } from "./factor.ts";
import { recoveryCodeFactor } from "./recovery-code-factor.ts";
import { totpFactor } from "./totp-factor.ts";

/** All second factors. A missing kind does not compile. */
const FACTORS = {
  totp: totpFactor,
  recovery_code: recoveryCodeFactor,
} satisfies Record<SecondFactorKind, Factor>;

const FACTOR_LIST: readonly Factor<FactorField>[] = Object.values(FACTORS);

export type FactorField = (typeof FACTORS)[SecondFactorKind]["field"];

/** The fields of a request body or form that a second factor can fill. */
export type SubmittedFactors = { readonly [Field in FactorField]?: string | undefined };

export interface PresentedFactor {
  readonly factor: Factor;
  readonly code: string;
}

const EXACTLY_ONE = `exactly one of ${FACTOR_LIST.map(({ field }) => field).join(" and ")}`;

/** Validates that exactly one factor is submitted (docs/contract.md, section 8.9). */
export function presentedFactor(submitted: SubmittedFactors): Result<PresentedFactor, Refusal<"invalid_input">> {
  const presented = FACTOR_LIST.flatMap((factor) => {
    const code = submitted[factor.field];
    return code === undefined ? [] : [{ factor, code }];
  });
  const [first] = presented;
  return first && presented.length === 1 ? ok(first) : err(invalidInput("body", "conflicting", EXACTLY_ONE));
}
