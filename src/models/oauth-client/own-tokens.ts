/** Tokens of a client without a user (RFC 6749, section 4.4). */
import type { OAuthClient } from "./oauth-client.ts";

/**
 * Earliest accepted `iat` of client-credentials tokens, in seconds: tokens from before the client was disabled belong
 * to no family that would have ended, and stay invalid after the client is enabled again. A new token claims at least
 * this second, so that neither the rounding of `iat` nor the clock of a replica invalidates the token.
 */
export function firstSecondOfOwnTokens({ tokensValidFrom }: Pick<OAuthClient, "tokensValidFrom">): number {
  return tokensValidFrom === null ? 0 : Math.ceil(tokensValidFrom.getTime() / 1000);
}
