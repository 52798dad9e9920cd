import { ATTEMPT_WAIT_MS, ATTEMPT_WAIT_STEP_MS } from "../../base/limits.ts";
import { rateLimited } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";
import type { AttemptScope } from "../../state/state.ts";

type StepDeps = Pick<Deps, "state" | "clock">;

/**
 * Counts a password guess in every scope before it is compared, so that parallel guesses cannot outrun the limit (docs/architecture.md, rule 4).
 * `authentication_required` stays counted, any other outcome is given back. Without scopes nothing is counted. Refuses with
 * `rate_limited`, and otherwise as `compare` does.
 */
export async function limitPasswordGuesses<T>(
  deps: StepDeps,
  scopes: readonly AttemptScope[],
  compare: () => Promise<Result<T>>,
): Promise<Result<T>> {
  if (scopes.length === 0) return await compare();
  const claim = await claimAttempt(deps, scopes);
  if (!claim.ok) return claim;
  let failed = false;
  try {
    const outcome = await compare();
    failed = !outcome.ok && outcome.error.code === "authentication_required";
    return outcome;
  } finally {
    await deps.state.endClaim(scopes, failed);
  }
}

/** Guesses that are being compared at this moment may turn out right and give way, so it waits for those a while. */
async function claimAttempt(deps: StepDeps, scopes: readonly AttemptScope[]): Promise<Result<void>> {
  const giveUpAt = deps.clock.monotonic() + ATTEMPT_WAIT_MS;
  for (;;) {
    const claim = await deps.state.claim(scopes);
    if (claim.granted) return ok(undefined);
    if (claim.exhausted || deps.clock.monotonic() >= giveUpAt) {
      return err(
        rateLimited(claim.exhausted ? claim.retryAfterMs / 1000 : 1, "too many wrong passwords for this account"),
      );
    }
    await deps.clock.sleep(ATTEMPT_WAIT_STEP_MS);
  }
}
