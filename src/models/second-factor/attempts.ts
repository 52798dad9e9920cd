import {
  MFA_TOKEN_CONSUMED_MS,
  MFA_TOKEN_LIFETIME_SECONDS,
  MFA_TOKEN_MISSES_MAX,
  STEP_UP_MISSES_MAX,
  STEP_UP_MISSES_WINDOW_MS,
} from "../../limits/factor-limits.ts";
import type { AttemptScope, Comparison } from "../../state/state.ts";

/**
 * Redis keys of second factors:
 * - `…:token:<jti>` failed attempts of one mfa_token. If lost: the count starts at zero.
 * - `…:burned:<jti>` the token was used. If lost: the unique column `sessions.mfa_token_jti` refuses a second session.
 * - `…:session:<sid>` failed attempts of step-up in one session. If lost: the count starts at zero.
 * PostgreSQL also counts the failed attempts of the user over all tokens and sessions (`failed_attempts`), so a loss of
 * the keys does not lift the bound. The user in braces is the hash tag, so a cluster stores all keys of a user on one
 * node.
 */
const key = (userId: string, rest: string) => `service:mfa:{${userId}}:${rest}`;

/**
 * A comparison at the challenge: five failed attempts lock the token; a match consumes the token. The request counts
 * against the limit of the client's address in the same round trip.
 */
export function challengeComparison(
  userId: string,
  jti: string,
  matched: boolean,
  admission: AttemptScope | undefined,
): Comparison {
  const token = {
    key: key(userId, `token:${jti}`),
    limit: MFA_TOKEN_MISSES_MAX,
    windowMs: MFA_TOKEN_LIFETIME_SECONDS * 1000,
  };
  return {
    matched,
    failedAttempts: [token],
    consumption: { key: key(userId, `burned:${jti}`), ttlMs: MFA_TOKEN_CONSUMED_MS },
    admission,
  };
}

/** A comparison at step-up: five failed attempts in five minutes lock the session. */
export function stepUpComparison(userId: string, sessionId: string, matched: boolean): Comparison {
  const session = {
    key: key(userId, `session:${sessionId}`),
    limit: STEP_UP_MISSES_MAX,
    windowMs: STEP_UP_MISSES_WINDOW_MS,
  };
  return { matched, failedAttempts: [session] };
}
