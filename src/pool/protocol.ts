/** Every job that crosses to a worker thread, and its result. Plain data both ways: a thrown class would lose its code. */

export type HashJob =
  | { readonly kind: "hash"; readonly password: string; readonly cost: HashCost }
  | { readonly kind: "verify"; readonly password: string; readonly hash: string };

/** Argon2id (RFC 9106). */
export interface HashCost {
  readonly memoryKib: number;
  readonly time: number;
  readonly parallelism: number;
}

export type HashResult =
  | { readonly ok: true; readonly kind: "hash"; readonly hash: string }
  | { readonly ok: true; readonly kind: "verify"; readonly matches: boolean }
  | { readonly ok: false; readonly code: "bad_hash" };

export interface SignJob {
  readonly key: SigningKey;
  /** JWS signing inputs, each signed with RS256 (RFC 7518, section 3.3). */
  readonly inputs: readonly string[];
}

export interface SigningKey {
  readonly kid: string;
  readonly privateKeyPem: string;
}

export type SignResult =
  | { readonly ok: true; readonly signatures: readonly string[] }
  | { readonly ok: false; readonly code: "bad_key" };

/** Why a pool has no result: it is full, the job waited or ran too long, or it killed every worker that took it. */
export type PoolRefusal = "queue_full" | "deadline" | "worker_died";
