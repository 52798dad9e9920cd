import type { Clock } from "../../../base/clock.ts";
import type { Refusal } from "../../../base/problem.ts";
import { ok, type Result } from "../../../base/result.ts";
import { requireStepUp } from "../sessions/step-up.ts";
import type { Principal } from "./authorize-platform-role.ts";

/**
 * Requires a step-up of a user. A program has no second factor: the scopes were granted with a step-up of the user who
 * created its key (docs/contract.md, section 35.2).
 */
export function requirePersonalStepUp(
  deps: { readonly clock: Clock },
  principal: Principal,
): Result<void, Refusal<"mfa_required">> {
  return "key" in principal ? ok(undefined) : requireStepUp(deps, principal.session);
}
