import { rateLimited } from "../../base/problem.ts";
import { ok, type Result, refuse } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";
import type { PoolRefusal } from "../../pool/protocol.ts";

/**
 * Compares a password with a stored hash in the worker pool. Where there is no hash a dummy is verified, so that the answer
 * takes as long (promise 13). Refuses with `rate_limited` when the pool is full or too slow.
 */
export async function verifyPassword(
  needs: Pick<Deps, "hashing" | "dummyHash">,
  password: string,
  storedHash: string | null,
): Promise<Result<boolean>> {
  const answer = await needs.hashing.run({ kind: "verify", password, hash: storedHash ?? needs.dummyHash });
  if (answer.ok && answer.kind === "verify") return ok(storedHash !== null && answer.matches);
  return overloaded(needs, answer.ok ? "worker_died" : answer.code);
}

/** Hashes a new password with Argon2id at the configured cost. Refuses like `verifyPassword`. */
export async function hashPassword(needs: Pick<Deps, "hashing" | "config">, password: string): Promise<Result<string>> {
  const answer = await needs.hashing.run({ kind: "hash", password, cost: needs.config.hashing.cost });
  if (answer.ok && answer.kind === "hash") return ok(answer.hash);
  return overloaded(needs, answer.ok ? "worker_died" : answer.code);
}

function overloaded(needs: Pick<Deps, "hashing">, code: PoolRefusal | "bad_hash"): Result<never> {
  if (code === "queue_full" || code === "deadline") {
    return refuse(rateLimited(needs.hashing.secondsToDrain(), `hashing pool: ${code}`));
  }
  throw new Error(`hashing failed: ${code}`);
}
