import type { Refusal } from "../../../base/problem.ts";
import { ok, type Result } from "../../../base/result.ts";
import type { Deps } from "../../../deps.ts";
import type { AttemptScope, WindowCount } from "../../../state/state.ts";

/**
 * The limit that a request counts against, for a flow in which the state port counts it together with something else,
 * in one round trip.
 */
export interface Admission {
  readonly scope: AttemptScope;
  /** Reports the count to the caller of the flow. Refuses with `rate_limited` beyond the limit. */
  readonly counted: (window: WindowCount) => Result<void, Refusal<"rate_limited">>;
}

/** Counts a request by itself. Without an admission limits are off. */
export async function admit(
  { state }: Pick<Deps, "state">,
  admission: Admission | undefined,
): Promise<Result<void, Refusal<"rate_limited">>> {
  if (!admission) return ok(undefined);
  return admission.counted(await state.count(admission.scope.key, admission.scope.windowMs));
}
