import { rateLimited } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";
import { normalizePassword } from "../../models/password/password.ts";
import { readStoredHash } from "../../models/password/stored-hash.ts";
import type { PoolRefusal } from "../../pool/protocol.ts";

type CompareDeps = Pick<Deps, "hashing" | "dummyHash" | "passwordCosts">;

export interface PasswordComparison {
  readonly matches: boolean;
  /** How many verifications the typed password asks for, whatever came of them: one, or two where normalising changes it. */
  readonly count: number;
  /** What they took in all, without what they waited. */
  readonly tookMs: number;
}

/**
 * Compares a password, as it was typed, with a stored hash in the worker pool. Where there is no hash a dummy is verified, so that
 * the answer takes as long (promise 13; see `failureDelay`). `fairnessKey`: the network that asks, so that a wave from few of them does not
 * starve the others. Whoever made an imported hash may not have normalised, so what normalising changes is compared both ways. Refuses
 * with `rate_limited` when the pool is full or too slow.
 */
export async function comparePassword(
  deps: CompareDeps,
  typed: string,
  storedHash: string | null,
  fairnessKey: string,
): Promise<Result<PasswordComparison>> {
  const normalized = normalizePassword(typed);
  const first = await compare(deps, normalized, storedHash, fairnessKey);
  if (!first.ok || normalized === typed) return first;
  if (first.value.matches) return ok({ ...first.value, count: 2 });
  const second = await compare(deps, typed, storedHash, fairnessKey);
  if (!second.ok) return second;
  return ok({ ...second.value, count: 2, tookMs: first.value.tookMs + second.value.tookMs });
}

/** The same for somebody whose account is known anyway: whether the password is right. */
export async function verifyPassword(
  deps: CompareDeps,
  typed: string,
  storedHash: string,
  fairnessKey: string,
): Promise<Result<boolean>> {
  const compared = await comparePassword(deps, typed, storedHash, fairnessKey);
  return compared.ok ? ok(compared.value.matches) : compared;
}

async function compare(
  deps: CompareDeps,
  password: string,
  storedHash: string | null,
  fairnessKey: string,
): Promise<Result<PasswordComparison>> {
  const hash = readStoredHash(storedHash ?? deps.dummyHash);
  if (!hash) throw new Error("a stored password hash is of no form that is known");
  const answer = await deps.hashing.run({ kind: "verify", password, hash }, fairnessKey);
  if (!answer.ok || answer.kind !== "verify") return overloaded(deps, answer.ok ? "worker_died" : answer.code);
  const { matches, tookMs } = answer;
  deps.passwordCosts.observe(storedHash ?? deps.dummyHash, tookMs);
  return ok({ matches: storedHash !== null && matches, count: 1, tookMs });
}

/** Hashes a new password with Argon2id at the configured cost. Refuses like `verifyPassword`. */
export async function hashPassword(
  deps: Pick<Deps, "hashing" | "config">,
  password: string,
  fairnessKey: string,
): Promise<Result<string>> {
  const answer = await deps.hashing.run({ kind: "hash", password, cost: deps.config.hashing.cost }, fairnessKey);
  if (answer.ok && answer.kind === "hash") return ok(answer.hash);
  return overloaded(deps, answer.ok ? "worker_died" : answer.code);
}

/**
 * Work that will have a password compared. What the pool would turn away anyway is refused before it has cost a statement. Refuses with
 * `rate_limited`, and as `work` does.
 */
export async function acquireHashSlot<T>(
  deps: Pick<Deps, "hashing">,
  fairnessKey: string,
  work: () => Promise<Result<T>>,
): Promise<Result<T>> {
  const leave = deps.hashing.admit(fairnessKey);
  if (!leave) return overloaded(deps, "queue_full");
  try {
    return await work();
  } finally {
    leave();
  }
}

function overloaded(deps: Pick<Deps, "hashing">, code: PoolRefusal | "bad_hash"): Result<never> {
  if (code === "queue_full" || code === "deadline") {
    return err(rateLimited(deps.hashing.secondsToDrain(), `hashing pool: ${code}`));
  }
  throw new Error(`hashing failed: ${code}`);
}
