import { createHash } from "node:crypto";
import type { AttemptScope } from "../../state/state.ts";

export interface AttemptLimit {
  readonly count: number;
  readonly seconds: number;
}

/**
 * Redis keys of password guessing, one hash each with the fields `claimed` and `failed`. Gone: guesses count from zero.
 * The account is the hash of the normalised address, known or not, so that neither a spelling nor an answer tells accounts
 * apart, and no address stands in Redis. Both keys share the account's hash tag, for Redis Cluster.
 */
export function passwordAttemptScopes(
  email: string,
  clientNetwork: string,
  limits: { readonly pair: AttemptLimit; readonly account: AttemptLimit },
): readonly AttemptScope[] {
  const account = createHash("sha256").update(email).digest("base64url").slice(0, 22);
  return [
    scope(`service:password:{${account}}:${clientNetwork}`, limits.pair),
    scope(`service:password:{${account}}:all`, limits.account),
  ];
}

function scope(key: string, limit: AttemptLimit): AttemptScope {
  return { key, limit: limit.count, windowMs: limit.seconds * 1000 };
}
