import { isUuid } from "../../base/random.ts";
import { CLOCK_SKEW_SECONDS } from "../../limits/limits.ts";
import type { AssuranceLevel, FirstFactor } from "../../vocabulary/assurance.ts";
import type { SignInProof } from "../../vocabulary/control-proof.ts";
import { isPersonalOrganization } from "../../vocabulary/personal-organization.ts";

export const TOKEN_KINDS = ["access", "refresh", "mfa"] as const;
export type TokenKind = (typeof TOKEN_KINDS)[number];
/** Kinds of tokens for applications (`provider-claims.ts`). */
export type ProviderTokenKind = "oauth_access" | "id";

interface CommonClaims {
  readonly iss: string;
  readonly sub: string;
  readonly jti: string;
  readonly auth_method: FirstFactor;
  readonly iat: number;
  readonly exp: number;
}

/** Claims of an access or refresh token (docs/contract.md, sections 3.4 and 3.5). Times are Unix seconds. */
export interface SessionClaims extends CommonClaims {
  readonly typ: "access" | "refresh";
  /** Absent in access tokens of a user without a team. */
  readonly org?: string;
  readonly sid: string;
  readonly aal: AssuranceLevel;
  readonly auth_time: number;
  /** Only in access tokens of a social sign-in. */
  readonly email?: string;
  /** Only in access tokens of a session without the factor that its organization requires. */
  readonly enrolment_only?: true;
}

/** Claims of an mfa_token: there is no session yet. */
export interface MfaClaims extends CommonClaims {
  readonly typ: "mfa";
  readonly org: string;
  /** Private claim: a token of an older epoch is invalid (docs/contract.md, section 3.5). */
  readonly credentials_epoch: number;
  /** Private claim: the provider of a social sign-in. */
  readonly identity_provider?: string;
  /**
   * Private claim: the first factor shows control of the mailbox for the first time, or of a vouched address; the
   * completed challenge is the controlling proof.
   */
  readonly control_proof?: SignInProof;
}

export type TokenClaims = SessionClaims | MfaClaims;

/** Claims with a valid signature and no further validation. */
export type VerifiedClaims = Readonly<Record<string, unknown>>;

/** The claims of each kind of token. */
export interface ClaimsByKind {
  readonly access: SessionClaims;
  readonly refresh: SessionClaims;
  readonly mfa: MfaClaims;
}

/** The session data for the claims of tokens. */
export interface TokenSubject {
  readonly sessionId: string;
  readonly userId: string;
  readonly organizationId: string;
  readonly aal: AssuranceLevel;
  readonly authMethod: FirstFactor;
  readonly emailClaim: string | null;
  readonly isEnrolmentOnly: boolean;
  readonly authTimeSeconds: number;
}

export interface TokenTimes {
  readonly issuedAtSeconds: number;
  readonly expiresAtSeconds: number;
}

export function makeClaims(
  issuer: string,
  kind: SessionClaims["typ"],
  jti: string,
  subject: TokenSubject,
  times: TokenTimes,
): SessionClaims {
  return {
    iss: issuer,
    sub: subject.userId,
    // No access token names the personal organization. Refresh and mfa tokens are for this service alone.
    ...(kind === "access" && isPersonalOrganization(subject) ? {} : { org: subject.organizationId }),
    sid: subject.sessionId,
    jti,
    typ: kind,
    aal: subject.aal,
    auth_method: subject.authMethod,
    ...(kind === "access" && subject.emailClaim !== null ? { email: subject.emailClaim } : {}),
    ...(kind === "access" && subject.isEnrolmentOnly ? { enrolment_only: true } : {}),
    auth_time: subject.authTimeSeconds,
    iat: times.issuedAtSeconds,
    exp: times.expiresAtSeconds,
  };
}

/** The user who has presented a first factor and must present a second factor. */
export interface MfaTokenSubject {
  readonly userId: string;
  readonly organizationId: string;
  readonly authMethod: FirstFactor;
  readonly identityProvider?: string | undefined;
  readonly credentialsEpoch: number;
  readonly controlProof?: SignInProof | undefined;
}

export function makeMfaClaims(issuer: string, jti: string, subject: MfaTokenSubject, times: TokenTimes): MfaClaims {
  return {
    iss: issuer,
    sub: subject.userId,
    org: subject.organizationId,
    jti,
    typ: "mfa",
    auth_method: subject.authMethod,
    credentials_epoch: subject.credentialsEpoch,
    ...(subject.identityProvider === undefined ? {} : { identity_provider: subject.identityProvider }),
    ...(subject.controlProof ? { control_proof: subject.controlProof } : {}),
    iat: times.issuedAtSeconds,
    exp: times.expiresAtSeconds,
  };
}

/** Claims that must be UUIDs, by kind. */
const IDENTIFIERS = {
  access: ["sub", "sid", "jti"],
  refresh: ["sub", "org", "sid", "jti"],
  mfa: ["sub", "org", "jti"],
} as const satisfies Record<TokenKind, readonly string[]>;

/** Whether claims with a valid signature have the identifiers of a token of one kind. */
export function hasIdentifiers(claims: VerifiedClaims, kind: TokenKind): boolean {
  return IDENTIFIERS[kind].every((name) => isUuid(String(claims[name])));
}

/**
 * Whether claims with a valid signature may be used now as a token of one kind (RFC 8725, sections 3.8 to 3.11):
 * issuer, kind, not expired, not from the future beyond the clock skew of the replicas.
 */
export function claimsHold(claims: VerifiedClaims, kind: TokenKind, issuer: string, nowSeconds: number): boolean {
  return (
    claims.iss === issuer &&
    claims.typ === kind &&
    typeof claims.exp === "number" &&
    claims.exp > nowSeconds &&
    typeof claims.iat === "number" &&
    claims.iat <= nowSeconds + CLOCK_SKEW_SECONDS &&
    notBeforeHolds(claims, nowSeconds)
  );
}

function notBeforeHolds(claims: VerifiedClaims, nowSeconds: number): boolean {
  if (!("nbf" in claims)) return true;
  return typeof claims.nbf === "number" && claims.nbf <= nowSeconds + CLOCK_SKEW_SECONDS;
}
