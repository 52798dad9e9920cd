/** Nonces of the service in proofs of possession (RFC 9449, section 8). */
import { createHmac } from "node:crypto";
import { DPOP_NONCE_WINDOW_MS } from "../../limits/oauth-limits.ts";

/** The nonce of the present window: equal on every replica, and unknown before the window begins. */
export function currentNonce(key: Buffer, nowMs: number): string {
  return nonceOf(key, windowOf(nowMs));
}

/** Whether a nonce is from the present or the previous window. */
export function isLiveNonce(key: Buffer, nowMs: number, nonce: string): boolean {
  const window = windowOf(nowMs);
  return nonce === nonceOf(key, window) || nonce === nonceOf(key, window - 1);
}

function windowOf(nowMs: number): number {
  return Math.floor(nowMs / DPOP_NONCE_WINDOW_MS);
}

function nonceOf(key: Buffer, window: number): string {
  return createHmac("sha256", key).update(`dpop nonce\n${window}`).digest("base64url");
}
