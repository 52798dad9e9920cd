import { type Refusal, rateLimited } from "../../../base/problem.ts";
import type { RequestContext } from "../../../base/request-context.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import type { Deps, SignInDeps } from "../../../deps.ts";
import { readStoredHash } from "../../../models/password/hash-encoding.ts";
import { normalizePassword } from "../../../models/password/password.ts";
import type { HashPool } from "../../../pool/pool.ts";
import type { PoolRefusal } from "../../../pool/protocol.ts";

type PoolResult<T> = Result<T, Refusal<"rate_limited">>;

export interface PasswordComparison {
  readonly matches: boolean;
  /** The number of verifications of the typed password, for any result: one, or two if NFKC changes the password. */
  readonly count: number;
  /** Milliseconds of verification in total, without the time in the queue. */
  readonly tookMs: number;
}

/**
 * Compares a password, as typed, with a stored hash in the worker pool. Without a hash a dummy is verified, so that the
 * response takes as long (G13; see `failureDelay`). `fairnessKey`: the client's network, so that many requests from few
 * networks do not starve other networks. The origin system of an imported hash may not have applied NFKC, so a password
 * that NFKC changes is compared in both forms. `rate_limited` means a full or too slow pool.
 */
export async function comparePassword(
  deps: SignInDeps,
  typed: string,
  storedHash: string | null,
  fairnessKey: string,
): Promise<PoolResult<PasswordComparison>> {
  const normalized = normalizePassword(typed);
  const first = await compare(deps, normalized, storedHash, fairnessKey);
  if (!first.ok || normalized === typed) return first;
  if (first.value.matches) return ok({ ...first.value, count: 2 });
  const second = await compare(deps, typed, storedHash, fairnessKey);
  if (!second.ok) return second;
  return ok({ ...second.value, count: 2, tookMs: first.value.tookMs + second.value.tookMs });
}

/** Returns whether a password matches, for a caller whose account is known and has a hash. */
export async function verifyPassword(
  deps: SignInDeps,
  typed: string,
  storedHash: string,
  fairnessKey: string,
): Promise<PoolResult<boolean>> {
  const compared = await comparePassword(deps, typed, storedHash, fairnessKey);
  return compared.ok ? ok(compared.value.matches) : compared;
}

async function compare(
  deps: SignInDeps,
  password: string,
  storedHash: string | null,
  fairnessKey: string,
): Promise<PoolResult<PasswordComparison>> {
  const hash = readStoredHash(storedHash ?? deps.dummyHash);
  if (!hash) throw new Error("a stored password hash has an unknown form");
  const response = await deps.hashing.run({ kind: "verify", password, hash }, fairnessKey);
  if (!response.ok || response.kind !== "verify") return overloaded(deps, response.ok ? "worker_died" : response.code);
  const { matches, tookMs } = response;
  deps.passwordCosts.observe(storedHash ?? deps.dummyHash, tookMs);
  return ok({ matches: storedHash !== null && matches, count: 1, tookMs });
}

/** Hashes a new password with Argon2id at the configured cost. */
export async function hashPassword(
  deps: Pick<Deps, "hashing" | "config">,
  password: string,
  fairnessKey: string,
): Promise<PoolResult<string>> {
  const job = { kind: "hash", password, cost: deps.config.hashing.cost } as const;
  return hashedOf(deps, await deps.hashing.run(job, fairnessKey));
}

/** As `hashPassword`; the passwords that a program sets are hashed one at a time, behind every sign-in. */
export async function hashPasswordFor(
  deps: Pick<Deps, "hashing" | "config">,
  password: string,
  { network, programId }: RequestContext,
): Promise<PoolResult<string>> {
  if (programId === undefined) return await hashPassword(deps, password, network);
  const job = { kind: "hash", password, cost: deps.config.hashing.cost } as const;
  return hashedOf(deps, await deps.hashing.runBehind(job, programId));
}

function hashedOf(deps: Pick<Deps, "hashing">, response: Awaited<ReturnType<HashPool["run"]>>): PoolResult<string> {
  if (response.ok && response.kind === "hash") return ok(response.hash);
  return overloaded(deps, response.ok ? "worker_died" : response.code);
}

/**
 * Admission control of the hash pool, for a request that will compare a password: a full pool refuses the request
 * before the first statement. Disposal releases the slot.
 */
export function acquireHashSlot(deps: Pick<Deps, "hashing">, fairnessKey: string): PoolResult<Disposable> {
  const release = deps.hashing.admit(fairnessKey);
  return release ? ok({ [Symbol.dispose]: release }) : overloaded(deps, "queue_full");
}

function overloaded(deps: Pick<Deps, "hashing">, code: PoolRefusal | "bad_hash"): PoolResult<never> {
  if (code === "queue_full" || code === "deadline") {
    const bound = code === "queue_full" ? "hash_queue" : "hash_deadline";
    const counters = { waiting_jobs: deps.hashing.queued, workers: deps.hashing.workers };
    return err(rateLimited(bound, deps.hashing.secondsToDrain(), `hashing pool: ${code}`, { counters }));
  }
  throw new Error(`hashing failed: ${code}`);
}
