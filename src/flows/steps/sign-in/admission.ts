import type { Refusal } from "../../../base/problem.ts";
import { ok, type Result } from "../../../base/result.ts";
import type { Deps } from "../../../deps.ts";
import type { AttemptScope, WindowCount } from "../../../state/state.ts";

/** The limit for a request of a flow in which the state port counts the request and an attempt in one round trip. */
export interface Admission {
  readonly scope: AttemptScope;
  /** Reports the count to the caller of the flow; `rate_limited` beyond the limit. */
  readonly counted: (window: WindowCount) => Result<void, Refusal<"rate_limited">>;
}

/** Counts a request alone. A missing admission means that limits are off. */
export async function admit(
  { state }: Pick<Deps, "state">,
  admission: Admission | undefined,
): Promise<Result<void, Refusal<"rate_limited">>> {
  if (!admission) return ok(undefined);
  return admission.counted(await state.count(admission.scope.key, admission.scope.windowMs));
}
