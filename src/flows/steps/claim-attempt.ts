import { ATTEMPT_WAIT_MS, ATTEMPT_WAIT_STEP_MS } from "../../base/limits.ts";
import { rateLimited } from "../../base/problem.ts";
import { ok, type Result, refuse } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";
import type { AttemptScope } from "../../state/state.ts";

/**
 * Claims one guess before it is compared, so that parallel guesses cannot outrun the limit (house rule 4). Guesses that are
 * being compared at this moment may turn out right and give way, so it waits for those a while; failures do not.
 * Refuses with `rate_limited`.
 */
export async function claimAttempt(
  needs: Pick<Deps, "state" | "clock">,
  scopes: readonly AttemptScope[],
): Promise<Result<void>> {
  const giveUpAt = needs.clock.monotonic() + ATTEMPT_WAIT_MS;
  for (;;) {
    const claim = await needs.state.claim(scopes);
    if (claim.granted) return ok(undefined);
    if (claim.exhausted || needs.clock.monotonic() >= giveUpAt) {
      return refuse(
        rateLimited(claim.exhausted ? claim.retryAfterMs / 1000 : 1, "too many wrong passwords for this account"),
      );
    }
    await Bun.sleep(ATTEMPT_WAIT_STEP_MS);
  }
}
