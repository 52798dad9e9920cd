import { unixSeconds } from "../../../base/clock.ts";
import type { SessionDeps } from "../../../deps.ts";
import {
  type ClaimsByKind,
  claimsHold,
  hasIdentifiers,
  type TokenKind,
  type VerifiedClaims,
} from "../../../models/token/claims.ts";
import { verifySignature } from "./verify-signature.ts";

/**
 * Verifies a token of one kind: signature, issuer, kind and times. Returns the claims, or undefined without a reason.
 * The function does not check that the session is live.
 */
export async function verifyToken<Kind extends TokenKind>(
  deps: SessionDeps,
  token: string,
  kind: Kind,
): Promise<ClaimsByKind[Kind] | undefined> {
  const claims = deps.verifiedTokens.get(token) ?? (await verifyAndCache(deps, token, kind));
  const now = unixSeconds(deps.clock.now());
  if (!claims || !claimsHold(claims, kind, deps.config.urls.publicBaseUrl, now)) return undefined;
  return claims as unknown as ClaimsByKind[Kind];
}

/** Only access tokens are presented repeatedly, so only access tokens are cached. */
async function verifyAndCache(
  { clock, keyRing, verifiedTokens }: SessionDeps,
  token: string,
  kind: TokenKind,
): Promise<VerifiedClaims | undefined> {
  const claims = await verifySignature(keyRing, token, kind);
  if (!claims || !hasIdentifiers(claims, kind)) return undefined;
  if (kind === "access") verifiedTokens.set(token, claims, unixSeconds(clock.now()));
  return claims;
}
