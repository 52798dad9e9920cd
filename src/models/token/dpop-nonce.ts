/** Nonces of the service in proofs of possession (RFC 9449, section 8). */
import { createHmac } from "node:crypto";
import { DPOP_NONCE_WINDOW_MS } from "../../limits/oauth-limits.ts";

/**
 * Where the first use of a proof with the nonce is decided. The nonce names the store, so that every replica decides
 * about a proof in one store, whichever replicas reach Redis.
 */
export type NonceStore = "database" | "redis";

const LABELS: Readonly<Record<NonceStore, string>> = { redis: "dpop nonce", database: "dpop nonce of the database" };

/** The nonce of the present window: equal on every replica, and unknown before the window begins. */
export function currentNonce(key: Buffer, nowMs: number, store: NonceStore): string {
  return nonceOf(key, windowOf(nowMs), store);
}

/** The store of a nonce from the present or the previous window; undefined for any other text. */
export function storeOfNonce(key: Buffer, nowMs: number, nonce: string): NonceStore | undefined {
  const window = windowOf(nowMs);
  const isOf = (store: NonceStore) =>
    nonce === nonceOf(key, window, store) || nonce === nonceOf(key, window - 1, store);
  return (["redis", "database"] as const).find(isOf);
}

function windowOf(nowMs: number): number {
  return Math.floor(nowMs / DPOP_NONCE_WINDOW_MS);
}

function nonceOf(key: Buffer, window: number, store: NonceStore): string {
  return createHmac("sha256", key).update(`${LABELS[store]}\n${window}`).digest("base64url");
}
