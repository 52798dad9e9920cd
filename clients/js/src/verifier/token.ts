/** The requirements of an access token, as strict as in the service (docs/contract.md, section 3.4). */
import { base64url, compactVerify } from "jose";
import { CLOCK_SKEW_SECONDS, encodedHeader } from "./compact.ts";
import type { Keys } from "./keys.ts";
import type { RefusalCode } from "./refusal.ts";

/** Claims of an access token. All but `sub`, `sid`, `iss`, `exp`, `iat` and `typ` may be absent. */
export interface Claims {
  /** User id. */
  readonly sub: string;
  /** Session id. */
  readonly sid: string;
  /** Organization of the session. */
  readonly org?: string | null;
  readonly iss: string;
  /** Unix time (s). */
  readonly exp: number;
  readonly iat: number;
  readonly typ: "access";
  readonly jti?: string | null;
  readonly aal?: "aal1" | "aal2" | null;
  /** Unix time of the sign-in (s). */
  readonly auth_time?: number | null;
  readonly auth_method?: string | null;
  /** Only after a social sign-in. */
  readonly email?: string | null;
  /** The session lacks the factor that its organization requires; the verifier refuses the token. */
  readonly enrolment_only?: boolean | null;
}

const decoder = new TextDecoder("utf-8", { fatal: true });

export interface VerifiedToken {
  readonly claims: Claims;
  /** The id of the signing key. */
  readonly kid: string;
}

/** Verifies the signature and the claims, not the session. `nowMs`: wall clock. */
export async function verifyToken(
  token: string,
  { keys, issuer, nowMs }: { readonly keys: Keys; readonly issuer: string; readonly nowMs: number },
): Promise<VerifiedToken | RefusalCode> {
  const header = encodedHeader(token);
  const kid = header === undefined ? undefined : kidOf(header);
  if (kid === undefined) return "invalid_token";
  const key = await keys.find(kid);
  if (key === "unavailable") return "cannot_tell";
  if (key === "unknown") return "invalid_token";
  try {
    const { payload } = await compactVerify(token, key, { algorithms: ["RS256"] });
    const claims = validateClaims(JSON.parse(decoder.decode(payload)), issuer, nowMs / 1000);
    return typeof claims === "string" ? claims : { claims, kid };
  } catch {
    return "invalid_token";
  }
}

/** The header has exactly `alg`, `kid` and `typ`: no `jwk`, `jku`, `x5u` or `crit` is ever interpreted. */
function kidOf(encoded: string): string | undefined {
  try {
    const { alg, kid, typ, ...others } = JSON.parse(decoder.decode(base64url.decode(encoded)));
    const isOurs = alg === "RS256" && typ === "JWT" && typeof kid === "string" && Object.keys(others).length === 0;
    return isOurs ? kid : undefined;
  } catch {
    return undefined;
  }
}

function validateClaims(claims: Readonly<Record<string, unknown>>, issuer: string, now: number): Claims | RefusalCode {
  const { iss, typ, sub, sid, exp, iat, nbf } = claims;
  if (iss !== issuer || typ !== "access" || !isText(sub) || !isText(sid)) return "invalid_token";
  if (!Number.isFinite(exp) || !Number.isFinite(iat)) return "invalid_token";
  if (Number(iat) > now + CLOCK_SKEW_SECONDS) return "invalid_token";
  if (nbf !== undefined && nbf !== null && !(Number(nbf) <= now + CLOCK_SKEW_SECONDS)) return "invalid_token";
  if (Number(exp) <= now) return "expired_token";
  return Object.freeze(claims) as unknown as Claims;
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}
