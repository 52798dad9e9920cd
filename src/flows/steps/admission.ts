import { ok, type Result } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";
import type { AttemptScope, WindowCount } from "../../state/state.ts";

/**
 * The limit that a request counts against, for a flow that has the state port count it together with something else: one round
 * trip instead of two.
 */
export interface Admission {
  readonly scope: AttemptScope;
  /** Notes the count for the answer's headers. Refuses with `rate_limited` beyond the limit. */
  readonly counted: (window: WindowCount) => Result<void>;
}

/** Counts by itself, on the ways that have nothing to count it with. Without an admission (limits are off) all may pass. */
export async function admit({ state }: Pick<Deps, "state">, admission: Admission | undefined): Promise<Result<void>> {
  if (!admission) return ok(undefined);
  return admission.counted(await state.count(admission.scope.key, admission.scope.windowMs));
}
