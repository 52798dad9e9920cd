/** Pairs of key and `jti` that were used, until the proof is too old to be accepted. */
export interface ProofReplays {
  /** `full`: the bound is reached; a live pair is never forgotten for a new pair. */
  record(pair: string, expiresAtMs: number): "first" | "replayed" | "full";
}

/** Pairs that expire in one interval are dropped together. */
const INTERVAL_MS = 10_000;

/** A repeated proof has an equal expiry, and is found in one interval. */
export function proofReplays(max: number, nowMs: () => number): ProofReplays {
  const intervals = new Map<number, Set<string>>();
  let size = 0;
  let cleanedAt = 0;

  function dropExpired(): void {
    const present = Math.floor(nowMs() / INTERVAL_MS);
    if (present === cleanedAt) return;
    cleanedAt = present;
    for (const [interval, pairs] of intervals) {
      if (interval >= present) continue;
      intervals.delete(interval);
      size -= pairs.size;
    }
  }

  return {
    record(pair, expiresAtMs) {
      dropExpired();
      const interval = Math.floor(expiresAtMs / INTERVAL_MS);
      const pairs = intervals.get(interval) ?? new Set();
      if (pairs.has(pair)) return "replayed";
      if (size >= max) return "full";
      intervals.set(interval, pairs.add(pair));
      size += 1;
      return "first";
    },
  };
}
