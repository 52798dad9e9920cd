/** Claims of the access tokens of service accounts (docs/contract.md, section 35.10). Times are Unix seconds. */
import { isUuid } from "../../base/random.ts";
import { CLOCK_SKEW_SECONDS } from "../../limits/limits.ts";
import type { VerifiedClaims } from "./claims.ts";

/** RFC 9068, section 2.2. `typ` differs from the access tokens of applications, which have one header in common. */
export interface ProgramClaims {
  readonly iss: string;
  readonly typ: "program";
  /** The service account. */
  readonly sub: string;
  /** The resource of this API. */
  readonly aud: string;
  /** The service account. */
  readonly client_id: string;
  readonly scope: string;
  /** The key or trust for which the token was issued. */
  readonly sid: string;
  readonly jti: string;
  readonly iat: number;
  readonly exp: number;
  /** The organization; absent for a service account of the platform. */
  readonly org?: string;
  /** The thumbprint of the key to which the token is bound (RFC 9449, section 6.1). Absent: a Bearer token. */
  readonly cnf?: { readonly jkt: string };
  /** Whether `sid` is a trust. Absent: a key. */
  readonly federated?: true;
}

/** Whether claims with a valid signature are claims of a program for this API, and may be used now. */
export function programClaimsHold(
  claims: VerifiedClaims,
  expected: { readonly issuer: string; readonly audience: string },
  nowSeconds: number,
): claims is VerifiedClaims & ProgramClaims {
  return (
    claims.iss === expected.issuer &&
    claims.aud === expected.audience &&
    claims.typ === "program" &&
    [claims.sub, claims.client_id, claims.sid, claims.jti].every((id) => isUuid(String(id))) &&
    typeof claims.scope === "string" &&
    typeof claims.exp === "number" &&
    claims.exp > nowSeconds &&
    typeof claims.iat === "number" &&
    claims.iat <= nowSeconds + CLOCK_SKEW_SECONDS
  );
}
