import { type Counters, type Refusal, rateLimited } from "../../../base/problem.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import type { EmailDeps } from "../../../deps.ts";
import { ATTEMPT_WAIT_MS, ATTEMPT_WAIT_STEP_MS } from "../../../limits/state-limits.ts";
import type { AttemptScope } from "../../../state/state.ts";
import type { Admission } from "./admission.ts";

/** A guess counted in advance. Disposal releases the count, unless the guess was reported as wrong. */
export interface PasswordGuess extends AsyncDisposable {
  reportWrong(): void;
}

/**
 * Counts a password guess in every scope before the comparison, so that parallel guesses cannot exceed the limit
 * (docs/architecture.md, rule 4). In the same round trip the request counts against `admission`. Without scopes no
 * guess is counted.
 */
export async function claimPasswordGuess(
  deps: EmailDeps,
  scopes: readonly AttemptScope[],
  admission?: Admission,
): Promise<Result<PasswordGuess, Refusal<"rate_limited">>> {
  const claim = scopes.length === 0 ? ok(undefined) : await claimAttempt(deps, scopes, admission);
  if (!claim.ok) return claim;
  let wrong = false;
  return ok({
    reportWrong() {
      wrong = true;
    },
    async [Symbol.asyncDispose]() {
      if (scopes.length > 0) await endGuess(deps, scopes, wrong);
    },
  });
}

/**
 * The response waits for the count of a wrong guess, so that the next guess meets the reached limit and not pending
 * guesses. The response does not wait for the release of a right guess: a late or lost release only makes the limit
 * stricter, until the window ends. A draining replica waits for the release (telemetry/background.ts).
 */
async function endGuess(
  { state, background }: EmailDeps,
  scopes: readonly AttemptScope[],
  wrong: boolean,
): Promise<void> {
  if (wrong || !background.hasRoom()) return await state.endClaim(scopes, wrong);
  void background.run("release a password guess", () => state.endClaim(scopes, false));
}

/** Waits up to `ATTEMPT_WAIT_MS` while guesses under comparison fill the limit: a right guess is released. */
async function claimAttempt(
  deps: EmailDeps,
  scopes: readonly AttemptScope[],
  admission: Admission | undefined,
): Promise<Result<void, Refusal<"rate_limited">>> {
  const giveUpAt = deps.clock.monotonic() + ATTEMPT_WAIT_MS;
  let claim = await deps.state.claim(scopes, admission?.scope);
  const admitted = claim.admission && admission?.counted(claim.admission);
  if (admitted && !admitted.ok) return admitted;
  while (claim.outcome === "pending" && deps.clock.monotonic() < giveUpAt) {
    await deps.clock.sleep(ATTEMPT_WAIT_STEP_MS);
    claim = await deps.state.claim(scopes);
  }
  if (claim.outcome === "granted") return ok(undefined);
  const retryAfterSeconds = claim.outcome === "exhausted" ? claim.retryAfterMs / 1000 : 1;
  const cause =
    claim.outcome === "exhausted" ? "too many wrong passwords for this account" : "guesses under comparison";
  return err(rateLimited("password_guesses", retryAfterSeconds, cause, { counters: limitsOf(scopes) }));
}

/** Returns the limits of the scopes: the account with this network, and the account with all networks. */
function limitsOf(scopes: readonly AttemptScope[]): Counters {
  return Object.fromEntries(
    scopes.flatMap(({ limit, windowMs }, index) => [
      [`limit_${index + 1}`, limit],
      [`limit_${index + 1}_window_seconds`, windowMs / 1000],
    ]),
  );
}
