/** Claims of the tokens that the OpenID provider issues (docs/contract.md, section 23.6). Times are Unix seconds. */
import { createHash } from "node:crypto";
import { isUuid } from "../../base/random.ts";
import { CLOCK_SKEW_SECONDS } from "../../limits/limits.ts";
import type { Acr, AssuranceLevel, FirstFactor } from "../../vocabulary/assurance.ts";
import type { ProviderAlgorithm } from "../../vocabulary/provider-algorithm.ts";
import type { VerifiedClaims } from "./claims.ts";

/** Claims of an access token that the APIs of the token request (docs/contract.md, section 23.26). */
export interface ResourceClaims {
  readonly email?: string;
  readonly name?: string;
  readonly org_slug?: string;
  /** The built-in role, and the keys of additional roles. */
  readonly roles?: readonly string[];
  /** The permissions of the APIs that the user has. */
  readonly permissions?: readonly string[];
  readonly groups?: readonly string[];
  /** The user has more groups than the token names. */
  readonly groups_truncated?: true;
  /** The user has more permissions or roles than the token names (`token-size.ts`). */
  readonly permissions_truncated?: true;
  readonly roles_truncated?: true;
}

/** RFC 9068, section 2.2. */
export interface ProviderAccessClaims extends ResourceClaims {
  readonly iss: string;
  readonly typ: "oauth_access";
  readonly sub: string;
  readonly aud: string | readonly string[];
  readonly client_id: string;
  readonly scope: string;
  /** The id whose revocation ends the token: the token family, or for a client's own token the `jti`. */
  readonly sid: string;
  readonly jti: string;
  readonly iat: number;
  readonly exp: number;
  /** Not in a client's own token. */
  readonly org?: string;
  readonly acr?: Acr;
  readonly auth_time?: number;
  /** The thumbprint of the key to which the token is bound (RFC 9449, section 6.1). Absent: a Bearer token. */
  readonly cnf?: { readonly jkt: string };
  /** The client that exchanged the token. Absent: the token is of no exchange. */
  readonly act?: Actor;
}

/** A client that acts for the subject, and the client before (RFC 8693, section 4.1). */
export interface Actor {
  readonly sub: string;
  readonly act?: Actor;
}

export function audienceList({ aud }: Pick<ProviderAccessClaims, "aud">): readonly string[] {
  return typeof aud === "string" ? [aud] : aud;
}

/** The claims of a user by scope (OpenID Connect Core, section 5.1); `organization` is of this service. */
export interface ScopeClaims {
  /** The display name, else the local part of the address with the scope `email`. */
  readonly name?: string;
  /** The verified primary address, with the scope `email`. */
  readonly preferred_username?: string;
  readonly picture?: string;
  readonly locale?: string;
  readonly updated_at?: number;
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly organization?: {
    readonly id: string;
    readonly slug: string;
    readonly role: string;
    /** The keys of additional roles; absent without additional roles. */
    readonly roles?: readonly string[];
    /** Absent without metadata. */
    readonly public_metadata?: Readonly<Record<string, unknown>>;
    readonly member_public_metadata?: Readonly<Record<string, unknown>>;
    /** UserInfo has metadata or roles that the ID token has no room for (`token-size.ts`). */
    readonly metadata_truncated?: true;
    readonly roles_truncated?: true;
  };
}

/** OpenID Connect Core, section 2. */
export interface IdClaims extends ScopeClaims {
  readonly iss: string;
  readonly sub: string;
  readonly aud: string;
  readonly sid: string;
  readonly iat: number;
  readonly exp: number;
  readonly auth_time: number;
  readonly acr: AssuranceLevel;
  readonly amr: readonly string[];
  readonly nonce?: string;
  readonly at_hash: string;
}

/** OpenID Connect Back-Channel Logout 1.0, section 2.4. */
export interface LogoutClaims {
  readonly iss: string;
  readonly sub: string;
  readonly aud: string;
  readonly sid: string;
  readonly iat: number;
  readonly exp: number;
  readonly jti: string;
  readonly events: { readonly "http://schemas.openid.net/event/backchannel-logout": Record<string, never> };
}

/**
 * `aud` of an access token: the requested resource servers, and this service if the UserInfo endpoint accepts the token
 * (RFC 8707, section 2.2).
 */
export function audienceOf(
  issuer: string,
  resources: readonly string[],
  scopes: readonly string[],
): string | readonly string[] {
  const audience = scopes.includes("openid") || resources.length === 0 ? [...resources, issuer] : resources;
  const [only = issuer] = audience;
  return audience.length === 1 ? only : audience;
}

/** The hash function of the signature of an ID token; SHA-512 is part of Ed25519 (RFC 8032, section 5.1). */
const HASHES = { RS256: "sha256", ES256: "sha256", EdDSA: "sha512" } as const satisfies Record<
  ProviderAlgorithm,
  string
>;

/**
 * `at_hash`: the left half of the hash of an access token, by the hash function of the ID token's algorithm (OpenID
 * Connect Core, section 3.1.3.6).
 */
export function accessTokenHash(accessToken: string, idTokenAlgorithm: ProviderAlgorithm): string {
  const digest = createHash(HASHES[idTokenAlgorithm]).update(accessToken).digest();
  return digest.subarray(0, digest.length / 2).toString("base64url");
}

/** RFC 8176: how the user was authenticated. `fed` is not registered there and means another identity provider. */
export function authenticationMethods(method: FirstFactor, aal: AssuranceLevel): readonly string[] {
  const first = { password: "pwd", email_otp: "otp", ticket: "otp", social_oauth: "fed", sso: "fed", passkey: "pop" }[
    method
  ];
  if (aal === "aal1") return [first];
  // The identity provider of the organization verified the second factor, of a kind that is unknown here.
  if (method === "sso") return [first, "mfa"];
  return method === "passkey" ? [first, "user", "mfa"] : [...new Set([first, "otp", "mfa"])];
}

/** Whether claims with a valid signature are claims of an access token that may be used now. */
export function accessClaimsHold(
  claims: VerifiedClaims,
  issuer: string,
  nowSeconds: number,
): claims is VerifiedClaims & ProviderAccessClaims {
  return (
    claims.iss === issuer &&
    claims.typ === "oauth_access" &&
    isUuid(String(claims.sid)) &&
    isUuid(String(claims.jti)) &&
    // The id of a client may be the address of its metadata document.
    typeof claims.client_id === "string" &&
    typeof claims.sub === "string" &&
    typeof claims.scope === "string" &&
    typeof claims.exp === "number" &&
    claims.exp > nowSeconds &&
    typeof claims.iat === "number" &&
    claims.iat <= nowSeconds + CLOCK_SKEW_SECONDS
  );
}

/** Whether claims with a valid signature are claims of an ID token, expired or not: a hint may be old. */
export function idClaimsHold(claims: VerifiedClaims, issuer: string): claims is VerifiedClaims & IdClaims {
  return (
    claims.iss === issuer &&
    typeof claims.aud === "string" &&
    isUuid(String(claims.sid)) &&
    typeof claims.sub === "string" &&
    claims.typ === undefined
  );
}
