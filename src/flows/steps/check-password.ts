import { rateLimited } from "../../base/problem.ts";
import { ok, type Result, refuse } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";
import { normalizePassword } from "../../models/password/password.ts";
import { readStoredHash } from "../../models/password/stored-hash.ts";
import type { PoolRefusal } from "../../pool/protocol.ts";

/**
 * Compares a password, as it was typed, with a stored hash in the worker pool. Where there is no hash a dummy is verified, so that
 * the answer takes as long (promise 13). `payer`: the network that asks, so that a wave from few of them does not starve the others. Whoever made an imported hash may not have normalised, so what normalising changes is
 * compared both ways. Refuses with `rate_limited` when the pool is full or too slow.
 */
export async function verifyPassword(
  needs: Pick<Deps, "hashing" | "dummyHash">,
  typed: string,
  storedHash: string | null,
  payer: string,
): Promise<Result<boolean>> {
  const normalized = normalizePassword(typed);
  const matches = await compare(needs, normalized, storedHash, payer);
  return !matches.ok || matches.value || normalized === typed
    ? matches
    : await compare(needs, typed, storedHash, payer);
}

async function compare(
  needs: Pick<Deps, "hashing" | "dummyHash">,
  password: string,
  storedHash: string | null,
  payer: string,
): Promise<Result<boolean>> {
  const hash = readStoredHash(storedHash ?? needs.dummyHash);
  if (!hash) throw new Error("a stored password hash is of no form that is known");
  const answer = await needs.hashing.run({ kind: "verify", password, hash }, payer);
  if (answer.ok && answer.kind === "verify") return ok(storedHash !== null && answer.matches);
  return overloaded(needs, answer.ok ? "worker_died" : answer.code);
}

/** Hashes a new password with Argon2id at the configured cost. Refuses like `verifyPassword`. */
export async function hashPassword(
  needs: Pick<Deps, "hashing" | "config">,
  password: string,
  payer: string,
): Promise<Result<string>> {
  const answer = await needs.hashing.run({ kind: "hash", password, cost: needs.config.hashing.cost }, payer);
  if (answer.ok && answer.kind === "hash") return ok(answer.hash);
  return overloaded(needs, answer.ok ? "worker_died" : answer.code);
}

/**
 * Work that will have a password compared. What the pool would turn away anyway is refused before it has cost a statement. Refuses with
 * `rate_limited`, and as `work` does.
 */
export async function withHashingPlace<T>(
  needs: Pick<Deps, "hashing">,
  payer: string,
  work: () => Promise<Result<T>>,
): Promise<Result<T>> {
  const leave = needs.hashing.enter(payer);
  if (!leave) return overloaded(needs, "queue_full");
  try {
    return await work();
  } finally {
    leave();
  }
}

function overloaded(needs: Pick<Deps, "hashing">, code: PoolRefusal | "bad_hash"): Result<never> {
  if (code === "queue_full" || code === "deadline") {
    return refuse(rateLimited(needs.hashing.secondsToDrain(), `hashing pool: ${code}`));
  }
  throw new Error(`hashing failed: ${code}`);
}
