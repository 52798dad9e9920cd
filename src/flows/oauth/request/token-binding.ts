import type { ProviderAccessClaims } from "../../../models/token/provider-claims.ts";

/** The claim that binds a token to a key (RFC 9449, section 6.1). */
export function confirmationOf(thumbprint: string | undefined): Pick<ProviderAccessClaims, "cnf"> {
  return thumbprint === undefined ? {} : { cnf: { jkt: thumbprint } };
}

export function tokenTypeOf(thumbprint: string | undefined): "Bearer" | "DPoP" {
  return thumbprint === undefined ? "Bearer" : "DPoP";
}
