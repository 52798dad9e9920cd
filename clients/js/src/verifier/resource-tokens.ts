/** Verified access tokens of an API, cached in a bound. */
import { BoundedMap } from "./bounded-map.ts";
import { sha256 } from "./proof.ts";
import type { RefusalCode } from "./refusal.ts";
import { type ResourceTokenContext, type VerifiedResourceToken, verifyResourceToken } from "./resource-token.ts";

export interface CachedToken extends VerifiedResourceToken {
  /** Monotonic milliseconds. */
  readonly expiresAt: number;
  /** The hash of the token in proofs of possession, for bound tokens. */
  readonly hash: string | undefined;
}

export interface ResourceTokens {
  find(token: string): Promise<CachedToken | RefusalCode>;
}

/** `now`: monotonic milliseconds. */
export function resourceTokens(
  context: Omit<ResourceTokenContext, "nowMs">,
  max: number,
  now: () => number,
): ResourceTokens {
  const verified = new BoundedMap<string, CachedToken>(max);

  /** The key may have been withdrawn since: a leaked key may have signed a forged token. */
  async function validateCached(token: CachedToken): Promise<CachedToken | RefusalCode> {
    if (token.claims.exp * 1000 <= Date.now() || token.expiresAt <= now()) return "expired_token";
    const key = await context.keys.find(token.kid);
    if (key === "unavailable") return "cannot_tell";
    return key === "unknown" ? "invalid_token" : token;
  }

  return {
    async find(token) {
      const known = verified.get(token);
      if (known) return await validateCached(known);
      const found = await verifyResourceToken(token, { ...context, nowMs: Date.now() });
      if (typeof found === "string") return found;
      const hash = found.claims.cnf === undefined ? undefined : await sha256(token);
      const cached = { ...found, hash, expiresAt: now() + found.claims.exp * 1000 - Date.now() };
      verified.set(token, cached);
      return cached;
    },
  };
}
