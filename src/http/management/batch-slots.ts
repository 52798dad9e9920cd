/** The batches of users that a replica stores at once (docs/contract.md, section 36.1). */
import { type Refusal, rateLimited } from "../../base/problem.ts";
import { err, type Result } from "../../base/result.ts";
import { USER_BATCHES_PER_CALLER_MAX, USER_BATCHES_RETRY_AFTER_SECONDS } from "../../limits/management-limits.ts";

const NO_SLOT = err(rateLimited("user_batches", USER_BATCHES_RETRY_AFTER_SECONDS, "all slots of batches of a caller"));

/** Counts the running batches of each caller: one program with many batches does not occupy the connections. */
export class BatchSlots {
  readonly #running = new Map<string, number>();

  /** Runs a batch in a slot of the caller. `callerId`: of the service account, or of the user. */
  async run<T, E extends Refusal>(
    callerId: string,
    work: () => Promise<Result<T, E>>,
  ): Promise<Result<T, E | Refusal<"rate_limited">>> {
    const running = this.#running.get(callerId) ?? 0;
    if (running >= USER_BATCHES_PER_CALLER_MAX) return NO_SLOT;
    this.#running.set(callerId, running + 1);
    try {
      return await work();
    } finally {
      const left = (this.#running.get(callerId) ?? 1) - 1;
      if (left > 0) this.#running.set(callerId, left);
      else this.#running.delete(callerId);
    }
  }
}
