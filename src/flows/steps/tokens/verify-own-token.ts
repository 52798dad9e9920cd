import { unixSeconds } from "../../../base/clock.ts";
import type { SessionDeps } from "../../../deps.ts";
import { type ClaimsByKind, claimsHold, type TokenKind, type VerifiedClaims } from "../../../models/token/claims.ts";
import { type CompactToken, splitCompact, type TokenVerifier, verifyCompact } from "../../../models/token/compact.ts";

/**
 * Verifies a token of one kind: signature, issuer, kind and times. Returns the claims, or undefined without a reason.
 * The function does not check that the session is live.
 */
export async function verifyToken<Kind extends TokenKind>(
  deps: SessionDeps,
  token: string,
  kind: Kind,
): Promise<ClaimsByKind[Kind] | undefined> {
  const claims = deps.verifiedTokens.get(token) ?? (await verifySignature(deps, token, kind));
  const now = unixSeconds(deps.clock.now());
  if (!claims || !claimsHold(claims, kind, deps.config.urls.publicBaseUrl, now)) return undefined;
  return claims as unknown as ClaimsByKind[Kind];
}

async function verifySignature(deps: SessionDeps, token: string, kind: TokenKind): Promise<VerifiedClaims | undefined> {
  const compact = splitCompact(token);
  const verifier = compact && (await findVerifier(deps, compact));
  const claims = verifier && verifyCompact(compact, verifier, kind);
  // Only access tokens are presented repeatedly.
  if (claims && kind === "access") deps.verifiedTokens.set(token, claims);
  return claims;
}

/**
 * Finds the verifier of exactly this header. Reloads the ring once for an unknown key, because another replica may have
 * activated the key.
 */
async function findVerifier({ keyRing }: SessionDeps, token: CompactToken): Promise<TokenVerifier | undefined> {
  const known = keyRing.verifier(token.header);
  if (known) return known;
  await keyRing.reload();
  return keyRing.verifier(token.header);
}
