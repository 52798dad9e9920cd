/** Nonces of an API for proofs of possession (RFC 9449, section 9), without a store. */
import { base64url } from "jose";

const WINDOW_MS = 120_000;

export interface ProofNonces {
  /** The nonce of the present window: every process with the secret gives the same nonce. */
  current(): Promise<string>;
  /** The end of a nonce of the present or the previous window (Unix ms); undefined for every other nonce. */
  expiryOf(nonce: string): Promise<number | undefined>;
}

/** `secret`: at least 32 random bytes, equal in all processes of the API. */
export function proofNonces(secret: Uint8Array, nowMs: () => number): ProofNonces {
  const key = crypto.subtle.importKey("raw", secret.slice(), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const known = new Map<number, Promise<string>>();

  async function sign(window: number): Promise<string> {
    const text = new TextEncoder().encode(`dpop nonce\n${window}`);
    return base64url.encode(new Uint8Array(await crypto.subtle.sign("HMAC", await key, text)));
  }

  function nonceOf(window: number): Promise<string> {
    const found = known.get(window) ?? sign(window);
    known.set(window, found);
    for (const other of known.keys()) if (other < window - 1) known.delete(other);
    return found;
  }

  const windowNow = () => Math.floor(nowMs() / WINDOW_MS);
  return {
    current: () => nonceOf(windowNow()),
    async expiryOf(nonce) {
      const present = windowNow();
      for (const window of [present, present - 1])
        if (nonce === (await nonceOf(window))) return (window + 2) * WINDOW_MS;
      return undefined;
    },
  };
}
