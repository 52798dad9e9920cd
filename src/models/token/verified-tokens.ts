import { LRUCache } from "lru-cache";
import { VERIFIED_TOKENS_MAX, VERIFIED_TOKENS_SWEEP_SECONDS } from "../../limits/limits.ts";
import type { VerifiedClaims } from "./claims.ts";

/**
 * Claims of recently verified access tokens, by token: the signature is the costliest part of a check. Expired tokens
 * leave: without the removal, memory grows up to the bound of the cache. A loss costs one verification.
 */
export class VerifiedTokens {
  readonly #claims = new LRUCache<string, VerifiedClaims>({ max: VERIFIED_TOKENS_MAX });
  #sweptAt = Number.NEGATIVE_INFINITY;

  get size(): number {
    return this.#claims.size;
  }

  get(token: string): VerifiedClaims | undefined {
    return this.#claims.get(token);
  }

  /** `now` is in Unix seconds. */
  set(token: string, claims: VerifiedClaims, now: number): void {
    if (now - this.#sweptAt >= VERIFIED_TOKENS_SWEEP_SECONDS) this.#dropExpired(now);
    this.#claims.set(token, claims);
  }

  #dropExpired(now: number): void {
    this.#sweptAt = now;
    for (const [token, { exp }] of this.#claims.entries()) if (!(Number(exp) > now)) this.#claims.delete(token);
  }
}
