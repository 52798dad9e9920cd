export interface BackoffBounds {
  readonly minMs: number;
  readonly maxMs: number;
}

/** The pause after a failed attempt in milliseconds: exponential, from `minMs` after the first failure to `maxMs`. */
export function backoffMs(attempts: number, { minMs, maxMs }: BackoffBounds): number {
  return Math.min(minMs * 2 ** (attempts - 1), maxMs);
}
