import { ATTEMPT_WAIT_MS, ATTEMPT_WAIT_STEP_MS } from "../../base/limits.ts";
import { type Refusal, rateLimited } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";
import type { AttemptScope } from "../../state/state.ts";

type StepDeps = Pick<Deps, "state" | "clock">;

/** A guess that was counted in advance. Disposal takes the count back, unless the guess was reported as wrong. */
export interface PasswordGuess extends AsyncDisposable {
  reportWrong(): void;
}

/**
 * Counts a password guess in every scope before it is compared, so that parallel guesses cannot exceed the limit
 * (docs/architecture.md, rule 4). Without scopes nothing is counted. Refuses with `rate_limited`.
 */
export async function claimPasswordGuess(
  deps: StepDeps,
  scopes: readonly AttemptScope[],
): Promise<Result<PasswordGuess, Refusal<"rate_limited">>> {
  const claim = scopes.length === 0 ? ok(undefined) : await claimAttempt(deps, scopes);
  if (!claim.ok) return claim;
  let wrong = false;
  return ok({
    reportWrong() {
      wrong = true;
    },
    async [Symbol.asyncDispose]() {
      if (scopes.length > 0) await deps.state.endClaim(scopes, wrong);
    },
  });
}

/** Waits up to `ATTEMPT_WAIT_MS` while the limit is filled by guesses under comparison: a right one is given back. */
async function claimAttempt(
  deps: StepDeps,
  scopes: readonly AttemptScope[],
): Promise<Result<void, Refusal<"rate_limited">>> {
  const giveUpAt = deps.clock.monotonic() + ATTEMPT_WAIT_MS;
  for (;;) {
    const claim = await deps.state.claim(scopes);
    if (claim.granted) return ok(undefined);
    if (claim.exhausted || deps.clock.monotonic() >= giveUpAt) {
      const retryAfterSeconds = claim.exhausted ? claim.retryAfterMs / 1000 : 1;
      return err(rateLimited(retryAfterSeconds, "too many wrong passwords for this account"));
    }
    await deps.clock.sleep(ATTEMPT_WAIT_STEP_MS);
  }
}
