import type { AssuranceLevel, FirstFactor } from "../../base/assurance.ts";
import { CLOCK_SKEW_SECONDS } from "../../base/limits.ts";
import { isUuid } from "../../base/random.ts";

export type TokenKind = "access" | "refresh" | "mfa";

/** Claims of the contract, section 2.4. Times are Unix seconds. */
export interface TokenClaims {
  readonly iss: string;
  readonly sub: string;
  readonly org: string;
  readonly sid: string;
  readonly jti: string;
  readonly typ: TokenKind;
  readonly aal: AssuranceLevel;
  readonly auth_method: FirstFactor;
  readonly auth_time: number;
  readonly iat: number;
  readonly exp: number;
}

/** What a session says about its tokens; a row of `sessions` has it. */
export interface TokenSubject {
  readonly sessionId: string;
  readonly userId: string;
  readonly organizationId: string;
  readonly aal: AssuranceLevel;
  readonly authMethod: FirstFactor;
  readonly authTimeSeconds: number;
}

export interface TokenTimes {
  readonly issuedAtSeconds: number;
  readonly expiresAtSeconds: number;
}

export function makeClaims(
  issuer: string,
  kind: TokenKind,
  jti: string,
  subject: TokenSubject,
  times: TokenTimes,
): TokenClaims {
  return {
    iss: issuer,
    sub: subject.userId,
    org: subject.organizationId,
    sid: subject.sessionId,
    jti,
    typ: kind,
    aal: subject.aal,
    auth_method: subject.authMethod,
    auth_time: subject.authTimeSeconds,
    iat: times.issuedAtSeconds,
    exp: times.expiresAtSeconds,
  };
}

/**
 * Whether claims whose signature held may be used now as a token of one kind (RFC 8725, sections 3.8 to 3.11): issuer,
 * kind, identifiers, not expired, not from the future beyond the skew of our own clocks.
 */
export function claimsHold(claims: Partial<TokenClaims>, kind: TokenKind, issuer: string, nowSeconds: number): boolean {
  return (
    claims.iss === issuer &&
    claims.typ === kind &&
    [claims.sub, claims.org, claims.sid, claims.jti].every((id) => typeof id === "string" && isUuid(id)) &&
    typeof claims.exp === "number" &&
    claims.exp > nowSeconds &&
    typeof claims.iat === "number" &&
    claims.iat <= nowSeconds + CLOCK_SKEW_SECONDS &&
    notBeforeHolds(claims, nowSeconds)
  );
}

function notBeforeHolds(claims: object, nowSeconds: number): boolean {
  if (!("nbf" in claims)) return true;
  return typeof claims.nbf === "number" && claims.nbf <= nowSeconds + CLOCK_SKEW_SECONDS;
}
