import type { Clock } from "../../base/clock.ts";
import type { Refusal } from "../../base/problem.ts";
import { ok, type Result } from "../../base/result.ts";
import { requireStepUp } from "../../flows/steps/sessions/step-up.ts";
import type { StepUpReason } from "../../vocabulary/assurance.ts";
import type { KeyCaller } from "./api-key.ts";
import type { Caller } from "./caller.ts";

/**
 * Requires the step-up that an endpoint declares. A program has no second factor: the user who created the key
 * presented a factor (docs/contract.md, section 25.3).
 */
export function checkStepUp(
  deps: { readonly clock: Clock },
  { stepUp }: { readonly stepUp?: StepUpReason },
  caller: Caller | KeyCaller | undefined,
): Result<void, Refusal<"mfa_required">> {
  if (stepUp === undefined || caller === undefined || caller.via === "key") return ok(undefined);
  return requireStepUp(deps, caller.session);
}
