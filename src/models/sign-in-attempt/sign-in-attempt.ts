import type { AttemptScope } from "../../state/state.ts";

export interface AttemptLimit {
  readonly count: number;
  readonly seconds: number;
}

export interface PasswordLimits {
  readonly enabled: boolean;
  readonly passwordPair: AttemptLimit;
  readonly passwordAccount: AttemptLimit;
}

/**
 * Redis keys of password guesses: a hash per key with the fields `claimed` and `failed`. After a loss of the keys the
 * counts start at zero. `account`: the keyed hash of the normalised address, registered or not, so that the limit does
 * not reveal accounts and Redis holds no address. The hash in braces is the hash tag and keeps the keys on a single
 * node of a cluster. A trusted browser of the account is not counted against the limit over all addresses: an attacker
 * with many addresses cannot lock out the user (G15).
 */
export function passwordAttemptScopes(
  account: string,
  clientNetwork: string,
  limits: PasswordLimits,
  trustedBrowser: boolean,
): readonly AttemptScope[] {
  if (!limits.enabled) return [];
  const pair = scope(`service:password:{${account}}:${clientNetwork}`, limits.passwordPair);
  return trustedBrowser ? [pair] : [pair, scope(`service:password:{${account}}:all`, limits.passwordAccount)];
}

function scope(key: string, limit: AttemptLimit): AttemptScope {
  return { key, limit: limit.count, windowMs: limit.seconds * 1000 };
}
