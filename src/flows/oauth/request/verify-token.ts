import { unixSeconds } from "../../../base/clock.ts";
import type { Deps } from "../../../deps.ts";
import type { VerifiedClaims } from "../../../models/token/claims.ts";
import {
  accessClaimsHold,
  type IdClaims,
  idClaimsHold,
  type ProviderAccessClaims,
} from "../../../models/token/provider-claims.ts";
import { verifySignature } from "../../steps/tokens/verify-signature.ts";

export type VerifyProviderTokenDeps = Pick<Deps, "keyRing" | "verifiedProviderTokens" | "clock" | "config">;

/**
 * The claims of an access token of the provider: signature, issuer, kind and times. The function does not check whether
 * the token is live. A session token does not verify, because its header differs (G50).
 */
export async function verifyProviderAccessToken(
  deps: VerifyProviderTokenDeps,
  token: string,
): Promise<ProviderAccessClaims | undefined> {
  const claims = deps.verifiedProviderTokens.get(token) ?? (await verifyFirst(deps, token));
  if (!claims) return undefined;
  const now = unixSeconds(deps.clock.now());
  return accessClaimsHold(claims, deps.config.urls.publicBaseUrl, now) ? claims : undefined;
}

async function verifyFirst(
  { clock, keyRing, verifiedProviderTokens }: VerifyProviderTokenDeps,
  token: string,
): Promise<VerifiedClaims | undefined> {
  const claims = await verifySignature(keyRing, token, "oauth_access");
  if (claims) verifiedProviderTokens.set(token, claims, unixSeconds(clock.now()));
  return claims;
}

/** The claims of an ID token issued by this service, expired or not (id_token_hint). */
export async function verifyIdTokenHint(
  deps: Pick<Deps, "keyRing" | "config">,
  token: string,
): Promise<IdClaims | undefined> {
  const claims = await verifySignature(deps.keyRing, token, "id");
  return claims && idClaimsHold(claims, deps.config.urls.publicBaseUrl) ? claims : undefined;
}
