/** The requirements of an access token for an API (RFC 9068; docs/contract.md, section 23.6). */
import { base64url, compactVerify } from "jose";
import { CLOCK_SKEW_SECONDS, encodedHeader } from "./compact.ts";
import type { Keys } from "./keys.ts";
import type { RefusalCode } from "./refusal.ts";

/** An actor for the user, after token exchanges (RFC 8693, section 4.1). */
export interface Actor {
  readonly sub: string;
  readonly act?: Actor;
}

/** Claims of an access token for an API. */
export interface ResourceClaims {
  readonly iss: string;
  /** The user, or the client itself. */
  readonly sub: string;
  readonly aud: string | readonly string[];
  readonly client_id: string;
  /** Separated by spaces. */
  readonly scope: string;
  /** The id whose revocation ends the token. */
  readonly sid: string;
  readonly jti: string;
  /** Unix time (s). */
  readonly iat: number;
  readonly exp: number;
  /** Organization of the user. */
  readonly org?: string;
  readonly acr?: Acr;
  /** Unix time of the sign-in (s). */
  readonly auth_time?: number;
  /** The key to which the token is bound (RFC 9449). */
  readonly cnf?: { readonly jkt: string };
  readonly act?: Actor;
  // Claims that the registration of the API lists.
  readonly email?: string;
  readonly name?: string;
  readonly org_slug?: string;
  readonly roles?: readonly string[];
  readonly permissions?: readonly string[];
  readonly groups?: readonly string[];
}

/** From least to most: `phr` is a sign-in with a passkey and user verification. */
export const ACR_VALUES = ["aal1", "aal2", "phr"] as const;
export type Acr = (typeof ACR_VALUES)[number];

export const RESOURCE_ALGORITHMS = ["RS256", "ES256", "EdDSA"] as const;

const decoder = new TextDecoder("utf-8", { fatal: true });

export interface VerifiedResourceToken {
  readonly claims: ResourceClaims;
  readonly kid: string;
}

export interface ResourceTokenContext {
  readonly keys: Keys;
  readonly issuer: string;
  /** The only accepted audience. */
  readonly resource: string;
  /** Wall clock. */
  readonly nowMs: number;
}

/** Verifies signature, issuer, audience and times, not the revocation. */
export async function verifyResourceToken(
  token: string,
  context: ResourceTokenContext,
): Promise<VerifiedResourceToken | RefusalCode> {
  const encoded = encodedHeader(token);
  const header = encoded === undefined ? undefined : headerOf(encoded);
  if (header === undefined) return "invalid_token";
  const key = await context.keys.find(header.kid);
  if (key === "unavailable") return "cannot_tell";
  if (key === "unknown") return "invalid_token";
  try {
    // The algorithm is the algorithm of the key: jose refuses any other.
    const { payload } = await compactVerify(token, key, { algorithms: [header.alg] });
    const claims = validateClaims(JSON.parse(decoder.decode(payload)), context);
    return typeof claims === "string" ? claims : { claims, kid: header.kid };
  } catch {
    return "invalid_token";
  }
}

/** The header has exactly `alg`, `kid` and `typ`: no `jwk`, `jku`, `x5u` or `crit` is ever interpreted. */
function headerOf(encoded: string): { readonly alg: string; readonly kid: string } | undefined {
  try {
    const { alg, kid, typ, ...others } = JSON.parse(decoder.decode(base64url.decode(encoded)));
    const isKnown = (RESOURCE_ALGORITHMS as readonly unknown[]).includes(alg);
    const isOurs = isKnown && typ === "at+jwt" && typeof kid === "string" && Object.keys(others).length === 0;
    return isOurs ? { alg, kid } : undefined;
  } catch {
    return undefined;
  }
}

function validateClaims(
  claims: Readonly<Record<string, unknown>>,
  { issuer, resource, nowMs }: ResourceTokenContext,
): ResourceClaims | RefusalCode {
  const { iss, typ, aud, exp, iat, nbf } = claims;
  const texts = [claims.sub, claims.sid, claims.jti, claims.client_id];
  if (iss !== issuer || typ !== "oauth_access" || !texts.every(isText)) return "invalid_token";
  if (typeof claims.scope !== "string" || !Number.isFinite(exp) || !Number.isFinite(iat)) return "invalid_token";
  const audience = Array.isArray(aud) ? aud : [aud];
  if (!audience.includes(resource)) return "invalid_token";
  const latest = nowMs / 1000 + CLOCK_SKEW_SECONDS;
  if (Number(iat) > latest || (nbf !== undefined && !(Number(nbf) <= latest))) return "invalid_token";
  if (Number(exp) * 1000 <= nowMs) return "expired_token";
  return Object.freeze(claims) as unknown as ResourceClaims;
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}
